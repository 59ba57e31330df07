import BenchHarness
import Foundation

extension NoiseRecord {
    /// Returns the record for `runs`, the base's first. Searches beside the new results, beside the base, then where
    /// `bench noise` writes.
    static func find(for runs: [RecordedRun]) throws(RunError) -> NoiseRecord? {
        let folders = runs.reversed().map { $0.url.deletingLastPathComponent() }
        return try find(for: runs, in: folders + [URL(fileURLWithPath: "Results", isDirectory: true)])
    }
}

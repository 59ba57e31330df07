import Foundation
import TestSupport

@testable import BenchHarness

/// The table of the kept results: when, of which commit and on what each was measured.
enum RunTable {
    private struct Run {
        let name: String
        let occasion: [String]
        let rows: Int
        let contaminated: Int

        init(_ name: String) throws {
            self.name = name
            let run = try RecordedRun(contentsOf: Repository.url("Results/\(name).csv"))
            guard let manifest = run.manifest, let git = manifest.git else { throw CocoaError(.fileReadCorruptFile) }
            let day = manifest.started.formatted(.iso8601.year().month().day())
            occasion = [day, String(git.commit.prefix(8)), manifest.host.cpuModel ?? "unknown"]
            rows = run.rows.count
            contaminated = run.rows.count { $0.contaminated == true }
        }
    }

    /// The table as Markdown, the newest runs first.
    static func markdown() throws -> String {
        let head = [
            "| date | commit | processor | runs | contaminated rows |", "| --- | --- | --- | --- | ---: |",
        ]
        let occasions = Dictionary(grouping: try results().map(Run.init), by: \.occasion)
        let lines = occasions.sorted { $0.key.lexicographicallyPrecedes($1.key) }.reversed().map { occasion, runs in
            let names = runs.map { "`\($0.name)`" }.joined(separator: ", ")
            let contaminated = "\(runs.map(\.contaminated).reduce(0, +)) of \(runs.map(\.rows).reduce(0, +))"
            return "| " + (occasion + [names, contaminated]).joined(separator: " | ") + " |"
        }
        return (head + lines).joined(separator: "\n")
    }

    /// Every CSV of `Results` that has a manifest, by its path without the extension.
    private static func results() throws -> [String] {
        let suffix = ".manifest.json"
        let root = Repository.url("Results")
        return try FileManager.default.subpathsOfDirectory(atPath: root.path(percentEncoded: false))
            .filter { $0.hasSuffix(suffix) && $0.contains("/") }.map { String($0.dropLast(suffix.count)) }.sorted()
    }
}

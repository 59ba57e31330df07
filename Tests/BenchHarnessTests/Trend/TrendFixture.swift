import Foundation
import TestSupport

@testable import BenchHarness

/// Runs of a history, made up.
enum TrendFixture {
    static func row(
        _ driver: String = "mine", _ milliseconds: Double = 10, repetition: Int = 1, statements: Int? = nil
    ) -> ResultRow {
        var row = ResultRow()
        (row.scenario, row.phase, row.driver) = ("small", "fetch", driver)
        (row.repetition, row.verified) = (repetition, true)
        row.durationNanoseconds = Int(milliseconds * 1e6)
        row.counters.statements = statements
        return row
    }

    /// A run without a manifest.
    static func run(_ name: String, _ rows: ResultRow...) -> RecordedRun {
        run(name, rows, nil)
    }

    private static func run(_ name: String, _ rows: [ResultRow], _ manifest: Manifest?) -> RecordedRun {
        let rows = rows.map { row in
            var row = row
            row.run = name
            return row
        }
        return RecordedRun(url: URL(fileURLWithPath: "\(name).csv"), rows: rows, manifest: manifest)
    }

    /// A run with the manifest of the recorded example, changed.
    static func run(
        _ name: String, _ rows: ResultRow..., day: Int, commit: String? = nil,
        change: (inout Manifest) -> Void = { _ in }
    ) throws -> RecordedRun {
        let example = Repository.million
        guard var manifest = try Manifest.read(beside: example) else { throw CocoaError(.fileNoSuchFile) }
        manifest.started = Date(timeIntervalSince1970: Double(day * 86_400))
        manifest.git = commit.map { Manifest.GitFacts(commit: $0, isDirty: false) }
        change(&manifest)
        return run(name, rows, manifest)
    }

    /// Runs with these durations, one repetition each.
    static func history(_ milliseconds: [Double]) -> [RecordedRun] {
        milliseconds.enumerated().map { run("run\($0.offset)", row("mine", $0.element)) }
    }

    /// A step after the eighth of sixteen runs, with noise of a percent.
    static let step = history(
        [10.0, 10.1, 9.9, 10.05, 10, 9.95, 10.1, 9.9, 12.0, 12.1, 11.9, 12.05, 12, 11.95, 12.1, 11.9])
}

import Foundation

@testable import BenchHarness

/// A run to export.
enum ExportFixture {
    /// A row that is ok, with a duration and a few figures.
    static func row(
        _ driver: String = "sqlite", phase: String = "fetch", repetition: Int = 1, duration: Int? = 100
    ) -> ResultRow {
        var row = ResultRow()
        (row.run, row.scenario, row.driver, row.phase, row.mode) = ("r", "s", driver, phase, "sync")
        (row.repetition, row.verified) = (repetition, true)
        row.durationNanoseconds = duration
        (row.cpuUser, row.cpuSystem) = (duration.map { $0 / 2 }, 5)
        row.counters.statements = 0
        return row
    }

    /// A row of a phase that came to nothing.
    static func row(_ status: ResultRow.Status, error: String, repetition: Int = 1) -> ResultRow {
        var row = row(repetition: repetition)
        (row.status, row.verified, row.error) = (status, nil, error)
        return row
    }

    static func run(_ rows: [ResultRow]) -> RecordedRun {
        RecordedRun(url: URL(fileURLWithPath: "t.csv"), rows: rows, manifest: nil)
    }
}

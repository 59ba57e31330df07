import Foundation

@testable import BenchHarness

/// Runs of a scenario with lists, made up.
enum SweepFixture {
    /// Rows of an update, a repetition for each duration, in milliseconds, by the marks of its variants.
    static func rows(
        _ durations: [String: [Double]], driver: String = "mine",
        change: (inout ResultRow) -> Void = { _ in }
    ) -> [ResultRow] {
        durations.sorted { $0.key > $1.key }.flatMap { marks, durations in
            durations.enumerated().map { index, duration in
                var row = ResultRow()
                (row.run, row.scenario, row.driver, row.kind) = ("r", "s", driver, "update")
                (row.phase, row.repetition, row.verified) = ("update@\(marks)", index + 1, true)
                row.durationNanoseconds = Int(duration * 1e6)
                row.residentPeakBytes = 10_000_000
                change(&row)
                return row
            }
        }
    }
}

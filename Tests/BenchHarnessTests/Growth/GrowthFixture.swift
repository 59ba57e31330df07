import Foundation

@testable import BenchHarness

/// Runs at several sizes, made up.
enum GrowthFixture {
    /// Rows of a phase whose duration, in nanoseconds, and memory, in bytes, are told for each number of records.
    static func rows(
        _ phase: String = "fetch", driver: String = "mine", sizes: [Int] = [10_000, 100_000, 1_000_000],
        repetitions: Int = 2, time: (Double) -> Double = { 100 * $0 }, memory: (Double) -> Double? = { 200 * $0 },
        change: (inout ResultRow) -> Void = { _ in }
    ) -> [ResultRow] {
        sizes.flatMap { size in
            (1...repetitions).map { repetition in
                var row = ResultRow()
                (row.run, row.scenario, row.driver, row.kind) = ("r", "s", driver, "fetch")
                (row.phase, row.repetition, row.verified) = ("\(phase)@\(size)", repetition, true)
                let noise = 1 + 0.002 * Double(repetition)
                row.records = size
                row.durationNanoseconds = Int(time(Double(size)) * noise)
                row.residentPeakDelta = memory(Double(size)).map { Int($0 * noise) }
                change(&row)
                return row
            }
        }
    }

    static func growth(_ rows: [ResultRow], maxExponent: Double? = 1.05) -> GrowthSummary? {
        ResultSummary(rows: rows, growth: maxExponent.map { GrowthSpec(maxExponent: $0) }).growth
    }
}

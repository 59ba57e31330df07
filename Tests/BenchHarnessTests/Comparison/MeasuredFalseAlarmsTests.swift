import Foundation
import Testing

@testable import BenchHarness

@Suite struct MeasuredFalseAlarmsTests {
    /// Runs whose durations lie around these centres, in milliseconds.
    private func runs(_ centers: [Double], repetitions: Int = 10) -> [RecordedRun] {
        centers.enumerated().map { index, center in
            ComparisonFixture.phase(ComparisonFixture.steady(repetitions, at: center, seed: UInt64(index + 1)))
        }
    }

    @Test func eachRunIsComparedOnce() throws {
        // As pairs, the second and the third have changed; the last run has no partner yet.
        let measured = try MeasuredFalseAlarms(runs([100, 100, 100, 150, 150, 100, 900]))
        #expect(measured.comparisons == 3 && measured.alarms == 1 && measured.improvements == 1)
        let duration = try #require(measured.figures.first { $0.metric == "duration" })
        #expect(duration.regressed == 1 && duration.improved == 1)
        #expect(duration.unchanged + duration.inconclusive == 1)
        #expect(measured.shortage == nil)
    }

    /// Compared with itself, no run raises an alarm.
    @Test func aRunThatIsThereTwiceIsRefused() {
        let runs = runs([100])
        #expect(throws: RunError.self) { try MeasuredFalseAlarms(runs + runs) }
    }

    @Test func theRateHasItsIntervalAndIsCalledMeasured() throws {
        let measured = try MeasuredFalseAlarms(runs([100, 150] + Array(repeating: 100, count: 18)))
        let interval = try #require(measured.interval)
        // R's binom.test(1, 10).
        #expect(abs(interval.lowerBound - 0.0025) < 0.0001 && abs(interval.upperBound - 0.4450) < 0.0001)
        let text = measured.text(isColoured: false)
        let sentence =
            "Measured, not simulated: 1 of 10 comparisons raised a false alarm, 10 % (95 % interval 0.3 % to 44.5 %).\n"
        #expect(text.contains(sentence), "\(text)")
        let json = try #require(JSONSerialization.jsonObject(with: Data(measured.json().utf8)) as? [String: Any])
        #expect(json["method"] as? String == "measured")
        #expect(json["comparisons"] as? Int == 10 && json["false_alarms"] as? Int == 1)
        #expect(json["false_alarms_percent"] as? Double == 10)
        #expect((json["interval_percent"] as? [Double])?.count == 2)
    }

    /// They could not raise an alarm, and would make the rate look low.
    @Test func comparisonsWithoutEnoughRepetitionsDoNotCount() throws {
        let measured = try MeasuredFalseAlarms(runs([100, 100, 100, 100], repetitions: 3))
        #expect(measured.comparisons == 0 && measured.interval == nil)
        let shortage = try #require(measured.shortage)
        #expect(shortage.hasPrefix("3 against 3 repetitions are too few to judge "), "\(shortage)")
        #expect(measured.text(isColoured: false).contains("No comparison had enough data: \(shortage).\n"))
        let json = try #require(JSONSerialization.jsonObject(with: Data(measured.json().utf8)) as? [String: Any])
        #expect(json["false_alarms_percent"] == nil && json["interval_percent"] == nil)
    }

    @Test func oneRunIsNoComparison() throws {
        let text = try MeasuredFalseAlarms(runs([100])).text(isColoured: false)
        #expect(text.hasSuffix("\nNo comparison had enough data: there are fewer than two runs.\n"), "\(text)")
    }
}

import Foundation
import Testing

@testable import BenchHarness

@Suite struct GrowthSummaryTests {
    private func line(_ rows: [ResultRow], maxExponent: Double? = 1.05) throws -> GrowthSummary.Line {
        try #require(GrowthFixture.growth(rows, maxExponent: maxExponent)?.phases.first?.lines.first)
    }

    @Test func whatGrowsInProportionIsKept() throws {
        let line = try line(GrowthFixture.rows())
        #expect(line.time.verdict == .kept && line.memory.verdict == .kept)
        #expect(abs(try #require(line.time.fit).exponent - 1) < 1e-6)
        #expect(line.time.points.map(\.records) == [10_000, 100_000, 1_000_000])
        #expect(line.time.points.allSatisfy { abs($0.perRecord - 100.3) < 0.01 })
        #expect(GrowthFixture.growth(GrowthFixture.rows())?.outcome == .passed)
    }

    @Test func whatGrowsFasterIsMissedAndSaidInWords() throws {
        let growth = try #require(GrowthFixture.growth(GrowthFixture.rows(time: { pow($0, 1.2) })))
        #expect(growth.outcome == .missed)
        let sentence = try #require(growth.missed.first)
        #expect(growth.missed.count == 1)
        #expect(sentence.hasPrefix("mine, fetch: time grows like the number of records to the power of 1.200 (1."))
        #expect(sentence.hasSuffix("at most 1.05 is allowed"))
    }

    @Test func fasterGrowthOfMemoryIsMissedToo() throws {
        let line = try line(GrowthFixture.rows(memory: { pow($0, 1.5) * 10 }))
        #expect(line.time.verdict == .kept && line.memory.verdict == .missed)
    }

    @Test func whatMayBeEitherIsNotDecided() throws {
        let line = try line(GrowthFixture.rows(time: { $0 == 100_000 ? 50 * $0 : 100 * $0 }))
        #expect(line.time.verdict == .notDecided)
        #expect(
            GrowthFixture.growth(GrowthFixture.rows(time: { $0 == 100_000 ? 50 * $0 : 100 * $0 }))?.outcome == .passed)
    }

    @Test func twoSizesAreTooFew() throws {
        let rows = GrowthFixture.rows(sizes: [10_000, 100_000])
        let line = try line(rows)
        #expect(line.time.fit == nil && line.time.verdict == .insufficientData)
        #expect(line.time.steps.map(\.to) == [100_000])
        #expect(GrowthFixture.growth(rows)?.outcome == .insufficientData)
    }

    @Test func withoutALimitThereIsNoVerdict() throws {
        let line = try line(GrowthFixture.rows(time: { $0 * $0 / 100 }), maxExponent: nil)
        let fit = try #require(line.time.fit)
        #expect(line.time.verdict == nil && abs(fit.exponent - 2) < 1e-4)
    }

    @Test func workThatDoesNotGrowIsNotJudged() throws {
        let rows = GrowthFixture.rows("merge", time: { $0 * $0 / 100 }, change: { $0.records = 3_500 })
        let growth = try #require(GrowthFixture.growth(rows))
        #expect(growth.phases[0].isProportional == false)
        #expect(growth.phases[0].lines[0].time.verdict == .notJudged && growth.outcome == .passed)
        #expect(growth.phases[0].lines[0].time.fit == nil)
    }

    @Test func memoryThatWasNotMeasuredIsMissingAndNotZero() throws {
        let line = try line(GrowthFixture.rows(memory: { _ in nil }))
        #expect(line.memory.points.isEmpty && line.memory.verdict == .insufficientData)
        #expect(GrowthFixture.growth(GrowthFixture.rows(memory: { _ in nil }))?.outcome == .passed)
    }

    @Test func memoryTooLittleToTellOfTheWorkDoesNotCount() throws {
        // 4 KiB and then 200 bytes a record would make an exponent far above 1.
        let sizes = [100, 1_000, 10_000, 100_000, 1_000_000]
        let line = try line(GrowthFixture.rows(sizes: sizes, memory: { $0 < 10_000 ? 4_096 : 200 * $0 }))
        #expect(line.memory.leftOut == [100, 1_000])
        let fit = try #require(line.memory.fit)
        #expect(line.memory.verdict == .kept && abs(fit.exponent - 1) < 1e-6)
        #expect(line.time.leftOut.isEmpty)
    }

    @Test func onlyVerifiedRowsCount() throws {
        var rows = GrowthFixture.rows()
        for index in rows.indices where rows[index].phase == "fetch@1000000" { rows[index].verified = false }
        #expect(try line(rows).time.points.map(\.records) == [10_000, 100_000])
    }

    @Test func theSteepestStepTellsWhereACurveBends() throws {
        let line = try line(GrowthFixture.rows(time: { $0 == 1_000_000 ? 200 * $0 : 100 * $0 }))
        let steepest = try #require(line.time.steepest)
        #expect(steepest.from == 100_000 && steepest.to == 1_000_000 && abs(steepest.exponent - 1.301) < 0.001)
    }

    @Test func aRunAtOneSizeHasNoGrowth() {
        #expect(ResultSummary(rows: [ReportFixture.row("mine")]).growth == nil)
    }

    @Test func jsonHasEachPointAndTheExponents() throws {
        let rows = GrowthFixture.rows(memory: { $0 > 10_000 ? 200 * $0 : 1 })
        let text = try ResultSummary(rows: rows, growth: GrowthSpec(maxExponent: 1.05)).json()
        let object = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let growth = try #require(object["growth"] as? [String: Any])
        #expect(growth["max_exponent"] as? Double == 1.05 && growth["sizes"] as? [Int] == [10_000, 100_000, 1_000_000])
        let phase = try #require((growth["phases"] as? [[String: Any]])?.first)
        #expect(phase["phase"] as? String == "fetch" && phase["grows_with_records"] as? Bool == true)
        let driver = try #require((phase["drivers"] as? [[String: Any]])?.first)
        let time = try #require(driver["time_ns"] as? [String: Any])
        #expect(time["verdict"] as? String == "kept" && (time["steps"] as? [Any])?.count == 2)
        let memory = try #require(driver["memory_bytes"] as? [String: Any])
        #expect(memory["exponent"] == nil && memory["verdict"] as? String == "insufficient data")
        let points = try #require(memory["points"] as? [[String: Any]])
        #expect(points.map { $0["counts"] as? Bool } == [false, true, true])
    }
}

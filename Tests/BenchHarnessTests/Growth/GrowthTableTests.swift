import Foundation
import Testing

@testable import BenchHarness

@Suite struct GrowthTableTests {
    private func text(_ rows: [ResultRow], maxExponent: Double? = 1.05) -> String {
        SummaryTable(ResultSummary(rows: rows, growth: maxExponent.map { GrowthSpec(maxExponent: $0) }))
            .text(isColoured: false)
    }

    /// The last line that has `words` in it, in order.
    private func line(_ text: String, _ words: String...) -> String? {
        text.split(separator: "\n").map(String.init).last { line in words.allSatisfy { line.contains($0) } }
    }

    @Test func aRecordsCostStandsUnderEachSize() throws {
        let text = text(GrowthFixture.rows())
        let head = try #require(line(text, "growth", "10,000", "1,000,000"))
        #expect(head.hasSuffix("at most 1.05"))
        #expect(try #require(line(text, "mine", "time")).matches(of: /100 ns/).count == 3)
        #expect(try #require(line(text, "memory", "201 B")).hasSuffix("kept"))
        #expect(line(text, "mine", "time", "1.000") != nil)
    }

    @Test func whatCannotBeFittedSaysSo() throws {
        let text = text(GrowthFixture.rows(sizes: [10_000, 100_000], memory: { _ in 5_000 }))
        #expect(line(text, "time", "insufficient data") != nil)
        #expect(
            try #require(line(text, "memory")).hasSuffix("less than 1 MiB at 100,000, which is too little to judge"))
    }

    @Test func workThatDoesNotGrowSaysSo() throws {
        let text = text(GrowthFixture.rows("merge", change: { $0.records = 3_500 }))
        #expect(try #require(line(text, "time")).hasSuffix("the work does not grow with the records"))
    }

    @Test func sizesOfAPhaseStandBelowEachOtherInTheTableOfPhases() {
        let rows =
            GrowthFixture.rows("b", sizes: [100_000]) + GrowthFixture.rows("a", sizes: [100_000])
            + GrowthFixture.rows("b", sizes: [10_000]) + GrowthFixture.rows("a", sizes: [10_000])
        let phases = ResultSummary(rows: rows).phases.map(\.key.phase)
        #expect(phases == ["b@10000", "b@100000", "a@10000", "a@100000"])
    }

    @Test func markdownRepeatsNames() {
        let summary = ResultSummary(rows: GrowthFixture.rows(), growth: nil)
        #expect(SummaryTable(summary).markdown.contains("| fetch | mine | memory | 201 B | 201 B | 201 B | 1.000 |"))
    }
}

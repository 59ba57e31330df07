import Foundation
import Testing

@testable import BenchHarness

/// Slowdowns that are accepted, from the launches to the report.
@Suite struct AcceptedJudgementTests {
    private let fetch = ComparisonKey(scenario: "fake", driver: "fake", phase: "fetch", mode: "async")

    /// A comparison of launches of which one phase is slower, where this text is accepted.
    private func comparison(ratio: Double, _ texts: String...) throws -> Comparison {
        var options = ComparisonOptions()
        (options.pairing, options.relation) = (.paired, .absolute)
        for text in texts { try options.accepted.add(text) }
        let fixture = PairedOutcome.fixture(coreCount: 1)
        var outcome = PairedOutcome(request: fixture.request, bouts: fixture.bouts, options: options, coreCount: 1)
        outcome.add(24, to: 0)
        outcome.add(24, to: 1, ratio: ratio)
        return try Comparison(outcome, options: options)
    }

    private func cpu(_ comparison: Comparison) throws -> Judgement {
        try #require(comparison.judgements.first { $0.key == fetch && $0.metric.name == "cpu" })
    }

    @Test func aSlowdownWithinTheBoundPassesAndIsShown() throws {
        let comparison = try comparison(ratio: 1.08, "fetch 20% because rows are <checked>")
        #expect(comparison.outcome == .passed)
        #expect(try cpu(comparison).verdict == .accepted)
        let text = ComparisonText(comparison)
        #expect(text.conclusion.hasPrefix("accepted: 1 figure got worse within its bound"))
        #expect(
            text.text(isColoured: false).contains("accepted: --accept accepts 20 %: rows are <checked> (fetch of fake"))
        #expect(text.markdown.contains("rows are &lt;checked&gt;") && !text.markdown.contains("<checked"))
        #expect(text.markdown.contains("| accepted |") && text.tally.hasPrefix("1 accepted") == false)
        #expect(try comparison.json().contains("\"accepted\"") && !comparison.junit.contains("<failure"))
    }

    @Test(arguments: [
        ("fetch 4% because rows are checked", Verdict.regressed), ("seed 20% because rows are checked", .regressed),
        ("fetch of other 20% because rows are checked", .regressed), ("fetch 20% because so", .accepted),
    ])
    func anyOtherSlowdownFails(text: String, verdict: Verdict) throws {
        let comparison = try comparison(ratio: 1.08, text)
        #expect(try cpu(comparison).verdict == verdict)
        #expect(comparison.outcome == (verdict == .regressed ? .regressed : .passed))
        if text.hasPrefix("fetch 4%") { #expect(try cpu(comparison).reason.contains("accepts 4 %: rows are checked")) }
    }

    @Test func whatIsAcceptedAndUnchangedIsUnchanged() throws {
        let comparison = try comparison(ratio: 1, "fetch 20% because rows are checked")
        #expect(try cpu(comparison).verdict == .unchanged && comparison.outcome == .passed)
        #expect(comparison.notes.contains("--accept accepts 20 % of fetch, but no such slowdown was found"))
    }

    /// A bound below the threshold makes no figure regress that would not otherwise.
    @Test func aBoundBelowTheThresholdChangesNothing() throws {
        #expect(try cpu(comparison(ratio: 1.005, "fetch 0.1% because so")).verdict == .unchanged)
        #expect(try cpu(comparison(ratio: 0.9, "fetch 20% because so")).verdict == .improved)
    }

    @Test(arguments: [(105, Verdict.accepted), (120, .regressed), (100, .unchanged)])
    func countersAreAcceptedWithinTheBoundToo(steps: Int, verdict: Verdict) throws {
        var options = ComparisonOptions()
        try options.accepted.add("fetch 10% because rows are checked")
        let runs = [100, steps].map { steps in
            ComparisonFixture.phase([1]) { $0.counters.statements = steps }
        }
        let comparison = try Comparison(base: [runs[0]], new: [runs[1]], options: options)
        #expect(comparison.judgement("statements")?.verdict == verdict)
    }
}

// MARK: - Runs that lie apart

extension AcceptedJudgementTests {
    /// A comparison of runs of which the second is slower by 10 %, where this text is accepted.
    private func comparisonOfRuns(_ text: String, change: (inout ResultRow) -> Void = { _ in }) throws -> Comparison {
        var options = ComparisonOptions()
        try options.accepted.add(text)
        return try Comparison(
            base: [ComparisonFixture.phase(ComparisonFixture.steady(12))],
            new: [ComparisonFixture.phase(ComparisonFixture.steady(12, at: 110, seed: 2), change: change)],
            options: options)
    }

    @Test(arguments: [
        ("fetch 20% because so", Verdict.accepted), ("fetch 10% because so", .inconclusive),
        ("fetch 5% because so", .regressed),
    ])
    func slowerRunsAreAcceptedWithinTheBoundToo(text: String, verdict: Verdict) throws {
        let comparison = try comparisonOfRuns(text)
        #expect(comparison.judgement("duration")?.verdict == verdict)
        #expect((comparison.outcome == .regressed) == (verdict == .regressed))
        let isBeyond = comparison.judgement("duration")?.reason == "by more than is accepted: --accept accepts 5 %: so"
        #expect(isBeyond == text.hasPrefix("fetch 5%"))
    }

    @Test func everyFormatSaysThatRunsAreAcceptedAndWhy() throws {
        let comparison = try comparisonOfRuns("fetch 20% because rows are <checked>")
        let reason = "--accept accepts 20 %: rows are"
        let markdown = ComparisonText(comparison).markdown
        #expect(markdown.hasPrefix("**accepted: 1 figure got worse within its bound"))
        #expect(markdown.contains("| accepted |") && markdown.contains("\(reason) &lt;checked&gt;"))
        #expect(try comparison.json().contains("\"reason\" : \"\(reason) <checked>\""))
        let junit = comparison.junit
        #expect(junit.contains("<system-out>accepted: ") && junit.contains("\(reason) &lt;checked&gt;</system-out>"))
        #expect(junit.contains(" failures=\"0\" errors=\"0\" skipped=\"0\""))
    }

    @Test func moreMemoryIsNoSlowdown() throws {
        let comparison = try comparisonOfRuns("fetch 20% because so") { $0.residentPeakBytes? *= 2 }
        #expect(comparison.judgement("duration")?.verdict == .accepted)
        #expect(comparison.judgement("rss_peak")?.verdict == .regressed && comparison.outcome == .regressed)
        #expect(comparison.judgement("rss_peak")?.reason.isEmpty == true)
    }

    /// The time alone is beyond the bound, but the machine became slower: the ratio to the baseline driver is within.
    @Test func aSlowerMachineDoesNotExceedTheBound() throws {
        var options = ComparisonOptions()
        try options.accepted.add("fetch 20% because so")
        let sides = [(100.0, 100.0, UInt64(1)), (140, 130, 3)].map { managed, baseline, seed in
            var fixture = ComparisonFixture()
            fixture.add("fetch", durationsMilliseconds: ComparisonFixture.steady(12, at: managed, seed: seed))
            fixture.add(
                "fetch", driver: "sqlite",
                durationsMilliseconds: ComparisonFixture.steady(12, at: baseline, seed: seed + 1))
            return fixture.run
        }
        let judgement = try Comparison(base: [sides[0]], new: [sides[1]], options: options).judgement("duration")
        #expect(judgement?.verdict == .inconclusive && judgement?.reason.contains("the baseline driver") == true)
    }
}

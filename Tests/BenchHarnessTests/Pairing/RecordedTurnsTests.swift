import Foundation
import TestSupport
import Testing

@testable import BenchHarness
@testable import BenchReport

/// The files of `bench ab` say what `bench ab` said.
@Suite struct RecordedTurnsTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func read(_ name: String) throws -> RecordedRun { try RecordedRun(contentsOf: folder.file(name)) }

    private func figures(_ comparison: Comparison) -> [String] {
        let names = ["cpu", "duration", "statements"]
        return comparison.judgements.filter { names.contains($0.metric.name) }.map { judgement in
            let interval = judgement.interval.map { "\($0)" } ?? ""
            return "\(judgement.key.phase) \(judgement.metric.name) \(judgement.verdict) \(interval) "
                + "\(judgement.ratio ?? 0) \(judgement.adjustedP ?? 0) \(judgement.limit)"
        }
    }

    @Test(arguments: [0, 0.05])
    func filesOfTurnsAreJudgedAsTheRunWas(change: Double) throws {
        let outcome = PairedFixture.outcome(change: change)
        try outcome.write(to: folder.url)
        var options = ComparisonOptions()
        (options.pairing, options.relation, options.alpha) = (.paired, .absolute, ComparisonOptions.alphaOfTurns)
        let direct = try Comparison(outcome, options: options)
        let read = try Comparison(base: [read("base.csv")], new: [read("new.csv")])
        #expect(figures(read) == figures(direct))
        #expect(read.outcome == (change > 0 ? .regressed : .passed))
        #expect(read.notes.contains { $0.hasPrefix("the sides took turns in one run of bench ab") })
        let text = ComparisonText(read).text(isColoured: false)
        #expect(text.contains("base.csv, 24 launches") || text.contains(", 24 launches\n"))
        #expect(text.contains("alpha 0.0020 for all 4 figures"))
        #expect(read.sensitivity == nil)
        #expect(try read.json().contains("\"tests\" : 4"))
        #expect(read.junit.contains("<testsuites name=\"bench ab\""))
    }

    @Test(arguments: [("20%", Verdict.accepted), ("3%", .regressed)])
    func whatIsAcceptedIsSoOfTheFilesToo(bound: String, verdict: Verdict) throws {
        var options = ComparisonOptions()
        try options.accepted.add("fetch \(bound) because rows are checked")
        let outcome = PairedFixture.outcome(change: 0.05, options: options)
        try outcome.write(to: folder.url)
        let read = try Comparison(base: [read("base.csv")], new: [read("new.csv")], options: options)
        (options.pairing, options.relation) = (.paired, .absolute)
        let direct = try Comparison(outcome, options: options)
        #expect(figures(read) == figures(direct) && read.outcome == direct.outcome)
        #expect(read.judgement("cpu")?.verdict == verdict)
        #expect(read.judgement("cpu")?.reason == direct.judgement("cpu")?.reason)
    }

    @Test func theThresholdsOfTheRunHoldForItsFiles() throws {
        var options = ComparisonOptions()
        options.thresholds = ["cpu": 0.2]
        try PairedFixture.outcome(change: 0.05, options: options).write(to: folder.url)
        let read = try Comparison(base: [read("base.csv")], new: [self.read("new.csv")])
        #expect(read.judgement("cpu")?.threshold == 0.2 && read.outcome == .passed)
        options.thresholds = ["cpu": 0.01]
        let other = try Comparison(base: [self.read("base.csv")], new: [self.read("new.csv")], options: options)
        #expect(other.judgement("cpu")?.threshold == 0.01 && other.outcome == .regressed)
    }

    @Test func aReportHasTheRatioOfTheRunAndItsLaunches() throws {
        let outcome = PairedFixture.outcome(change: 0.05)
        try outcome.write(to: folder.url)
        let runs = [try read("base.csv"), try read("new.csv")]
        let comparison = try Comparison(base: [runs[0]], new: [runs[1]])
        let html = Report(runs: runs, comparison: .success(comparison)).html
        #expect(html.contains("24 launches") && !html.contains("24 repetitions"))
        #expect(html.contains("trimmed means, over launches, of the centres of the ratios of their pairs"))
        #expect(!html.contains("Marks are centres of the ratios of the new"))
        let ratio = try #require(comparison.judgement("cpu")?.ratio)
        #expect(html.contains("data-ratio=\"\(ReportText.raw(ratio))\""))
        #expect(html.contains("<dt>Launches</dt>"))
    }

    /// Their rows have no CPU time, which no launch on all cores is judged by.
    @Test func timesOnAllCoresAreReadWithTheTurnsOfAllPhases() throws {
        var outcome = PairedOutcome.fixture()
        outcome.add(24, to: 0)
        outcome.add(24, to: 1)
        outcome.add(24, to: 2, ratio: 1.2, core: nil)
        try outcome.write(to: folder.url)
        var options = ComparisonOptions()
        (options.pairing, options.relation, options.alpha) = (.paired, .absolute, ComparisonOptions.alphaOfTurns)
        let direct = try Comparison(outcome, options: options)
        let read = try Comparison(base: [read("base.csv")], new: [read("new.csv")])
        #expect(!read.notes.contains { $0.contains("there is no turns.csv") }, "\(read.notes)")
        let verdicts = { (comparison: Comparison) in
            comparison.judgements.filter { ["cpu", "duration"].contains($0.metric.name) }
                .map { "\($0.key.phase) \($0.metric.name) \($0.verdict) \($0.ratio ?? 0)" }
        }
        #expect(verdicts(read) == verdicts(direct))
        #expect(direct.outcome == .regressed && read.outcome == .regressed)
    }

    @Test func whatNoLaunchWasLeftForIsOpenInTheFilesToo() throws {
        var outcome = PairedOutcome.fixture()
        outcome.add(24, to: 0)
        outcome.add(24, to: 1)
        try outcome.write(to: folder.url)
        let read = try Comparison(base: [read("base.csv")], new: [read("new.csv")])
        #expect(read.outcome == .inconclusive)
        let judgement = try #require(read.judgements.first { $0.key.phase == "fetch@all-cores" })
        #expect(judgement.verdict == .inconclusive)
    }

    /// By a wider threshold, what had regressed on one core has not.
    @Test func whatWasNotNeededIsOpenByAnotherThreshold() throws {
        var outcome = PairedOutcome.fixture()
        outcome.add(24, to: 0)
        outcome.add(24, to: 1, ratio: 1.05)
        try outcome.write(to: folder.url)
        #expect(outcome.figures.needless.count == 1 && outcome.figures.unlaunched.isEmpty)
        var options = ComparisonOptions()
        #expect(try Comparison(base: [read("base.csv")], new: [read("new.csv")]).outcome == .regressed)
        options.thresholds = ["cpu": 0.2]
        let read = try Comparison(base: [read("base.csv")], new: [read("new.csv")], options: options)
        #expect(read.outcome == .inconclusive)
    }

    @Test func metricsOfRehearsalsAreJudgedAsStrictlyAsByTheRun() throws {
        try PairedFixture.outcome().write(to: folder.url)
        let read = try Comparison(base: [read("base.csv")], new: [read("new.csv")])
        #expect(read.options.alpha == ComparisonOptions.alphaOfTurns)
    }

    /// CPU time stays, so that only the duration shows it.
    @Test func aWaitOfTheNewSideIsJudged() throws {
        try PairedFixture.outcome(wait: 0.2).write(to: folder.url)
        let comparison = try Comparison(base: [read("base.csv")], new: [read("new.csv")])
        #expect(comparison.judgement("cpu")?.verdict == .unchanged)
        #expect(comparison.judgement("duration")?.verdict == .regressed)
    }

    @Test func withoutTurnsTheMediansOfLaunchesPairUp() throws {
        try PairedFixture.outcome(change: 0.05).write(to: folder.url)
        try FileManager.default.removeItem(at: folder.file("turns.csv"))
        let comparison = try Comparison(base: [read("base.csv")], new: [read("new.csv")])
        #expect(comparison.judgement("cpu")?.verdict == .regressed)
        #expect(comparison.notes.contains { $0.contains("no turns.csv of this run") })
    }

    @Test func turnsOfAnotherRunAreLeftAlone() throws {
        try PairedFixture.outcome(seed: 2).write(to: folder.url)
        let other = try Data(contentsOf: folder.file("turns.csv"))
        try PairedFixture.outcome(change: 0.05).write(to: folder.url)
        try other.write(to: folder.file("turns.csv"))
        let comparison = try Comparison(base: [read("base.csv")], new: [read("new.csv")])
        #expect(comparison.judgement("cpu")?.verdict == .regressed)
        #expect(comparison.notes.contains { $0.contains("no turns.csv of this run") })
    }

    @Test(arguments: ["fetch", "seed"])
    func whatASidesFileLacksIsInsufficientDataThoughItTookTurns(phase: String) throws {
        try PairedFixture.outcome().write(to: folder.url)
        for name in ["base.csv", "new.csv"] {
            let whole = try String(contentsOf: folder.file(name), encoding: .utf8)
            let lines = whole.split(separator: "\n").filter { !$0.contains(",\(phase),") }
            try folder.write(lines.joined(separator: "\n") + "\n", to: name)
            let comparison = try Comparison(base: [read("base.csv")], new: [read("new.csv")])
            #expect(comparison.judgement("cpu", phase: phase)?.verdict == .insufficientData)
            #expect(
                comparison.judgement("cpu", phase: phase)?.reason == "no launch has a right result on both sides")
            #expect(comparison.outcome == .insufficientData)
            #expect(!comparison.notes.contains { $0.contains("there is no turns.csv") })
            try folder.write(whole, to: name)
        }
    }

    @Test func wrongResultsOfTheBaseInEachLaunchAreInsufficientData() throws {
        try PairedFixture.outcome().write(to: folder.url)
        let base = try read("base.csv")
        let rows = base.rows.map { row in
            var row = row
            if row.phase == "fetch" { (row.status, row.verified) = (.failed, false) }
            return row
        }
        let wrong = RecordedRun(url: base.url, rows: rows, manifest: base.manifest)
        let comparison = try Comparison(base: [wrong], new: [read("new.csv")])
        #expect(comparison.judgement("cpu")?.verdict == .insufficientData)
        #expect(comparison.outcome == .insufficientData)
    }

    @Test func sidesOfDifferentRunsAreRunsOfTheirOwn() throws {
        let elsewhere = try TemporaryDirectory()
        try PairedFixture.outcome().write(to: folder.url)
        try PairedFixture.outcome(seed: 2, id: "another").write(to: elsewhere.url)
        let new = try RecordedRun(contentsOf: elsewhere.file("new.csv"))
        let comparison = try Comparison(base: [read("base.csv")], new: [new])
        #expect(comparison.paired == nil)
    }

    @Test func aCSVOfTurnsIsKnownByItsHeader() throws {
        try PairedFixture.outcome(launches: 5).write(to: folder.url)
        #expect(RecordedRun.isOfTurns(folder.file("turns.csv")))
        #expect(!RecordedRun.isOfTurns(folder.file("base.csv")))
        #expect(!RecordedRun.isOfTurns(folder.file("nothing.csv")))
    }

    @Test func aDamagedLineIsNamed() throws {
        try PairedFixture.outcome(launches: 5).write(to: folder.url)
        let text = try String(contentsOf: folder.file("turns.csv"), encoding: .utf8)
        try folder.write(text.replacing(",base,", with: ",bass,"), to: "turns.csv")
        let error = #expect(throws: RunError.self) { try TurnsFile(contentsOf: folder.file("turns.csv")) }
        #expect(error?.description.contains("turns.csv:2: no turn") == true)
    }
}

import Foundation
import TestSupport
import Testing

@testable import BenchHarness

@Suite struct PairedOutcomeTests {
    private let onAllCores = ComparisonKey(scenario: "fake", driver: "fake", phase: "fetch@all-cores", mode: "async")
    private let onOneCore = ComparisonKey(scenario: "fake", driver: "fake", phase: "fetch", mode: "async")
    private let noisy = Surroundings(pressure: 0.01, othersCores: 0.7)

    /// An outcome whose bouts on one core are decided.
    private func decided() -> PairedOutcome {
        var outcome = PairedOutcome.fixture()
        outcome.add(24, to: 0)
        outcome.add(24, to: 1)
        return outcome
    }

    @Test func launchesOnAllCoresComeWhenAllOthersAreDecided() {
        var outcome = PairedOutcome.fixture()
        #expect(outcome.bouts.map(\.pinning) == [.core, .core, .all] && outcome.openBouts == [0, 1])
        outcome.add(24, to: 0)
        #expect(outcome.openBouts == [1] && outcome.decidedCount == 1 && outcome.phaseCount == 3)
        outcome.add(24, to: 1)
        #expect(outcome.openBouts == [2])
        outcome.add(24, to: 2, core: nil)
        #expect(outcome.openBouts.isEmpty && outcome.decidedCount == 3)
    }

    @Test func aPhaseThatRegressedOnOneCoreIsNotLaunchedOnAllCores() throws {
        var outcome = PairedOutcome.fixture()
        outcome.add(24, to: 0)
        outcome.add(24, to: 1, ratio: 1.2)
        #expect(outcome.figures.series(onOneCore, "cpu")?.verdict == .regressed)
        #expect(outcome.openBouts.isEmpty && outcome.decidedCount == outcome.phaseCount)
        #expect(
            outcome.notes == ["not compared on several cores, having regressed on one: fetch@all-cores of fake"])
        #expect(try Comparison(outcome, options: pairedOptions).outcome == .regressed)
    }

    @Test func aPhaseThatImprovedOnOneCoreIsLaunchedOnAllCores() {
        var outcome = PairedOutcome.fixture()
        outcome.add(24, to: 0)
        outcome.add(24, to: 1, ratio: 0.8)
        #expect(outcome.figures.series(onOneCore, "cpu")?.verdict == .improved)
        #expect(outcome.openBouts == [2])
    }

    @Test(arguments: [(1.04, Verdict.unchanged), (1.08, .regressed), (0.9, .improved)])
    func timeOnAllCoresIsJudgedOnAQuietMachine(ratio: Double, verdict: Verdict) throws {
        var outcome = decided()
        outcome.add(24, to: 2, ratio: ratio, core: nil)
        let series = try #require(outcome.figures.series(onAllCores, "duration"))
        #expect(series.isJudged && series.verdict == verdict && series.threshold == 0.05)
        #expect(outcome.figures.series(onAllCores, "cpu") == nil)
        let judgements = try Comparison(outcome, options: pairedOptions).judgements
        let own = judgements.filter { $0.key == onAllCores }
        #expect(own.map(\.metric.name) == ["duration"] && own[0].verdict == verdict && own[0].threshold == 0.05)
        #expect(judgements.filter { $0.key == onOneCore }.count > 2)
    }

    @Test func whatStaysOpenSaysWhatWouldDecideIt() throws {
        var whole = decided()
        whole.add(24, to: 2, core: nil)
        #expect(whole.remainder == nil)
        #expect(decided().remainder == .init(phases: ["fetch"], areAll: false, launches: 12, seconds: 12))
        var early = PairedOutcome.fixture(coreCount: 1)
        early.add(24, to: 0)
        early.add(2, to: 1)
        #expect(early.remainder == .init(phases: ["fetch"], areAll: false, launches: 12, seconds: 12))
        var outcome = PairedOutcome.fixture()
        outcome.add(24, to: 0)
        for ratio in [1.004, 1.034, 1.01, 1.03, 1.02, 1.025] { outcome.add(1, to: 1, ratio: ratio) }
        let remainder = try #require(outcome.remainder)
        #expect(remainder.phases == ["fetch"] && !remainder.areAll && remainder.launches > 6)
        #expect(remainder.seconds == Double(remainder.launches + 12))
    }

    private var pairedOptions: ComparisonOptions {
        var options = ComparisonOptions()
        (options.pairing, options.relation) = (.paired, .absolute)
        return options
    }

    @Test func aNarrowThresholdOfDurationsIsNotForAllCores() throws {
        var outcome = decided()
        var options = ComparisonOptions()
        options.thresholds = ["duration": 0.01]
        outcome = PairedOutcome(request: outcome.request, bouts: outcome.bouts, options: options)
        outcome.add(1, to: 1)
        outcome.add(1, to: 2)
        #expect(outcome.figures.series(onOneCore, "duration")?.threshold == 0.01)
        #expect(outcome.figures.series(onAllCores, "duration")?.threshold == 0.05)
    }

    @Test func launchesOnAllCoresDoNotCountIfOthersWorkMeanwhile() throws {
        var outcome = decided()
        outcome.add(3, to: 2, ratio: 3, core: nil, surroundings: noisy)
        outcome.add(21, to: 2, core: nil)
        let series = try #require(outcome.figures.series(onAllCores, "duration"))
        #expect(series.isJudged && series.verdict == .unchanged && series.logRatios.count == 21)
    }

    @Test func timeOnAllCoresIsShownAndNotJudgedOnABusyMachine() throws {
        var outcome = decided()
        outcome.add(4, to: 2, ratio: 3, core: nil, surroundings: noisy)
        #expect(outcome.openBouts == [2])
        outcome.add(1, to: 2, ratio: 3, core: nil, surroundings: noisy)
        #expect(outcome.openBouts.isEmpty)
        let comparison = try Comparison(outcome, options: pairedOptions)
        #expect(comparison.outcome == .passed)
        let text = ComparisonText(comparison).text(isColoured: false)
        #expect(text.contains("fetch@all-cores") && text.contains("not judged"))
        #expect(
            comparison.notes.contains(
                "not judged: other processes used up to 70 % of a core (fetch@all-cores of fake: duration)"),
            "\(comparison.notes)")
        #expect(!comparison.junit.contains("all-cores"))
    }

    @Test func aMachineThatIsBusyLaterDoesNotTakeBackTheVerdictOnADuration() throws {
        var outcome = decided()
        outcome.add(6, to: 2, ratio: 1.2, core: nil)
        outcome.add(12, to: 2, ratio: 1, core: nil, surroundings: noisy)
        let series = try #require(outcome.figures.series(onAllCores, "duration"))
        #expect(series.isJudged && series.verdict == .regressed && series.logRatios.count == 5)
        #expect(try Comparison(outcome, options: pairedOptions).outcome == .regressed)
    }

    @Test func aDriverThatIsWrongInATurnFails() throws {
        var outcome = PairedOutcome.fixture(coreCount: 1)
        #expect(outcome.openBouts == [0, 1])
        outcome.add(1, to: 0, oddities: .init(wrong: .new))
        #expect(outcome.openBouts == [1])
        let comparison = try Comparison(outcome, options: pairedOptions)
        #expect(comparison.outcome == .failed)
        #expect(comparison.new.failures.map(\.error) == ["in a turn: an update was lost"])
    }

    @Test func aBaseThatIsWrongInItsTurnsIsNoEvidence() throws {
        var outcome = PairedOutcome.fixture(coreCount: 1)
        outcome.add(1, to: 0, oddities: .init(wrong: .base))
        outcome.add(24, to: 1)
        #expect(outcome.openBouts.isEmpty)
        let comparison = try Comparison(outcome, options: pairedOptions)
        #expect(comparison.outcome == .insufficientData)
        #expect(comparison.judgements.contains { $0.key.phase == "seed" && $0.verdict == .insufficientData })
        let judgement = comparison.judgement("cpu", driver: "fake", phase: "seed")
        #expect(judgement?.verdict == .insufficientData)
        #expect(judgement?.reason == "no launch has a right result on both sides")
    }

    @Test func thePhaseThatKeepsASideFromTakingTurnsIsNamed() throws {
        var scenario = FakeDriver.scenario
        scenario.isolation = .process
        let contest = PairedRequest.Contest(base: "fake", new: "fake")
        let bout = Bout(contest: contest, phases: 1..<3, scenario: scenario)
        var outcome = PairedOutcome(request: PairedOutcome.fixture().request, bouts: [bout], options: pairedOptions)
        outcome.add(1, to: 0, oddities: .init(unsupported: "checkpoint"))
        let judgement = try Comparison(outcome, options: pairedOptions).judgement("cpu", driver: "fake")
        #expect(judgement?.verdict == .insufficientData)
        #expect(judgement?.reason.hasPrefix("fake cannot do checkpoint, and turns go through all phases") == true)
    }

    @Test func workThatTrailsAfterTheClockIsNoted() {
        var outcome = decided()
        #expect(outcome.notes.isEmpty)
        outcome.add(40, to: 0, oddities: .init(release: 300_000))
        #expect(outcome.notes.count == 1)
        #expect(
            outcome.notes[0].hasPrefix("seed of fake works on for 300.0 µs after the clock has stopped (base: 0 ns)"))
    }

    @Test func fewLaunchesOnAllCoresLeaveTheComparisonOpen() throws {
        var outcome = decided()
        outcome.add(2, to: 2, core: nil)
        let comparison = try Comparison(outcome, options: pairedOptions)
        #expect(comparison.outcome == .inconclusive)
        let judgement = try #require(comparison.judgements.first { $0.key.phase == "fetch@all-cores" })
        #expect(judgement.verdict == .inconclusive)
        #expect(judgement.reason.hasPrefix("fewer than 5 launches on a quiet machine"), "\(judgement.reason)")
    }

    @Test func phasesWithoutALaunchOnAllCoresLeaveTheComparisonOpen() throws {
        let comparison = try Comparison(decided(), options: pairedOptions)
        #expect(comparison.outcome == .inconclusive)
        let judgement = try #require(comparison.judgements.first { $0.key.phase == "fetch@all-cores" })
        #expect(judgement.verdict == .inconclusive && judgement.metric.name == "duration")
        #expect(judgement.reason == "no launch was left for several cores; a larger --budget allows them")
        #expect(decided().decisions.contains { $0.phase == "fetch@all-cores" && $0.isJudged && $0.verdict == nil })
    }

    @Test func whatARehearsalRecordsIsJudgedByEnoughLaunches() throws {
        var options = pairedOptions
        options.moreMetrics = ["allocations"]
        var outcome = PairedOutcome.fixture(options: options)
        outcome.add(9, to: 0)
        outcome.add(24, to: 1)
        #expect(outcome.figures.isDecided(outcome.bouts[0].key(0)))
        #expect(outcome.openBouts == [0])
        outcome.add(15, to: 0)
        #expect(outcome.openBouts == [2])
    }

    @Test func oneAllowedCoreIsNoted() {
        var outcome = PairedOutcome.fixture(coreCount: 1)
        #expect(outcome.bouts.count == 2)
        outcome.add(24, to: 0)
        outcome.add(24, to: 1)
        #expect(outcome.notes == ["one core is allowed: the times on several cores were not compared (fetch)"])
        #expect(outcome.openBouts.isEmpty)
    }

    @Test func aSystemThatKeepsNoProcessOnACoreIsNoted() {
        var outcome = decided()
        outcome.add(24, to: 2, core: nil)
        #expect(outcome.notes.isEmpty)
        outcome.add(1, to: 0, core: nil)
        #expect(outcome.notes.count == 1 && outcome.notes[0].contains("does not let a process be kept on one core"))
        #expect(outcome.figures.isDecided(outcome.bouts[0].key(0)))
    }

    @Test func timeOfAPhaseThatWaitsIsJudgedIfTheMachineIsQuiet() throws {
        var outcome = PairedOutcome.fixture()
        outcome.add(24, to: 1, work: 0.3)
        let series = try #require(outcome.figures.series(onOneCore, "duration"))
        #expect(series.isJudged && series.verdict == .unchanged)
    }

    @Test(arguments: [
        (Surroundings(), "the system has no /proc/stat, which shows whether the machine is quiet"),
        (Surroundings(othersCores: 0.25), "other processes used up to 25 % of a core"),
        (
            Surroundings(othersCores: 0, throttled: 0.5),
            "a CPU quota stopped the processes in up to 50 % of the time"
        ),
    ])
    func timeOfAPhaseThatWaitsIsNotJudgedOtherwise(surroundings: Surroundings, reason: String) throws {
        var outcome = PairedOutcome.fixture(coreCount: 1)
        outcome.add(5, to: 1, work: 0.3, surroundings: surroundings)
        outcome.add(5, to: 1, work: 0.3)
        let series = try #require(outcome.figures.series(onOneCore, "duration"))
        #expect(!series.isJudged && series.isDecided)
        #expect(outcome.notes.contains("not judged: \(reason) (fetch of fake: duration)"), "\(outcome.notes)")
        #expect(outcome.figures.series(onOneCore, "cpu")?.isJudged == true)
    }

    @Test func timeOfAPhaseThatWaitsIsJudgedByTheLaunchesOnAQuietMachine() throws {
        var outcome = PairedOutcome.fixture(coreCount: 1)
        outcome.add(12, to: 1, work: 0.3)
        outcome.add(1, to: 1, ratio: 9, work: 0.3, surroundings: noisy)
        let series = try #require(outcome.figures.series(onOneCore, "duration"))
        #expect(series.isJudged && series.verdict == .unchanged && series.logRatios.count == 12)
        #expect(outcome.figures.series(onOneCore, "cpu")?.logRatios.count == 13)
    }

    @Test func launchesOnAQuietMachineShowWhetherAPhaseWaits() {
        var outcome = PairedOutcome.fixture()
        outcome.add(3, to: 0, work: 0.3)
        outcome.add(3, to: 1, work: 0.3, surroundings: noisy)
        #expect(outcome.waits(0) && !outcome.waits(1))
        outcome.add(1, to: 1, work: 0.9)
        #expect(!outcome.waits(1))
    }

    /// Each of them takes twice its CPU time, since the other one has the core half of the time.
    @Test func turnsAtOnceAreNotTakenForWaiting() throws {
        let outcome = PairedFixture.outcome(launches: 6)
        #expect(!outcome.waits(0))
        let run = outcome.run(of: .base)
        for row in run.rows {
            #expect(try #require(row.durationNanoseconds) < 15_000_000)
            #expect(try #require(row.cpu) < 15_000_000)
        }
    }

    @Test func disturbancesOfOneKindAreNotedOnce() {
        var outcome = PairedOutcome.fixture(coreCount: 1)
        outcome.add(5, to: 0, work: 0.3, surroundings: Surroundings(othersCores: 0.2))
        outcome.add(5, to: 1, work: 0.3, surroundings: Surroundings(othersCores: 0.3))
        #expect(
            outcome.notes.last
                == "not judged: other processes used up to 30 % of a core "
                + "(fetch of fake: duration, seed of fake: duration)")
    }

    @Test func aClockThatTicksInMillisecondsIsNoted() throws {
        var outcome = PairedOutcome.fixture(coreCount: 1)
        outcome.add(1, to: 0)
        #expect(!outcome.notes.contains { $0.contains("ticks every") })
        outcome = PairedOutcome.fixture(coreCount: 1)
        outcome.add(1, to: 0, tick: 1_000_000)
        #expect(outcome.notes.contains { $0.contains("ticks every 10.0 ms") }, "\(outcome.notes)")
    }

    /// Both sides take 10 ms by such a clock, however much they differ.
    @Test func whatACoarseClockHidesIsNotUnchanged() throws {
        var outcome = PairedOutcome.fixture(coreCount: 1)
        outcome.add(24, to: 0, ratio: 1.05, tick: 5_000_000)
        outcome.add(24, to: 1)
        let series = try #require(outcome.figures.series(outcome.bouts[0].key(0), "cpu"))
        #expect(series.verdict == nil && series.coarseTick == 10_000_000)
        // Further launches would show no more.
        #expect(outcome.openBouts.isEmpty)
        let comparison = try Comparison(outcome, options: pairedOptions)
        let judgement = try #require(comparison.judgements.first { $0.metric.name == "cpu" && $0.key.phase == "seed" })
        #expect(judgement.verdict == .inconclusive)
        #expect(judgement.reason.contains("ticks every 10.0 ms, which hides a change of 1.5 %"), "\(judgement.reason)")
    }

    @Test func timeOfAPhaseThatWorksIsNotExpectedToBeJudged() {
        var outcome = PairedOutcome.fixture(coreCount: 1)
        outcome.add(5, to: 0, surroundings: Surroundings())
        #expect(outcome.figures.notJudged.isEmpty)
    }

    @Test func rowsAndTurnsSayWhichCoresWereUsed() throws {
        var outcome = decided()
        outcome.add(1, to: 2, core: nil)
        let rows = outcome.run(of: .new).rows
        let all = try #require(rows.first { $0.phase == "fetch@all-cores" })
        #expect(all.isEvidence && all.durationNanoseconds ?? 0 > 12_000_000 && all.cpu == nil)
        #expect(all.counters.statements == nil && all.throughput == nil)
        let one = try #require(rows.first { $0.phase == "fetch" })
        #expect(one.cpu ?? 0 > 10_000_000 && one.counters.statements == 7)
        #expect(one.throughput.map { (240...260).contains($0) } == true)
        let folder = try TemporaryDirectory()
        try outcome.write(to: folder.url)
        let lines = try String(contentsOf: folder.file("turns.csv"), encoding: .utf8).split(separator: "\n")
        #expect(lines.filter { $0.contains("fetch@all-cores") }.allSatisfy { $0.hasPrefix("1,all,fake,") })
        #expect(lines.contains { $0.hasPrefix("1,0,fake,fetch,") } && lines.count == 1 + 49 * 4)
    }
}

import Foundation
import TestSupport
import Testing

@testable import BenchHarness

/// The response times of a load are judged by turns that have all cores.
@Suite struct ResponseTimesTests {
    private let onAllCores = ComparisonKey(scenario: "fake", driver: "fake", phase: "run@all-cores", mode: "")

    /// A load that is decided on one core, and as many launches on all.
    private func outcome(
        slower: Double, launches: Int = 24, surroundings: Surroundings = .quiet, metrics: Set<String> = [],
        baseHasThem: Bool = true
    ) throws -> PairedOutcome {
        var scenario = FakeDriver.scenario
        scenario.isolation = .process
        let work = LoadWork(
            source: .mix(MixSpec(operations: [.read: 1])), workers: 4, pace: PaceSpec(operations: 1_000))
        scenario.phases = [Phase(name: "run", from: .seeded, work: .load(work))]
        let contest = PairedRequest.Contest(base: "fake", new: "fake")
        let program = PairedRequest.Program(title: "bench", command: [])
        var request = PairedRequest(scenario: scenario, contests: [contest], base: program, new: program)
        request.launches = 24
        let bout = Bout(contest: contest, phases: 0..<1, scenario: scenario)
        var outcome = PairedOutcome(
            request: request, bouts: [bout, try #require(bout.onAllCores)], options: options(metrics), coreCount: 2)
        outcome.add(24, to: 0)
        outcome.add(
            launches, to: 1, ratio: 1.001, core: nil, surroundings: surroundings,
            oddities: .init(slower: slower, baseHasResponses: baseHasThem))
        return outcome
    }

    private func options(_ metrics: Set<String> = []) -> ComparisonOptions {
        var options = ComparisonOptions()
        (options.pairing, options.relation, options.moreMetrics) = (.paired, .absolute, metrics)
        options.alpha = ComparisonOptions.alphaOfTurns
        return options
    }

    @Test(arguments: [(1.1, Verdict.unchanged), (1.6, .regressed), (0.5, .improved)])
    func theSlowestOperationsAreJudged(slower: Double, verdict: Verdict) throws {
        let outcome = try outcome(slower: slower)
        let comparison = try Comparison(outcome, options: options())
        let own = comparison.judgements.filter { $0.key == onAllCores }
        #expect(own.map(\.metric.name) == ["duration", "latency_p50", "latency_p99"])
        #expect(own.map(\.verdict) == [.unchanged, .unchanged, verdict])
        #expect(own.map(\.threshold) == [0.05, 0.1, 0.25])
        #expect(outcome.openBouts.isEmpty && comparison.testCount == 5)
        #expect(comparison.outcome == (verdict == .regressed ? .regressed : .passed))
    }

    @Test func onABusyMachineTheyAreNotJudged() throws {
        let busy = Surroundings(pressure: 0.01, othersCores: 0.7)
        let comparison = try Comparison(try outcome(slower: 3, surroundings: busy), options: options())
        #expect(comparison.judgements.filter { $0.key == onAllCores }.allSatisfy { $0.verdict == .notJudged })
        #expect(comparison.outcome == .passed)
        #expect(comparison.notes.contains { $0.hasPrefix("not judged: other processes used up to 70 % of a core") })
    }

    @Test func aReaderLearnsFromWhichChangeOnTheyShowOne() throws {
        let note = try #require(try outcome(slower: 1).notes.first { $0.hasPrefix("response times") })
        #expect(note.hasPrefix("response times of run@all-cores of fake show changes from here on: latency_p50 10"))
        #expect(try outcome(slower: 1, launches: 4).notes.allSatisfy { !$0.hasPrefix("response times") })
    }

    /// The base may be a build of an earlier version, whose turns have no response times.
    @Test func aBaseWithoutThemIsJudgedByItsDuration() throws {
        let outcome = try outcome(slower: 3, baseHasThem: false)
        let comparison = try Comparison(outcome, options: options())
        let judged = comparison.judgements.filter { $0.key == onAllCores && $0.verdict != .notJudged }
        #expect(judged.map(\.metric.name) == ["duration"] && comparison.outcome == .passed)
        #expect(outcome.openBouts.isEmpty)
    }

    /// Four workers that share a core wait for each other, whatever the store does.
    @Test func aNamedResponseTimeIsThatOfAllCores() throws {
        let metrics: Set = ["latency_p99"]
        let comparison = try Comparison(try outcome(slower: 1.6, metrics: metrics), options: options(metrics))
        let judged = comparison.judgements.filter { $0.metric.name == "latency_p99" && $0.verdict != .notJudged }
        #expect(judged.map(\.key) == [onAllCores])
    }

    @Test(arguments: [1, 1.6]) func theFilesAreJudgedAsTheRunWas(slower: Double) throws {
        let folder = try TemporaryDirectory()
        let outcome = try outcome(slower: slower)
        try outcome.write(to: folder.url)
        let files = try ["base.csv", "new.csv"].map { try RecordedRun(contentsOf: folder.file($0)) }
        let verdicts = { (comparison: Comparison) in
            comparison.judgements.filter { $0.key == onAllCores }.map { "\($0.metric.name) \($0.verdict)" }
        }
        let direct = try Comparison(outcome, options: options())
        let read = try Comparison(base: [files[0]], new: [files[1]])
        #expect(verdicts(read) == verdicts(direct) && verdicts(read).count == 3)
    }
}

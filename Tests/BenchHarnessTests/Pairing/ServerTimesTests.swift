import Foundation
import TestSupport
import Testing

@testable import BenchHarness

/// The CPU time of a server is judged beside that of its client.
@Suite struct ServerTimesTests {
    private var options: ComparisonOptions {
        var options = ComparisonOptions()
        (options.pairing, options.relation, options.alpha) = (.paired, .absolute, ComparisonOptions.alphaOfTurns)
        return options
    }

    private func outcome(server: Double?) -> PairedOutcome {
        var scenario = FakeDriver.scenario
        scenario.phases = [Phase(name: "seed", from: .empty, work: .seed(SeedWork()))]
        let contest = PairedRequest.Contest(base: "fake", new: "fake")
        let program = PairedRequest.Program(title: "bench", command: [])
        var request = PairedRequest(scenario: scenario, contests: [contest], base: program, new: program)
        request.launches = 24
        var bout = Bout(contest: contest, phases: 0..<1, scenario: scenario)
        bout.seesServer = server != nil
        var outcome = PairedOutcome(request: request, bouts: [bout], options: options, coreCount: 2)
        outcome.add(24, to: 0, ratio: 1.001, work: 0.4, oddities: .init(server: server))
        return outcome
    }

    @Test(arguments: [(1.0, Verdict.unchanged), (1.1, .regressed), (0.9, .improved)])
    func theServersWorkIsJudged(server: Double, verdict: Verdict) throws {
        let outcome = outcome(server: server)
        let comparison = try Comparison(outcome, options: options)
        let own = comparison.judgements.filter { $0.metric.name == "cpu_server" }
        #expect(own.map(\.verdict) == [verdict] && own.map(\.threshold) == [0.03])
        #expect(comparison.judgements.filter { $0.metric.name == "cpu" }.map(\.verdict) == [.unchanged])
        #expect(comparison.testCount == 3 && outcome.openBouts.isEmpty)
        #expect(comparison.outcome == (verdict == .regressed ? .regressed : .passed))
    }

    @Test func withoutAServerThereIsNoSuchFigure() throws {
        let comparison = try Comparison(outcome(server: nil), options: options)
        #expect(comparison.judgements.allSatisfy { $0.metric.name != "cpu_server" } && comparison.testCount == 2)
    }

    @Test(arguments: [1.0, 1.1]) func theFilesAreJudgedAsTheRunWas(server: Double) throws {
        let folder = try TemporaryDirectory()
        let outcome = outcome(server: server)
        try outcome.write(to: folder.url)
        let files = try ["base.csv", "new.csv"].map { try RecordedRun(contentsOf: folder.file($0)) }
        let again = try Comparison(base: [files[0]], new: [files[1]])
        #expect(try again.judgements.map(\.verdict) == Comparison(outcome, options: options).judgements.map(\.verdict))
        #expect(files[0].rows.map(\.cpuServer) == Array(repeating: 3_000_017, count: 24))
    }
}

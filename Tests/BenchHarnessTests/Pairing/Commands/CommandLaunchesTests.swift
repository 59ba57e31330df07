import Foundation
import TestSupport
import Testing

@testable import BenchHarness

/// Commands that take turns, with the shell's as examples.
@Suite struct CommandLaunchesTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private var options: ComparisonOptions {
        var options = ComparisonOptions()
        (options.pairing, options.relation, options.judgesCounters) = (.paired, .absolute, false)
        options.alpha = ComparisonOptions.alphaOfTurns
        return options
    }

    private func run(
        _ base: String, _ new: String, budget: Double = 60, launches: Int = 12, comparesOutput: Bool = false,
        interruption: Interruption = Interruption()
    ) throws -> PairedOutcome? {
        let programs = [base, new].map {
            PairedRequest.Program(title: $0, command: ["/bin/sh", "-c", $0])
        }
        var request = PairedRequest(
            commands: PairedCommands(name: "made-up", comparesOutput: comparesOutput),
            contest: PairedRequest.Contest(base: "before", new: "after"), base: programs[0], new: programs[1])
        (request.budgetSeconds, request.launches) = (budget, launches)
        return try PairedRun(request, options, in: folder.url, interruption: interruption).run { _ in }
    }

    private func comparison(_ outcome: PairedOutcome?) throws -> Comparison {
        try Comparison(#require(outcome), options: options)
    }

    private func problem(_ base: String, _ new: String = "true", budget: Double = 60) -> String? {
        let error = #expect(throws: RunError.self) { try run(base, new, budget: budget) }
        return error?.description
    }

    /// A command that works for about 20 ms.
    private static func loop(_ count: Int) -> String { "i=0; while [ $i -lt \(count) ]; do i=$((i+1)); done" }

    @Test func aSlowerCommandRegresses() throws {
        let outcome = try #require(try run(Self.loop(40_000), Self.loop(80_000)))
        let judged = try comparison(outcome).judgements.filter { $0.verdict != .notJudged }
        #expect(judged.map(\.metric.name) == ["cpu"] && judged.first?.verdict == .regressed)
        let ratio = try #require(judged.first?.ratio)
        #expect((1.5...2.2).contains(ratio))
        #expect(outcome.launches[0].allSatisfy { $0.quads[0]?.first?.isAtOnce == true && $0.core != nil })
    }

    @Test func oneCommandIsNotSaidToHaveChanged() throws {
        let comparison = try comparison(run(Self.loop(20_000), Self.loop(20_000)))
        #expect([.unchanged, .inconclusive].contains(comparison.judgements.first?.verdict))
        #expect(
            comparison.notes.contains {
                $0.hasPrefix("alone, a run takes: base ") && $0.contains(" CPU time") && $0.contains("; new ")
            })
    }

    @Test func filesGiveTheVerdictAgain() throws {
        let outcome = try #require(try run(Self.loop(40_000), Self.loop(80_000)))
        try outcome.write(to: folder.url)
        let sides = try ["base.csv", "new.csv"].map { try RecordedRun(contentsOf: folder.file($0)) }
        let again = try Comparison(base: [sides[0]], new: [sides[1]])
        let first = try comparison(outcome)
        #expect(again.judgements.map(\.verdict) == first.judgements.map(\.verdict))
        #expect(again.judgements.first?.ratio == first.judgements.first?.ratio)
        // Without the turns, medians take their place.
        try FileManager.default.removeItem(at: folder.file("turns.csv"))
        #expect(try Comparison(base: [sides[0]], new: [sides[1]]).outcome == .regressed)
        let row = try #require(sides[1].rows.first)
        #expect(row.isEvidence && row.scenario == "made-up" && row.driver == "before → after" && row.kind == "command")
        #expect(sides[1].manifest?.scenario == nil && sides[1].manifest?.buildConfiguration == nil)
        #expect(sides[1].manifest?.drivers.map(\.properties) == [["command": Self.loop(80_000)]])
    }

    @Test func aLongCommandTakesOneTurnInALaunch() throws {
        // Twice as long as a pair of turns may take, by the clock.
        let outcome = try #require(try run("sleep 2.1", "sleep 2.1", launches: 1))
        #expect(outcome.launches[0].map { $0.quads[0]?.first?.base.count } == [1])
        try outcome.write(to: folder.url)
        let turns = try TurnsFile(contentsOf: folder.file("turns.csv"))
        #expect(turns.launches.values.joined().map { $0.quads[0]?.first?.new.count } == [1])
    }

    @Test func commandsThatWaitRunOneAfterTheOtherAndAreTimed() throws {
        let outcome = try #require(try run("sleep 0.05", "sleep 0.1", launches: 2))
        let quads = outcome.launches[0].compactMap { $0.quads[0]?.first }
        #expect(quads.count == 2 && quads.allSatisfy { !$0.isAtOnce })
        #expect(quads.allSatisfy { $0.base.allSatisfy { $0.duration >= 50_000_000 } })
        #expect(quads.allSatisfy { $0.new.allSatisfy { $0.duration >= 100_000_000 } })
        #expect(try comparison(outcome).notes.contains { $0.hasPrefix("the commands wait for some of their time") })
    }

    @Test func shortCommandsRunSeveralTimesInATurn() throws {
        let file = folder.file("runs")
        let command = "printf x >> '\(file.path)'"
        #expect(try run(command, command, launches: 1) != nil)
        let runs = try Data(contentsOf: file).count
        // Two turns of each side, and some runs before.
        #expect(runs > 2 * 2 * 10, "\(runs)")
    }

    @Test func aBaseThatFailsIsAnErrorWithItsLastWords() {
        #expect(
            problem("echo first >&2; echo oops >&2; exit 7")
                == "--base-command echo first >&2; echo oops >&2; exit 7 ended with exit code 7: oops")
        #expect(problem("kill -9 $$")?.hasSuffix("was ended by SIGKILL") == true)
    }

    @Test func aNewSideThatFailsIsAFailureOfItsRows() throws {
        let outcome = try #require(try run("true", "echo oops >&2; exit 7"))
        let comparison = try comparison(outcome)
        #expect(comparison.outcome == .failed)
        #expect(outcome.run(of: .new).rows.map(\.error) == ["ended with exit code 7: oops"])
        #expect(outcome.run(of: .base).rows.map(\.status) == [.ok])
    }

    /// Before the launches, output is discarded.
    @Test func aFailureInALaterRunIsFound() throws {
        let outcome = try #require(try run("true", "! [ -f /dev/fd/1 ]", comparesOutput: true))
        #expect(try comparison(outcome).outcome == .failed)
        #expect(
            outcome.run(of: .new).rows.last?.error
                == "in a turn: ended with exit code 1 (it succeeded alone: do runs at the same time disturb each other, by a file?)"
        )
    }

    /// The errors of a command may have no end.
    @Test func onlyTheEndOfItsErrorsIsKept() {
        let problem = self.problem("seq 1 2000000 >&2; echo oops >&2; exit 3")
        #expect(problem?.hasSuffix("ended with exit code 3: oops") == true)
        #expect(try! folder.names().isEmpty)
    }

    @Test func aBaseThatFailsInATurnIsAnError() {
        let error = #expect(throws: RunError.self) {
            try run("[ -c /dev/fd/1 ] || { echo oops >&2; exit 4; }", "true", comparesOutput: true)
        }
        #expect(error?.description.contains(", in a turn: ended with exit code 4: oops") == true)
    }

    @Test func whatIsLeftRunningInATurnIsNamedAndEnded() throws {
        let outcome = try #require(
            try run("true", "[ -c /dev/fd/1 ] || setsid sleep 61 > /dev/null 2>&1 & true", comparesOutput: true))
        #expect(outcome.run(of: .new).rows.last?.error.contains("left sleep running") == true)
    }

    @Test(arguments: ["sleep 60 & true", "setsid sleep 60 & true", "(sleep 60 &) ; true"])
    func whatIsLeftRunningIsNamedAndEnded(command: String) throws {
        let problem = try #require(self.problem(command))
        let number = try #require(problem.firstMatch(of: /left sleep running \(process (\d+)\)/)?.1)
        let process = try #require(pid_t(String(number)))
        // It may take a moment to die, and is not a child of this process.
        for _ in 0..<500 where kill(process, 0) == 0 && ProcText.read("/proc/\(process)/environ") != nil {
            usleep(10_000)
        }
        #expect(ProcText.read("/proc/\(process)/environ") == nil)
    }

    @Test func aCommandThatNeverEndsIsGivenUp() {
        let problem = self.problem("sleep 600", budget: 4)
        #expect(problem?.contains("did not end within") == true)
        #expect(problem?.contains("a larger --budget allows longer runs") == true)
    }

    @Test func aBudgetThatAllowsNoVerdictIsRefused() {
        let error = #expect(throws: RunError.self) { try run("sleep 1", "sleep 1", budget: 13) }
        #expect(error?.code == .request)
        #expect(error?.description.contains("a verdict needs 5 launches: give --budget") == true)
    }

    @Test func aCommandHasNothingToReadAndNoTerminal() throws {
        let outcome = try #require(
            try run("[ \"$(cat | wc -c)\" -eq 0 ]", "! (: < /dev/tty) 2> /dev/null", launches: 1))
        #expect(try comparison(outcome).new.failures.isEmpty)
    }

    @Test func outputIsComparedIfThatIsWanted() throws {
        let (first, second) = ("echo a; echo b", "echo a; echo c")
        #expect(try comparison(run(first, second, launches: 5)).outcome != .failed)
        #expect(try comparison(run(first, first, launches: 5, comparesOutput: true)).outcome != .failed)
        let outcome = try #require(try run(first, second, launches: 5, comparesOutput: true))
        #expect(try comparison(outcome).outcome == .failed)
        #expect(
            outcome.run(of: .new).rows.first?.error == "in a turn: its output differs from that of the base in line 2")
        #expect(try folder.names().isEmpty)
    }

    @Test func whatIsInterruptedEndsWithItsCommands() throws {
        let interruption = Interruption()
        let file = folder.file("started")
        let stop = Thread {
            while !FileManager.default.fileExists(atPath: file.path) { usleep(1_000) }
            interruption.request()
        }
        stop.start()
        #expect(try run("touch '\(file.path)'; sleep 600", "true", interruption: interruption) == nil)
    }
}

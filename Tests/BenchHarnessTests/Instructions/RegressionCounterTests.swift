import Foundation
import TestSupport
import Testing

@testable import BenchHarness
@testable import BenchInstructions

/// What cannot be counted is said in a note, and changes no verdict.
@Suite struct RegressionCounterTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func notes(
        base: String = "/before/bench", new: String = "/now/bench", drivers: (String, String) = ("managed", "managed"),
        change: Double = 0.1, path: String = "/nowhere", seconds: Double = 60,
        interruption: Interruption = Interruption()
    ) throws -> [String] {
        var options = ComparisonOptions()
        (options.pairing, options.relation) = (.paired, .absolute)
        let outcome = PairedFixture.outcome(change: change, options: options)
        var comparison = try Comparison(outcome, options: options)
        let (before, verdict) = (comparison.notes, comparison.outcome)
        let programs = [base, new].map { PairedRequest.Program(title: $0, command: [$0, "turns"]) }
        let request = PairedRequest(
            scenario: FakeDriver.scenario, contests: [PairedRequest.Contest(base: drivers.0, new: drivers.1)],
            base: programs[0], new: programs[1])
        RegressionCounter(
            request, workerArgument: "w", seconds: seconds, in: folder.url, interruption: interruption, path: path
        ).explain(&comparison) { _, _ in }
        #expect(comparison.outcome == verdict && comparison.notes.starts(with: before) && comparison.counted.isEmpty)
        #expect(try folder.names().allSatisfy { $0 == "valgrind" })
        return Array(comparison.notes.dropFirst(before.count))
    }

    @Test func withoutARegressionNothingIsSaid() throws {
        #expect(try notes(change: 0).isEmpty)
    }

    @Test func withoutValgrindTheNoteSaysWhatToInstall() throws {
        #expect(
            try notes() == [
                "no functions are named: no valgrind in PATH, which counts the instructions; install it, such as with "
                    + "apt-get install valgrind"
            ])
    }

    @Test func driversAndOneProgramHaveNothingToCount() throws {
        #expect(
            try notes(drivers: ("sqlite", "managed")) == ["no functions are named: two drivers have different ones"])
        #expect(try notes(base: "/now/bench") == ["no functions are named: both sides are one program"])
    }

    /// Puts a program in the place of valgrind.
    @discardableResult
    private func standIn(_ script: String) throws -> URL {
        let valgrind = folder.file("valgrind")
        try WrittenProgram.write(script: script, to: valgrind)
        return valgrind
    }

    @Test func aCountThatFailsNamesTheProgram() throws {
        try standIn("cat >/dev/null; exit 7")
        let notes = try notes(base: "/bin/true", new: "/bin/false", path: folder.path)
        #expect(notes.count == 1 && notes[0].hasPrefix("no functions are named: --base /bin/true: "), "\(notes)")
        #expect(notes[0].contains("ended with exit code 7"))
    }

    @Test func aCountThatTakesTooLongEndsWithTheVerdict() throws {
        try standIn("exec sleep 600")
        let notes = try notes(base: "/bin/true", new: "/bin/false", path: folder.path, seconds: 0.2)
        #expect(
            notes == [
                "no functions are named: the time for it was over at fetch of managed; --explain-budget allows more"
            ])
    }

    @Test func anInterruptionLeavesTheVerdict() throws {
        try standIn("exec sleep 600")
        let interruption = Interruption()
        interruption.request()
        let notes = try notes(
            base: "/bin/true", new: "/bin/false", path: folder.path, interruption: interruption)
        #expect(notes == ["no functions are named: interrupted"])
    }

    @Test func aPhaseThatCannotBeCountedIsNamed() throws {
        var options = ComparisonOptions()
        (options.pairing, options.relation) = (.paired, .absolute)
        var comparison = try Comparison(PairedFixture.outcome(change: 0.1, options: options), options: options)
        let phase = try #require(comparison.phasesToCount.first)
        let program = InstructionRequest.Program(title: "b", executable: try standIn("exit"))
        var request = try InstructionRequest(
            scenario: FakeDriver.scenario, drivers: ["managed"], new: program, base: program, workerArgument: "w",
            path: folder.path)
        request.phases = [phase.phase]
        var outcome = InstructionOutcome(request)
        let index = try #require(FakeDriver.scenario.phases.firstIndex { $0.name == phase.phase })
        outcome.add(
            InstructionCounts.Repetition(number: 1, status: .failed, error: "9 records; expected 10"), "managed",
            index, .new)
        comparison.add(outcome, of: phase)
        #expect(comparison.counted.isEmpty)
        #expect(
            comparison.notes.last
                == "no functions are named of \(phase), which callgrind could not count: 9 records; expected 10")
    }
}

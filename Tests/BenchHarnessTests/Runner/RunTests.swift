import Foundation
import TestSupport
import Testing

@testable import BenchHarness

@Suite struct RunTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private var folder: URL { directory.url }
    private var output: URL { directory.file("out.csv") }

    private func run(
        _ executor: any RepetitionExecutor, repetitions: Int = 1, warmups: Int = 0,
        isolation: Isolation = .none, interruption: Interruption = Interruption()
    ) throws -> RunOutcome {
        var scenario = FakeDriver.scenario
        scenario.isolation = isolation
        (scenario.repetitions, scenario.warmups) = (repetitions, warmups)
        let request = RunRequest(scenario: scenario, drivers: [FakeDriver()], output: output, storeParent: folder)
        return try Run(request, executor: executor, interruption: interruption) { _ in }.run()
    }

    @Test func crashedProcessFailsThePhaseUnderWayAndThoseAfterIt() throws {
        let outcome = try run(ScriptedExecutor(finished: 1, end: "was ended by SIGSEGV"))
        #expect(outcome.rows.map(\.status) == [.ok, .failed, .failed])
        #expect(outcome.rows[1].error == "its process was ended by SIGSEGV")
        #expect(outcome.rows[2].error.hasPrefix("not run: "))
    }

    @Test func crashedProcessFailsItsOwnPhasesAlone() throws {
        let outcome = try run(ScriptedExecutor(finished: 0, end: "was ended by SIGSEGV"), isolation: .process)
        #expect(outcome.rows.map(\.phase) == FakeDriver.scenario.phases.map(\.name))
        #expect(outcome.rows.map { $0.error.hasPrefix("not run: ") } == [false, false, true])
    }

    @Test func interruptionLeavesWhatWasDoneAndMarksWhatWasNot() throws {
        let interruption = Interruption()
        let executor = ScriptedExecutor(finished: 1, end: "was ended by SIGKILL", interrupts: interruption)
        let outcome = try run(executor, repetitions: 5, interruption: interruption)
        #expect(outcome.isInterrupted)
        #expect(try ResultTable(contentsOf: output).rows.map(\.status) == [.ok, .interrupted])
    }

    @Test func warmupsAreNotRecorded() throws {
        let outcome = try run(ScriptedExecutor(finished: 3, end: nil), repetitions: 2, warmups: 1)
        #expect(outcome.rows.map(\.repetition) == [1, 1, 1, 2, 2, 2])
        #expect(try ResultTable(contentsOf: output).rows.count == 6)
    }

    @Test func everySizeIsDoneInEachRepetitionAndNamedInItsRows() throws {
        var scenario = FakeDriver.scenario
        (scenario.sizes, scenario.records, scenario.repetitions) = ([5, 10, 40], 40, 2)
        let driver = FakeDriver()
        let request = RunRequest(scenario: scenario, drivers: [driver], output: output, storeParent: folder)
        let shares = ShareLog()
        let executor = InProcessExecutor(
            drivers: [driver], instruments: .platform, interruption: Interruption())
        let outcome = try Run(request, executor: executor, interruption: Interruption()) { event in
            if case .phaseStarted(let done, _, _, _) = event { shares.add(done) }
        }.run()
        #expect(outcome.rows.count == 18 && outcome.failures.isEmpty)
        for size in [5, 10, 40] {
            let rows = outcome.rows.filter { $0.phase == "fetch@\(size)" }
            #expect(rows.map(\.repetition) == [1, 2] && rows.allSatisfy { $0.records == size })
        }
        // Each size keeps a seeded store of its own, which is only made once.
        #expect(driver.log.calls.filter { $0 == "seed" }.count == 6)
        #expect(shares.shares.first == 0 && shares.shares == shares.shares.sorted() && shares.shares[17] < 1)
        #expect(try #require(try Manifest.read(beside: output)).scenario == scenario)
    }

    @Test func onlyResultsAreLeftBehind() throws {
        _ = try run(ScriptedExecutor(finished: 3, end: nil))
        #expect(try directory.names() == ["out.csv", "out.manifest.json"])
    }
}

/// How much of a run was done at each of its phases.
private final class ShareLog: @unchecked Sendable {
    private let lock = NSLock()
    // Guarded by `lock`.
    private var all: [Double] = []
    var shares: [Double] { lock.withLock { all } }
    func add(_ share: Double) { lock.withLock { all.append(share) } }
}

/// Finishes so many phases, begins the next, and ends.
private struct ScriptedExecutor: RepetitionExecutor {
    var finished: Int
    var end: String?
    var interrupts: Interruption?

    func execute(_ job: RepetitionJob, onEvent: @escaping @Sendable (RepetitionEvent) -> Void) -> String? {
        for (position, index) in job.phases.enumerated() {
            if position > finished { break }
            onEvent(.started(index))
            if position < finished {
                onEvent(.finished(PhaseReport(row: job.row(for: job.scenario.phases[index]))))
            }
        }
        interrupts?.request()
        return end
    }
}

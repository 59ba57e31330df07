import Foundation
import Locking
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

    @Test func aProcessThatCrashesAfterItsLastReportFailsTheLastPhase() throws {
        let outcome = try run(ScriptedExecutor(finished: 3, end: "was ended by SIGSEGV"))
        #expect(outcome.rows.map(\.status) == [.ok, .ok, .failed] && outcome.failures.count == 1)
        #expect(outcome.rows[2].error == "its process was ended by SIGSEGV after the phase")
        #expect(try ResultTable(contentsOf: output).rows.map(\.status) == [.ok, .ok, .failed])
    }

    @Test func anInterruptionAfterTheLastReportLeavesItAsItIs() throws {
        let interruption = Interruption()
        let executor = ScriptedExecutor(finished: 3, end: "was ended by SIGKILL", interrupts: interruption)
        _ = try run(executor, interruption: interruption)
        #expect(try ResultTable(contentsOf: output).rows.map(\.status) == [.ok, .ok, .ok])
    }

    @Test func interruptionLeavesWhatWasDoneAndMarksWhatWasNot() throws {
        let interruption = Interruption()
        let executor = ScriptedExecutor(finished: 1, end: "was ended by SIGKILL", interrupts: interruption)
        let outcome = try run(executor, repetitions: 5, interruption: interruption)
        #expect(outcome.isInterrupted)
        #expect(try ResultTable(contentsOf: output).rows.map(\.status) == [.ok, .interrupted])
    }

    /// Each job has its own process, which knows the fastest calibration only from the run.
    @Test func aMachineThatSlowsDownIsSeenAcrossProcesses() throws {
        let times = Locked([100, 100, 125, 125, 125, 125])
        var instruments = Instruments.platform
        instruments.calibrate = { times.withLock { $0.removeFirst() } }
        let executor = InProcessExecutor(
            drivers: [FakeDriver()], instruments: instruments, interruption: Interruption())
        let outcome = try run(executor, isolation: .process)
        #expect(outcome.rows.map(\.contaminated) == [nil, true, true])
        #expect(try ResultTable(contentsOf: output).rows.map(\.calibration) == [100, 125, 125])
    }

    /// Neither the rows nor the manifest of a run that is still going may be replaced by those of another.
    @Test func aRunDoesNotReplaceTheFilesOfOneThatIsStillGoing() throws {
        let first = try ResultFile(path: output.path, replace: false)
        try Data("the first".utf8).write(to: directory.file("out.manifest.json"))
        let request = RunRequest(
            scenario: FakeDriver.scenario, drivers: [FakeDriver()], output: output, replacesOutput: true,
            storeParent: folder)
        let executor = ScriptedExecutor(finished: 3, end: nil)
        let second = Run(request, executor: executor, interruption: Interruption()) { _ in }
        let error = #expect(throws: RunError.self) { try second.run() }
        #expect(error?.description.contains("another run is writing it") == true)
        #expect(try String(contentsOf: directory.file("out.manifest.json"), encoding: .utf8) == "the first")
        withExtendedLifetime(first) {}
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

    @Test func variantsShareTheSeededStoreUnlessTheirNumbersChangeIt() throws {
        func seeds(_ path: [String], phase: Int?, to name: String) throws -> Int {
            var scenario = FakeDriver.scenario
            scenario.isolation = .process
            scenario.phases.removeFirst()
            let plain = scenario
            scenario.variants = ["1", "2"].map { value in
                let setting = SweptSetting(path: path, phase: phase, value: value)
                return ScenarioVariant(settings: [setting], scenario: plain)
            }
            scenario.repetitions = 2
            let driver = FakeDriver()
            let request = RunRequest(
                scenario: scenario, drivers: [driver], output: folder.appendingPathComponent(name), storeParent: folder)
            let executor = InProcessExecutor(drivers: [driver], instruments: .platform, interruption: Interruption())
            let outcome = try Run(request, executor: executor, interruption: Interruption()) { _ in }.run()
            #expect(outcome.failures.isEmpty && outcome.rows.count == 8)
            #expect(Set(outcome.rows.map(\.phase)).isSuperset(of: ["fetch@x=1", "fetch@x=2"]))
            return driver.log.calls.filter { $0 == "seed" }.count
        }
        #expect(try seeds(["phases", "fetch", "x"], phase: 0, to: "one.csv") == 1)
        #expect(try seeds(["store", "x"], phase: nil, to: "two.csv") == 2)
    }

    /// Runs every phase of two drivers in this process, but job by job, as processes of their own would.
    private func runTwoDrivers(
        repetitions: Int = 1, sizes: [Int]? = nil, interrupting: (@Sendable (RunEvent, Interruption) -> Void)? = nil,
        log: ShareLog? = nil
    ) throws -> (outcome: RunOutcome, calls: CallLog) {
        var scenario = FakeDriver.scenario
        (scenario.repetitions, scenario.sizes, scenario.isolation) = (repetitions, sizes, .process)
        var second = FakeDriver()
        second.name = "second"
        let drivers = [FakeDriver(), second]
        let request = RunRequest(scenario: scenario, drivers: drivers, output: output, storeParent: folder)
        let interruption = Interruption()
        let executor = InProcessExecutor(drivers: drivers, instruments: .platform, interruption: interruption)
        let outcome = try Run(request, executor: executor, interruption: interruption) { event in
            if case .phaseStarted(let done, _, _, _) = event { log?.add(done) }
            interrupting?(event, interruption)
        }.run()
        return (outcome, second.log)
    }

    @Test func driversTakeTurnsPhaseByPhaseAndEachKeepsItsSeededStore() throws {
        let shares = ShareLog()
        let (outcome, calls) = try runTwoDrivers(repetitions: 3, log: shares)
        #expect(outcome.failures.isEmpty)
        let rows = try ResultTable(contentsOf: output).rows
        for round in 0..<3 {
            let own = Array(rows[round * 6..<round * 6 + 6])
            #expect(own.map(\.phase) == ["seed", "seed", "fetch", "checkpoint", "fetch", "checkpoint"])
            #expect(Set(own[0...1].map(\.driver)).count == 2)
            #expect(own[2].driver == own[3].driver && own[4].driver == own[5].driver)
            #expect(own[2].driver != own[4].driver)
        }
        // One store for each repetition of the phase that seeds, and none outside the clock.
        #expect(calls.calls.filter { $0 == "seed" }.count == 3)
        #expect(shares.shares.first == 0 && shares.shares == shares.shares.sorted())
        #expect(Set(shares.shares).count == 18 && (shares.shares.last ?? 1) < 1)
    }

    @Test func tablesDoNotDependOnTheOrderOfTheRun() throws {
        let rows = try runTwoDrivers(repetitions: 2, sizes: [5, 10]).outcome.rows
        let order = rows.sorted { ($0.driver, $0.repetition) < ($1.driver, $1.repetition) }
        let tables = [rows, order].map { SummaryTable(ResultSummary(rows: $0, drivers: ["second", "fake"])).markdown }
        #expect(tables[0] == tables[1])
    }

    @Test func interruptionLeavesEveryDriverEquallyFar() throws {
        let (outcome, _) = try runTwoDrivers { event, interruption in
            if case .phaseFinished(let row) = event, row.phase == "checkpoint" { interruption.request() }
        }
        #expect(outcome.isInterrupted)
        let rows = try ResultTable(contentsOf: output).rows
        #expect(rows.map(\.phase) == ["seed", "seed", "fetch", "checkpoint"])
        #expect(rows.allSatisfy { $0.status == .ok })
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

import Foundation
import Locking
import TestSupport
import Testing

@testable import BenchHarness

@Suite struct RunnerLifecycleTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func rows(_ driver: FakeDriver, _ scenario: Scenario = FakeDriver.scenario) throws -> [ResultRow] {
        try reports(driver, scenario).map(\.row)
    }

    private func reports(
        _ driver: FakeDriver, _ scenario: Scenario, fastest: Int? = nil,
        calibrate: (@Sendable () -> Int?)? = nil, events count: (@Sendable () -> (any InstructionCounter)?)? = nil,
        allocations: (@Sendable () -> AllocationCount?)? = nil
    ) throws -> [PhaseReport] {
        let probe = FakeProbe(log: driver.log)
        var job = RepetitionJob(
            run: "r", scenario: scenario, driver: driver.name, repetition: 1, phases: scenario.phases.indices,
            directory: directory.path, parent: 0)
        job.fastestCalibration = fastest
        let events = EventLog()
        var instruments = Instruments(clock: driver.clock, probe: probe, stalls: probe)
        instruments.calibrate = calibrate
        instruments.counter = count
        instruments.allocations = allocations
        var runner = RepetitionRunner(job, driver: driver, instruments: instruments, emit: { events.add($0) })
        try runner.run()
        return events.reports
    }

    @Test func phaseIsOpenedMeasuredVerifiedAndClosedInThisOrder() throws {
        let driver = FakeDriver()
        var scenario = FakeDriver.scenario
        scenario.phases.removeLast(2)
        _ = try rows(driver, scenario)
        #expect(
            driver.log.calls == [
                "open", "resetCounters", "prepare", "sample", "seed", "sample", "scan", "checkIntegrity", "finish",
                "close",
            ])
    }

    private struct FixedCount: InstructionCounter {
        let log: CallLog
        var result: Int?

        func start() { log.add("start counting") }

        func stop() -> Int? {
            log.add("stop counting")
            return result
        }
    }

    /// Within the samples, so that nothing but the clock lies between.
    @Test(arguments: [42, nil]) func instructionsAreCountedAroundTheWork(_ count: Int?) throws {
        let driver = FakeDriver()
        var scenario = FakeDriver.scenario
        scenario.phases.removeLast(2)
        let reports = try reports(
            driver, scenario, events: { [log = driver.log] in FixedCount(log: log, result: count) })
        #expect(reports.map(\.row.instructions) == [count])
        #expect(
            driver.log.calls == [
                "open", "resetCounters", "prepare", "sample", "start counting", "seed", "stop counting", "sample",
                "scan",
                "checkIntegrity", "finish", "close",
            ])
    }

    @Test func allocationsAreCountedAroundTheWork() throws {
        let driver = FakeDriver()
        var scenario = FakeDriver.scenario
        scenario.phases.removeLast(2)
        let counts = Locked([AllocationCount(calls: 7, bytes: 700), AllocationCount(calls: 10, bytes: 760)])
        let reports = try reports(
            driver, scenario,
            allocations: { [log = driver.log] in
                log.add("count allocations")
                return counts.withLock { $0.removeFirst() }
            })
        #expect(reports.map(\.row.allocations) == [3] && reports.map(\.row.allocatedBytes) == [60])
        #expect(
            driver.log.calls == [
                "open", "resetCounters", "prepare", "sample", "count allocations", "seed", "count allocations",
                "sample",
                "scan", "checkIntegrity", "finish", "close",
            ])
    }

    /// Missing is not 0.
    @Test func allocationsThatNothingCountsAreEmpty() throws {
        let rows = try reports(FakeDriver(), FakeDriver.scenario, allocations: { nil }).map(\.row)
        #expect(rows.allSatisfy { $0.allocations == nil && $0.allocatedBytes == nil })
        let columns = ResultColumn.all.filter { ["allocations", "allocated_bytes"].contains($0.name) }
        #expect(columns.map { $0.text(rows[0]) } == ["", ""])
    }

    /// Before the store is restored, and after the last sample: neither moves the clock nor a figure.
    @Test func theMachineIsCalibratedAroundEachPhase() throws {
        let driver = FakeDriver()
        var scenario = FakeDriver.scenario
        scenario.phases.removeLast(2)
        let reports = try reports(driver, scenario) {
            driver.log.add("calibrate")
            driver.clock.advance(by: 1_000_000)
            return 1_000_000
        }
        #expect(reports.map(\.row.durationNanoseconds) == [1_000])
        #expect(reports.map(\.row.calibration) == [1_000_000])
        #expect(
            driver.log.calls == [
                "calibrate", "open", "resetCounters", "prepare", "sample", "seed", "sample", "calibrate", "scan",
                "checkIntegrity", "finish", "close",
            ])
    }

    /// The times of the calibrations before and after each of three phases, and which rows they contaminate.
    @Test(
        arguments: [
            ([100, 100, 110, 119, 100, 100], nil, [nil, nil, nil]),
            ([100, 125, 100, 100, 100, 100], nil, [true, nil, nil]),
            ([100, 100, 125, 100, 125, 125], nil, [nil, true, true]),
            ([100, 100, 110, 119, 100, 100], 80, [true, true, true]),
        ] as [([Int], Int?, [Bool?])])
    func aRowOnASlowerMachineIsContaminated(times: [Int], fastest: Int?, contaminated: [Bool?]) throws {
        let times = Locked(times)
        let rows = try reports(FakeDriver(), FakeDriver.scenario, fastest: fastest) {
            times.withLock { $0.removeFirst() }
        }.map(\.row)
        #expect(rows.map(\.contaminated) == contaminated)
        #expect(rows.allSatisfy { $0.status == .ok })
    }

    @Test func onlyTheWorkIsWithinTheClock() throws {
        let rows = try rows(FakeDriver())
        #expect(rows.map(\.durationNanoseconds) == [1_000, 1_000, 1_000])
        #expect(rows.map(\.status) == [.ok, .ok, .ok])
        #expect(rows.map(\.verified) == [true, true, true])
        #expect(rows.map(\.queueStall) == [42, 42, 42])
    }

    @Test func timesAroundTheWorkAreShownBesideIt() throws {
        var scenario = FakeDriver.scenario
        let work = UpdateWork(mode: .perObject, set: [])
        scenario.phases[1] = Phase(name: "update", from: .seeded, work: .update(work))
        let rows = try rows(FakeDriver(), scenario)
        #expect(rows.map(\.status) == [.ok, .ok, .ok], "\(rows.map(\.error))")
        #expect(rows.map(\.opening) == [2_000_000, 2_000_000, nil])
        #expect(rows.map(\.preparation) == [0, 1_000_000, 0])
        #expect(rows.map(\.release) == [1_000_000, 1_000_000, 1_000_000])
    }

    @Test(arguments: FetchWork.Mode.allCases)
    func theReleaseOfTheRecordsThatWereHandedOverCountsAsRelease(_ mode: FetchWork.Mode) throws {
        var scenario = FakeDriver.scenario
        scenario.phases[1].work = .fetch(FetchWork(mode: mode))
        let rows = try rows(FakeDriver(), scenario)
        #expect(rows.map(\.status) == [.ok, .ok, .ok])
        #expect(rows.map(\.release) == [1_000_000, 4_000_000, 1_000_000])
    }

    @Test func seededStoreIsKeptFromTheSeedingPhase() throws {
        let driver = FakeDriver()
        _ = try rows(driver)
        #expect(driver.log.calls.filter { $0 == "seed" }.count == 1)
    }

    @Test func storeIsSeededOutsideTheClockWhereNoPhaseDoes() throws {
        var scenario = FakeDriver.scenario
        scenario.phases.removeFirst()
        let rows = try rows(FakeDriver(), scenario)
        #expect(rows.map(\.status) == [.ok, .ok])
        #expect(rows.map(\.durationNanoseconds) == [1_000, 1_000])
    }

    @Test func wrongResultFailsVerification() throws {
        let rows = try rows(FakeDriver(losesRecord: true))
        #expect(rows[0].status == .failed)
        #expect(rows[0].verified == false)
        #expect(rows[0].error.contains("9 records; expected 10"))
    }

    @Test func laterPhasesRunAfterOneThatFailed() throws {
        let rows = try rows(FakeDriver(failingKind: "fetch"))
        #expect(rows.map(\.status) == [.ok, .failed, .ok])
        #expect(rows[1].error == "told to fail")
        #expect(rows[1].verified == nil)
    }

    @Test func sessionIsClosedAfterAFailure() throws {
        let driver = FakeDriver(failingKind: "fetch")
        _ = try rows(driver)
        #expect(driver.log.calls.filter { $0 == "open" }.count == driver.log.calls.filter { $0 == "close" }.count)
    }

    @Test func whatIsUnsupportedIsSaidNotFaked() throws {
        let rows = try rows(FakeDriver(unsupportedKind: "checkpoint"))
        #expect(rows.map(\.status) == [.ok, .ok, .unsupported])
        #expect(rows[2].durationNanoseconds == nil)
    }

    @Test func whatGoesOnFromAnUnsupportedPhaseIsUnsupportedToo() throws {
        var scenario = FakeDriver.scenario
        scenario.phases[1].from = .previous
        let rows = try rows(FakeDriver(unsupportedKind: "seed"), scenario)
        #expect(rows.map(\.status) == [.unsupported, .unsupported, .unsupported])
        #expect(rows[1].error == "not run: seed is unsupported" && rows[2].error == rows[1].error)
    }

    /// The store is put into the state that the unsupported phase would have started from, and left.
    @Test func whatGoesOnFromAnUnsupportedPhaseThatOnlyReadsStartsFromItsState() throws {
        var scenario = FakeDriver.scenario
        scenario.phases[2] = Phase(name: "count", from: .previous, work: .count(CountWork()))
        scenario.phases.removeFirst()
        let rows = try rows(FakeDriver(unsupportedKind: "fetch"), scenario)
        #expect(rows.map(\.status) == [.unsupported, .ok])
        #expect(rows[1].records == 10 && rows[1].verified == true, "\(rows[1].error)")
    }

    @Test func phaseDoesNotGoOnFromOneThatFailed() throws {
        var scenario = FakeDriver.scenario
        scenario.phases.remove(at: 1)
        let rows = try rows(FakeDriver(failingKind: "seed"), scenario)
        #expect(rows[1].error == "not run: seed failed")
    }

    /// Records that a load can tell apart.
    private static let counted = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(
                name: "n", type: .int64, generator: .sequence(prefix: "", start: 0, step: 1), isUnique: true)
        ])

    /// Closing a worker may fail for what went wrong before, which must be told.
    @Test func workerThatGaveUpTellsWhyAndThenWhatClosingSaid() throws {
        var scenario = FakeDriver.scenario
        scenario.entity = Self.counted
        let mix = MixSpec(operations: [.read: 1])
        let work = LoadWork(source: .mix(mix), workers: 1, pace: PaceSpec(operations: 1_000))
        scenario.phases = [Phase(name: "load", from: .seeded, work: .load(work))]
        let report = try #require(reports(FakeDriver(failsLoads: true), scenario).first)
        #expect(report.row.status == .failed)
        let (root, closing) = (
            report.row.error.range(of: "worker 1: the root of it"), report.row.error.range(of: "nothing to close")
        )
        #expect(root != nil && closing != nil, "\(report.row.error)")
    }

    @Test(arguments: [(OperationKind.read, true), (.insert, false)])
    func loadThatLostWritesTellsNothingOfItsOperations(kind: OperationKind, isOk: Bool) throws {
        var scenario = FakeDriver.scenario
        scenario.entity = Self.counted
        let work = LoadWork(source: .mix(MixSpec(operations: [kind: 1])), workers: 1, pace: PaceSpec(operations: 5))
        scenario.phases = [Phase(name: "load", from: .seeded, work: .load(work))]
        let report = try #require(reports(FakeDriver(), scenario).first)
        #expect(report.row.status == (isOk ? .ok : .failed), "\(report.row.error)")
        #expect((report.operations?[kind]?.response.count ?? 0) == (isOk ? 5 : 0))
    }
}

/// The reports among events.
private final class EventLog: @unchecked Sendable {
    private let lock = NSLock()
    // Guarded by `lock`.
    private var finished: [PhaseReport] = []
    var reports: [PhaseReport] { lock.withLock { finished } }
    func add(_ event: RepetitionEvent) {
        if case .finished(let report) = event { lock.withLock { finished.append(report) } }
    }
}

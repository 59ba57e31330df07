import Foundation
import Locking

/// Takes turns at phases, in this process.
struct TurnTaker {
    private let job: RepetitionJob
    private let driver: any StoreDriver
    private let probe: TurnProbe
    private let clock: any NanosecondClock
    private let stillness = Stillness()
    private let inspectorCommand: [String]
    private var store: StoreUnderTest

    /// - Parameter inspectorCommand: The program and arguments of a process that inspects the store; empty to inspect
    ///   in this process.
    init(_ job: RepetitionJob, driver: any StoreDriver, inspectorCommand: [String] = []) {
        self.inspectorCommand = inspectorCommand
        self.job = job
        self.driver = driver
        clock = MonotonicClock()
        probe = TurnProbe(driver.server?.process.map(ServerProcesses.init(parent:)))
        store = StoreUnderTest(
            job.scenario, driver: driver, directory: job.directory, inspectorCommand: inspectorCommand)
    }

    /// Does all phases once as a run does them, except for the calibration: sides that take turns show the speed of the
    /// machine themselves.
    func rehearse() throws -> [PhaseReport] {
        let reports = Locked<[PhaseReport]>([])
        var instruments = Instruments.platform
        instruments.calibrate = nil
        var runner = RepetitionRunner(
            job, driver: driver, instruments: instruments, inspectorCommand: inspectorCommand
        ) { event in
            if case .finished(let report) = event { reports.withLock { $0.append(report) } }
        }
        try runner.run()
        return reports.withLock { $0 }
    }

    /// Puts the store into the state that the first phase starts from, and opens it.
    mutating func restore() throws {
        try store.close()
        try store.restore(before: job.phases.lowerBound)
        let session = try store.open()
        _ = stillness.wait(for: session, since: nil)
    }

    /// Does a phase, whose operations `seed` chooses if there is a choice, and holds still.
    mutating func turn(at index: Int, seed: UInt64 = 0, verifies: Bool) throws -> Turn {
        let phase = job.scenario.phases[index]
        if !(phase.work.content is any OpeningWork) { _ = try store.open() }
        let untouched = verifies ? StoreFingerprint(of: store.directory) : nil
        var report = ReportDraft()
        let problems = try Result {
            defer { store.session?.finish() }
            return try store.run(
                phase.work.content, in: setting(seed: seed, verifies: verifies, untouched), report: &report)
        }.get()
        let release = stillness.wait(for: try store.open(), since: probe.last)
        return Turn(
            cpu: report.measurement?.cpu ?? 0, duration: report.measurement?.duration ?? 0,
            server: report.measurement?.server,
            // What verifying took is not to be told from it.
            release: verifies ? 0 : release ?? 0, operations: report.count ?? 1, problems: problems,
            responses: phase.work.content.isLoad ? report.responses : nil)
    }

    /// Closes the store, and removes it from a server.
    mutating func end() throws {
        try store.close()
        try driver.server?.removeStores(below: URL(fileURLWithPath: job.directory, isDirectory: true))
    }

    private func setting(seed: UInt64, verifies: Bool, _ untouched: StoreFingerprint?) -> PhaseSetting {
        PhaseSetting(
            scenario: store.view, directory: store.directory, witness: store.witness, untouched: untouched,
            instruments: Instruments(clock: clock, probe: probe, stalls: NoStalls()), onProgress: { _ in },
            onSample: { _ in }, verifies: verifies, operationSeed: seed)
    }
}

/// Reads the CPU time and nothing else: a turn is short, and what it does not count does not disturb it.
private final class TurnProbe: MetricProbe {
    private struct State {
        var server: ServerProcesses?
        var last = 0
        /// Whether the server's processes are those of now.
        var isPrepared = false
    }

    let cpu = ProcessorClock()
    private let state: Locked<State>

    init(_ server: ServerProcesses?) { state = Locked(State(server: server)) }

    /// The CPU time when the last sample was taken.
    var last: Int { state.withLock { $0.last } }

    /// Finds the processes of the server: outside of the clock, since that takes CPU time.
    func prepare() -> Bool {
        state.withLock { state in
            state.server?.find()
            state.isPrepared = true
        }
        return false
    }

    func sample() -> MetricSample {
        var sample = MetricSample()
        let now = cpu.now()
        sample.cpuNanoseconds = now
        sample.serverNanoseconds = state.withLock { state in
            state.last = now
            // Those that began within the clock count as well.
            if !state.isPrepared { state.server?.find() }
            state.isPrepared = false
            return state.server?.cpu
        }
        return sample
    }
}

import Foundation

/// Runs the phases of a job once, with one driver, in this process.
struct RepetitionRunner {
    private let job: RepetitionJob
    private let driver: any StoreDriver
    private let instruments: Instruments
    private let isInterrupted: @Sendable () -> Bool
    private let emit: @Sendable (RepetitionEvent) -> Void
    private var store: StoreUnderTest
    /// Whether this process does nothing besides the job.
    private let ownsProcess: Bool
    /// Why the store is not in a state that a phase could go on from; nil when it is.
    private var broken: PhaseSkipped?
    /// The unsupported phase whose initial state a later one goes on from; nil if the store was put into that state.
    private var leftOut: Int?
    /// The fastest calibration so far in the run.
    private var fastestCalibration: Int?
    /// The load that other processes do too, from when its store is restored, and the salt of its checksums.
    private var round: (load: LoadRound, salt: UInt64)?

    init(
        _ job: RepetitionJob, driver: any StoreDriver, instruments: Instruments, inspectorCommand: [String] = [],
        isInterrupted: @escaping @Sendable () -> Bool = { false }, emit: @escaping @Sendable (RepetitionEvent) -> Void
    ) {
        self.job = job
        self.driver = driver
        self.instruments = instruments
        self.isInterrupted = isInterrupted
        // Only a process of its own lets another inspect its store.
        ownsProcess = !inspectorCommand.isEmpty
        self.emit = emit
        fastestCalibration = job.fastestCalibration
        store = StoreUnderTest(
            job.scenario, driver: driver, directory: job.directory, inspectorCommand: inspectorCommand,
            plantingSeed: job.plantingSeed)
    }

    /// Runs the phases in order. A phase that fails does not keep later ones from running.
    mutating func run() throws {
        // The first of the processes of a load restores it when the others have closed it.
        if job.sharing == nil { try store.empty() }
        for index in job.phases where !isInterrupted() {
            emit(.started(index))
            emit(.finished(report(on: index, continued: isContinued(index))))
        }
        try store.close()
    }

    /// Whether the next phase goes on in the session of the phase at an index.
    private func isContinued(_ index: Int) -> Bool {
        let phases = job.scenario.phases
        guard let next = phases.dropFirst(index + 1).first else { return false }
        return next.from == .previous && job.scenario.haveSameEntity(phases[index], next)
    }

    private mutating func report(on index: Int, continued: Bool) -> PhaseReport {
        let phase = job.scenario.phases[index]
        if let reason = job.scenario.reasonUnsupported(at: index, by: driver) {
            leaveOut(index)
            return PhaseReport(row: job.row(for: phase, status: .unsupported, error: reason))
        }
        // Before the store is restored and opened, which fills the caches anew.
        let calibration = instruments.calibrate?()
        var draft = ReportDraft()
        do {
            try run(index, continued: continued, &draft)
        } catch {
            draft.outcome.status = (error as? PhaseSkipped)?.status ?? .failed
            draft.outcome.error = error.reason
            tellOthers(of: error.reason, index)
        }
        if draft.outcome.status == .failed, phase.work.content.changesStore {
            broken = PhaseSkipped(reason: "\(phase.name) failed")
        }
        return draft.report(job.identity(of: phase), machine(draft.measurement, calibrated: calibration))
    }

    /// Notes that an unsupported phase did not run. What goes on from one that only reads starts from the same state.
    private mutating func leaveOut(_ index: Int) {
        let phase = job.scenario.phases[index]
        if phase.work.content.changesStore {
            broken = PhaseSkipped(reason: "\(phase.name) is unsupported", status: .unsupported)
        } else if phase.from != .previous {
            (leftOut, broken) = (index, nil)
        }
    }

    private mutating func run(_ index: Int, continued: Bool, _ report: inout ReportDraft) throws {
        let phase = job.scenario.phases[index]
        try restore(before: index)
        if phase.work.content.startsCold { try StoreStage.dropFromPageCache(store.directory) }
        let untouched = StoreFingerprint(of: store.directory)
        if !(phase.work.content is any OpeningWork) { try open(&report) }
        let outcome = Result {
            defer { finish(&report) }
            let problems = try store.run(phase.work.content, in: setting(untouched), report: &report)
            return try problems + settingsProblems(store.open(), &report)
                + (report.measurement?.counters.syncProblems(job.scenario.store) ?? [])
        }
        let keepsSeeded = try phase.makesSeededStore && needsSeeded && !store.stager.hasSeeded
        let staysOpen = continued && !keepsSeeded && (try? outcome.get())?.isEmpty == true
        let closing = Result { if !staysOpen { try store.close() } }
        let problems = try outcome.get()
        try closing.get()
        report.outcome.verified = problems.isEmpty
        report.outcome.status = problems.isEmpty ? .ok : .failed
        report.outcome.error = problems.joined(separator: "; ")
        if problems.isEmpty, keepsSeeded { try store.stager.keepSeeded() }
    }

    /// Otherwise the other processes of the load would wait for this one.
    private func tellOthers(of failure: String, _ phase: Int) {
        guard let sharing = job.sharing else { return }
        try? LoadRound(sharing, phase: phase, driver: driver).fail(failure)
    }

    private mutating func machine(_ measurement: PhaseMeasurement?, calibrated before: Int?) -> ResultRow.Machine {
        defer { fastestCalibration = [fastestCalibration, before, measurement?.calibration].compactMap(\.self).min() }
        return ResultRow.Machine(
            measurement, calibrated: before, fastest: fastestCalibration, hasServer: driver.server != nil)
    }

    private var needsSeeded: Bool { job.scenario.phases.contains { $0.from == .seeded } }

    /// Opens the store, if it is not open, and notes the time that it takes.
    private mutating func open(_ report: inout ReportDraft) throws {
        guard store.session == nil else { return }
        let start = instruments.clock.now()
        _ = try store.open()
        report.outsideClock.opening = instruments.clock.now() - start
    }

    /// Returns the settings of the session that are not the scenario's, and notes whether it reports any.
    private func settingsProblems(_ session: any StoreSession, _ report: inout ReportDraft) throws -> [String] {
        let settings = try session.settings()
        let problems = settings.flatMap { $0.problems(job.scenario.store) }
        report.outcome.keepsSettings = settings.isEmpty ? nil : problems.isEmpty
        return problems.withoutRepeats
    }

    /// Lets the session release what the phase left in memory, and adds the time that it takes to that of the records
    /// which it handed over.
    private func finish(_ report: inout ReportDraft) {
        guard let session = store.session else { return }
        let start = instruments.clock.now()
        session.finish()
        report.addRelease(instruments.clock.now() - start)
    }

    /// - Parameter untouched: The files of the store before it was opened for the phase.
    private func setting(_ untouched: StoreFingerprint) -> PhaseSetting {
        PhaseSetting(
            scenario: store.view, directory: store.directory, witness: store.witness, untouched: untouched,
            instruments: instruments,
            onProgress: { [emit] records in AllocationCount.leavingOut { emit(.progress(records)) } },
            onSample: { [emit] sample in AllocationCount.leavingOut { emit(.sample(sample)) } },
            stillness: ownsProcess ? Stillness() : nil, round: round?.load, salt: round?.salt)
    }

    private mutating func restore(before index: Int) throws {
        switch job.scenario.phases[index].from {
        case .empty: broken = PhaseSkipped(reason: "the store could not be emptied")
        case .file: broken = PhaseSkipped(reason: "the file could not be copied")
        case .seeded: broken = PhaseSkipped(reason: "the seeded store could not be restored")
        case .previous: if let broken { throw broken }
        }
        if let sharing = job.sharing {
            let load = try LoadRound(sharing, phase: index, driver: driver)
            try store.close()
            // The first shard restores the store, and all have to do with the records of the phase.
            try store.focus(on: job.scenario.phases[index])
            round = (load, try load.restore { try restoreStore(before: index) })
        } else {
            try restoreStore(before: index)
        }
        broken = nil
    }

    private mutating func restoreStore(before index: Int) throws {
        if job.scenario.phases[index].from == .previous, let leftOut { try store.restore(before: leftOut) }
        leftOut = nil
        try store.restore(before: index)
    }
}

/// Says why a phase was not begun.
struct PhaseSkipped: Error, CustomStringConvertible {
    let reason: String
    /// The status of the phase: what goes on from an unsupported phase is unsupported too.
    var status = ResultRow.Status.failed
    var description: String { "not run: \(reason)" }
}

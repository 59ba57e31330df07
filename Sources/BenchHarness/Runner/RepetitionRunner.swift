import Foundation

/// Runs the phases of a job once, with one driver, in this process.
struct RepetitionRunner {
    private let job: RepetitionJob
    private let driver: any StoreDriver
    private let instruments: Instruments
    private let isInterrupted: @Sendable () -> Bool
    private let emit: @Sendable (RepetitionEvent) -> Void
    private let stage: StoreStage
    private let generator: RecordGenerator

    /// The expected content of the store.
    private var expected: ExpectedStore
    private var expectedSeeded: ExpectedStore
    /// The reason why no phase can continue from the store's state; nil if one can.
    private var broken: String?
    /// The session, which stays open while the next phase continues from the previous one: closing a store may write
    /// its log back, and leave nothing for a checkpoint to do.
    private var session: (any StoreSession)?

    init(
        _ job: RepetitionJob, driver: any StoreDriver, instruments: Instruments,
        isInterrupted: @escaping @Sendable () -> Bool = { false }, emit: @escaping @Sendable (RepetitionEvent) -> Void
    ) {
        self.job = job
        self.driver = driver
        self.instruments = instruments
        self.isInterrupted = isInterrupted
        self.emit = emit
        stage = StoreStage(directory: job.directory)
        generator = RecordGenerator(entity: job.scenario.entity, seed: job.scenario.seed)
        expected = ExpectedStore(generator: generator)
        expectedSeeded = ExpectedStore(generator: generator)
        expectedSeeded.seed(records: job.scenario.records)
    }

    /// Runs the phases in order. A failed phase does not prevent later ones.
    mutating func run() throws {
        try stage.empty()
        for index in job.phases where !isInterrupted() {
            emit(.started(index))
            let next = job.scenario.phases.dropFirst(index + 1).first
            emit(.finished(report(on: job.scenario.phases[index], continued: next?.from == .previous)))
        }
        try close()
    }

    private mutating func close() throws {
        defer { session = nil }
        try session?.close()
    }

    private mutating func report(on phase: Phase, continued: Bool) -> PhaseReport {
        var report = PhaseReport(row: job.row(for: phase))
        if let reason = phase.reasonUnsupported(by: driver, entity: job.scenario.entity) {
            report.row.status = .unsupported
            report.row.error = reason
            if phase.work.content.changesStore { broken = "\(phase.name) is unsupported" }
            return report
        }
        do {
            try run(phase, continued: continued, &report)
        } catch {
            report.row.status = .failed
            report.row.error = "\(error)"
        }
        guard report.row.status == .failed else { return report }
        (report.latencies, report.operations) = (nil, nil)
        if phase.work.content.changesStore { broken = "\(phase.name) failed" }
        return report
    }

    private mutating func run(_ phase: Phase, continued: Bool, _ report: inout PhaseReport) throws {
        try restore(phase.from)
        let session = try self.session ?? driver.open(configuration)
        self.session = session
        let outcome = Result {
            defer { session.finish() }
            return try phase.work.content.run(session, in: setting, expected: &expected, report: &report)
        }
        let keepsSeeded = phase.makesSeededStore && needsSeeded && !stage.hasSeeded
        let staysOpen = continued && !keepsSeeded && (try? outcome.get())?.isEmpty == true
        let closing = Result { if !staysOpen { try close() } }
        let problems = try outcome.get()
        try closing.get()
        report.row.verified = problems.isEmpty
        report.row.status = problems.isEmpty ? .ok : .failed
        report.row.error = problems.joined(separator: "; ")
        if problems.isEmpty, keepsSeeded { try stage.keepSeeded() }
    }

    private var needsSeeded: Bool { job.scenario.phases.contains { $0.from == .seeded } }

    private var setting: PhaseSetting {
        PhaseSetting(
            scenario: job.scenario, directory: stage.store, instruments: instruments,
            onProgress: { [emit] in emit(.progress($0)) }, onSample: { [emit] in emit(.sample($0)) })
    }

    private var configuration: StoreConfiguration {
        StoreConfiguration(
            directory: stage.store, entity: job.scenario.entity, options: job.scenario.store, records: generator)
    }

    private mutating func restore(_ origin: Phase.Origin) throws {
        if origin != .previous { try close() }
        switch origin {
        case .empty:
            broken = "the store could not be emptied"
            try stage.empty()
            expected = ExpectedStore(generator: generator)
        case .seeded:
            broken = "the seeded store could not be restored"
            if !stage.hasSeeded { try makeSeeded() }
            try stage.restoreSeeded()
            expected = expectedSeeded
        case .previous:
            if let broken { throw PhaseSkipped(reason: broken) }
        }
        broken = nil
    }

    /// Seeds the store while the clock does not run, for scenarios that do not begin with a seed phase.
    private func makeSeeded() throws {
        try stage.empty()
        let session = try driver.open(configuration)
        let seeding = Result {
            try session.seed(SeedWork(), records: job.scenario.records, monitor: PhaseMonitor())
            var digester = RecordDigester()
            try session.scan(into: &digester)
            return digester.digest.unordered == expectedSeeded.digest().unordered
        }
        let closing = Result { try session.close() }
        guard try seeding.get() else { throw PhaseSkipped(reason: "seeding did not leave the expected records") }
        try closing.get()
        try stage.keepSeeded()
    }
}

/// The reason why a phase did not run.
struct PhaseSkipped: Error, CustomStringConvertible {
    let reason: String
    var description: String { "not run: \(reason)" }
}

extension Phase {
    /// Whether the store is a seeded one after this phase.
    fileprivate var makesSeededStore: Bool {
        if case .seed = work { return from == .empty }
        return false
    }
}

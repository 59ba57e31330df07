import Dispatch
import Foundation

/// Work that a session does in one call, within the clock.
protocol SingleWork: PhaseWork {
    /// The protocol of the sessions that can do it.
    associatedtype Session
    /// What it needs prepared.
    associatedtype Preparation = Void

    /// After how many records it is cancelled; nil lets it finish.
    var cancelAfterRecords: Int? { get }
    /// The queue whose stalls count.
    func queue(of session: Session) -> DispatchQueue
    /// Prepares the work, before the clock starts.
    func prepare(_ session: Session, _ scenario: Scenario) throws -> Preparation
    /// Does the work.
    func perform(
        _ session: Session, _ preparation: Preparation, _ scenario: Scenario, _ monitor: PhaseMonitor
    ) throws -> (any FetchedRecords)?
    /// Does to the expected store what the work did to the real one.
    ///
    /// - Returns: How many records that concerns, where it is known without looking at the result.
    func apply(to expected: inout ExpectedStore, _ preparation: Preparation, _ scenario: Scenario) -> Int?
    /// What is wrong with the outcome, looked at outside the clock; empty when all is well.
    func problems(_ outcome: PhaseOutcome, _ preparation: Preparation) throws -> [String]
}

extension SingleWork {
    var cancelAfterRecords: Int? { nil }

    func run(
        _ session: any StoreSession, in setting: PhaseSetting, expected: inout ExpectedStore, report: inout PhaseReport
    ) throws -> [String] {
        let able = try session.offering(Session.self)
        let preparation = try prepare(able, setting.scenario)
        var measurement = PhaseMeasurement()
        let monitor = PhaseMonitor(
            clock: setting.instruments.clock, cancelAfterRecords: cancelAfterRecords, onProgress: setting.onProgress)
        let fetched = try measurement.measure(
            session, queue: queue(of: able), in: setting.directory, with: setting.instruments
        ) { watch in
            monitor.start(watch)
            return try perform(able, preparation, setting.scenario, monitor)
        }
        measurement.observations = monitor.observations()
        let worked = apply(to: &expected, preparation, setting.scenario) ?? fetched?.count
        measurement.fill(
            &report.row, records: worked, done: worked, processors: ProcessInfo.processInfo.activeProcessorCount)
        let latencies = measurement.observations.latencies
        report.latencies = latencies.count > 1 ? latencies : nil
        let outcome = PhaseOutcome(
            session: session, fetched: fetched, observations: measurement.observations, expected: expected)
        return try problems(outcome, preparation)
    }
}

extension SingleWork where Preparation == Void {
    func prepare(_ session: Session, _ scenario: Scenario) throws {}
}

extension SingleWork where Session == any StoreSession {
    func queue(of session: Session) -> DispatchQueue { session.queue }
}

/// Where a phase is done.
struct PhaseSetting {
    let scenario: Scenario
    /// The folder of the store.
    let directory: URL
    let instruments: Instruments
    let onProgress: @Sendable (Int) -> Void
    let onSample: @Sendable (LoadSample) -> Void
}

/// What a phase came to, for those who judge it.
struct PhaseOutcome {
    let session: any StoreSession
    let fetched: (any FetchedRecords)?
    let observations: PhaseObservations
    /// What must be in the store now.
    let expected: ExpectedStore

    /// What is wrong with the store as a whole; empty when all is well.
    func storeProblems() throws -> [String] {
        var digester = RecordDigester()
        try session.scan(into: &digester)
        let (found, wanted) = (digester.digest, expected.digestWithOwners())
        var problems = try session.checkIntegrity()
        if found.count != wanted.count {
            problems.append("the store holds \(found.count) records; expected \(wanted.count)")
        } else if found.unordered != wanted.unordered {
            problems.append("the store holds other values than expected")
        }
        return problems
    }
}

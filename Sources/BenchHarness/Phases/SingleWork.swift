import Dispatch
import Foundation
import Locking

/// Work that a session does in one call, while the clock runs.
protocol SingleWork: RunnableWork {
    /// The protocol of the sessions that can do the work.
    associatedtype Session
    /// The result of the preparation.
    associatedtype Preparation = Void

    /// The number of records after which the work is cancelled; nil lets it finish.
    var cancelAfterRecords: Int? { get }
    /// How much of the result the harness reads within the clock.
    var extent: RecordWalk.Extent { get }
    /// Returns the queue whose stalls count.
    func queue(of session: Session) -> DispatchQueue
    /// Prepares the work, before the clock starts.
    func prepare(_ session: Session, _ scenario: Scenario) throws -> Preparation
    /// Does the work.
    func perform(
        _ session: Session, _ preparation: Preparation, _ scenario: Scenario, _ monitor: PhaseMonitor
    ) throws -> (any FetchedRecords)?
    /// Applies the expected effects of the work to the expected store.
    ///
    /// - Returns: The number of affected records, if it is known without the result.
    func apply(to expected: inout ExpectedStore, _ preparation: Preparation, _ scenario: Scenario) -> Int?
    /// Returns what is wrong with the outcome; empty if all is well. Called while the clock does not run.
    func problems(_ outcome: PhaseOutcome, _ preparation: Preparation) throws -> [String]
}

extension SingleWork {
    var cancelAfterRecords: Int? { nil }
    var extent: RecordWalk.Extent { .nothing }

    func run(
        _ session: any StoreSession, in setting: PhaseSetting, expected: inout ExpectedStore, report: inout ReportDraft
    ) throws -> [String] {
        let able = try session.offering(Session.self)
        let clock = setting.instruments.clock
        let start = clock.now()
        let preparation = try prepare(able, setting.scenario)
        report.outsideClock.preparation = clock.now() - start
        let early = try setting.earlyChanges(session, &expected)
        guard early.isEmpty else { return early }
        var measurement = PhaseMeasurement()
        measurement.followsLogs = setting.verifies
        let monitor = PhaseMonitor(
            clock: clock, cancelAfterRecords: cancelAfterRecords, onProgress: setting.onProgress)
        let queue = queue(of: able)
        var walk = RecordWalk(extent)
        let handedOver = try measurement.measure(
            session, queue: queue, in: setting.directory, with: setting.instruments
        ) { watch in
            monitor.start(watch)
            let fetched = try perform(able, preparation, setting.scenario, monitor)
            if let fetched { try walk.read(fetched, on: queue) }
            return HandedOver(fetched)
        }
        measurement.observations = monitor.observations()
        monitor.forgetCancellation()
        guard setting.verifies else {
            report.note(measurement, records: nil)
            return []
        }
        let children = setting.awaitWork(after: measurement, of: session, &report)
        let worked = apply(to: &expected, preparation, setting.scenario) ?? handedOver.records?.count
        let cold = startsCold ? ColdStart(read: measurement.readBytes, store: measurement.files?.totalBytes) : nil
        return try children
            + setting.conclude(
                measurement, of: session, handedOver, walk, records: worked, cold: cold, expected: &expected,
                report: &report
            ) { try problems($0, preparation) }
    }
}

extension PhaseSetting {
    /// Notes what was measured, and verifies the outcome.
    ///
    /// - Returns: What is wrong with the outcome; empty if all is well.
    func conclude(
        _ measurement: PhaseMeasurement, of session: any StoreSession, _ handedOver: HandedOver, _ walk: RecordWalk,
        records: Int?, cold: ColdStart?, expected: inout ExpectedStore, report: inout ReportDraft,
        verifying problems: (PhaseOutcome) throws -> [String]
    ) throws -> [String] {
        report.note(measurement, records: records)
        let outcome = PhaseOutcome(
            session: session, witness: witness, handedOver: handedOver, records: records, walk: walk,
            observations: measurement.observations, files: measurement.files,
            logs: measurement.logs, cpu: measurement.cpu, probe: instruments.probe, expected: expected)
        report.outcome.isCold = cold?.isProven
        let found = try (cold?.problems ?? []) + problems(outcome)
        if let versions = outcome.inspection.value?.versions { expected.settle(versions) }
        report.addRelease(handedOver.release(instruments.clock))
        return found
    }
}

extension SingleWork where Preparation == Void {
    func prepare(_ session: Session, _ scenario: Scenario) throws {}
}

extension SingleWork where Session == any StoreSession {
    func queue(of session: Session) -> DispatchQueue { session.queue }
}

/// The place where a phase runs.
struct PhaseSetting {
    let scenario: Scenario
    /// The folder of the store.
    let directory: URL
    /// Inspects the store.
    let witness: StoreWitness
    /// The files of the store before the driver opened it for the phase; nil if they may change before the clock
    /// starts.
    let untouched: StoreFingerprint?
    let instruments: Instruments
    let onProgress: @Sendable (Int) -> Void
    let onSample: @Sendable (LoadSample) -> Void
    /// Whether the outcome is looked at. If not, neither is noted what must be in the store.
    var verifies = true
    /// Waits for work after the clock; nil in a process that does other work too.
    var stillness: Stillness?
    /// Seeds the choice of operations; nil takes the scenario's seed.
    var operationSeed: UInt64?
    /// The other processes that do the load too; nil for one of this process alone.
    var round: LoadRound?
    /// The salt of the checksums that all processes of the load share.
    var salt: UInt64?
}

/// The outcome of a phase, for its verification.
struct PhaseOutcome {
    let session: any StoreSession
    /// Inspects the store.
    let witness: StoreWitness
    let handedOver: HandedOver
    /// The number of records that the work affects; nil if it is unknown.
    let records: Int?
    /// The reading of the fetched records within the clock.
    let walk: RecordWalk
    let observations: PhaseObservations
    /// The files of the store when the clock had stopped; nil if they could not be read.
    let files: StoreFiles?
    /// The logs of the store before and after the clock ran; nil if nothing noted them.
    let logs: LogSpan?
    /// The CPU time of the process within the clock, in nanoseconds; nil if unknown.
    let cpu: Int?
    /// Reads the CPU time.
    let probe: any MetricProbe
    /// The expected content of the store.
    let expected: ExpectedStore

    /// The fetched records; nil if the work fetches none.
    var fetched: (any FetchedRecords)? { handedOver.records }

    /// What was found in the store; nil before it was inspected.
    let inspection = Locked<StoreInspection?>(nil)

    /// Feeds the fetched records to `digester`, and returns what differs from the reading within the clock; empty if
    /// nothing does.
    func digestFetched(into digester: inout RecordDigester) throws -> [String] {
        walk.prepare(&digester)
        try fetched?.digest(into: &digester)
        return walk.discrepancy(in: digester).map { [$0] } ?? []
    }

    /// Returns what is wrong with the store as a whole; empty if all is well.
    func storeProblems() throws -> [String] {
        // The inspection does not tell when the store came to hold what it holds.
        let late = logs?.lateChanges() ?? []
        let found = try witness.inspect(session)
        inspection.withLock { $0 = found }
        return late + expected.problems(found)
    }

    /// Returns what is wrong with the store apart from its content, which only the driver knows; empty if nothing is.
    func damage() throws -> [String] {
        try (logs?.lateChanges() ?? []) + expected.newProblems(witness.inspect(session))
    }

    /// Returns the problem of work whose driver did not report each of its saves, or did not make it; empty if it did
    /// both. The percentiles would be those of some saves, and nothing but the log, if there is one, counts the others.
    func missingSaves(_ least: Int, _ name: String? = nil, commits: Int? = nil) -> [String] {
        let reported = observations.latencies.count
        guard reported >= least else {
            let saves = [Figure.count(reported, "save"), name].compactMap(\.self).joined(separator: " ")
            return ["the driver reported \(saves); expected \(least) or more"]
        }
        return missingCommits(commits ?? least)
    }

    /// Returns the problem of work that made fewer commits than it must; empty if it did not, or if nothing tells.
    func missingCommits(_ least: Int) -> [String] { logs?.missingCommits(least) ?? [] }
}

extension ExpectedStore {
    /// Returns the errors in a store that were not in the file which it is a copy of.
    func newProblems(_ found: StoreInspection) -> [String] { found.problems.filter { !knownProblems.contains($0) } }

    /// Returns what is wrong with a store; empty if all is well.
    func problems(_ found: StoreInspection) -> [String] {
        let wanted = digestOfAll()
        var problems = newProblems(found)
        if found.content.count != wanted.count {
            problems.append("the store holds \(found.content.count) records; expected \(wanted.count)")
        } else if found.content.unordered != wanted.unordered {
            problems.append("the store does not hold the expected values")
        } else if let versions = found.versions, content().rule(of: versions) == nil {
            problems.append("the versions of the records do not count the saves that wrote them")
        }
        return problems
    }
}

import Foundation

/// Does one phase in an open session: prepares, measures, verifies. The store is in its starting state already.
struct PhaseRunner {
    let phase: Phase
    let scenario: Scenario
    let directory: URL
    let instruments: Instruments
    let onProgress: @Sendable (Int) -> Void
    let onSample: @Sendable (LoadSample) -> Void

    /// Runs the phase and notes in `expected` what it must have done.
    ///
    /// - Returns: What is wrong with the outcome; empty when all is well.
    func run(_ session: any StoreSession, expected: inout ExpectedStore, report: inout PhaseReport) throws -> [String] {
        defer { session.finish() }
        if case .load(let work) = phase.work {
            return try LoadPhaseRunner(
                work: work, scenario: scenario, directory: directory, instruments: instruments, onSample: onSample
            ).run(session, report: &report)
        }
        let plan = mergePlan
        try prepare(session, plan)
        var measurement = PhaseMeasurement()
        let fetched = try measure(session, plan, &measurement)
        let affected = advance(&expected, plan)
        let records = fetched.map(\.count)
        let worked = plan == nil ? records ?? affected : affected
        measurement.fill(
            &report.row, records: worked, done: worked,
            processors: ProcessInfo.processInfo.activeProcessorCount)
        let latencies = measurement.observations.latencies
        report.latencies = latencies.count > 1 ? latencies : nil
        return try PhaseVerifier(phase: phase, expected: expected, plan: plan)
            .problems(session, fetched, measurement.observations)
    }

    private var mergePlan: MergePlan? {
        guard case .merge(let work) = phase.work else { return nil }
        return MergePlan.make(work: work, records: scenario.records, seed: scenario.seed)
    }

    private func prepare(_ session: any StoreSession, _ plan: MergePlan?) throws {
        if case .update(let work) = phase.work, work.mode == .perObject { try session.prepareUpdate(work) }
        if let plan { try session.prepareMerge(plan) }
    }

    private func measure(
        _ session: any StoreSession, _ plan: MergePlan?, _ result: inout PhaseMeasurement
    ) throws -> (any FetchedRecords)? {
        let queue = plan == nil ? session.queue : session.mergeQueue
        let monitor = makeMonitor()
        let fetched = try result.measure(session, queue: queue, in: directory, with: instruments) { watch in
            monitor.start(watch)
            return try work(session, plan, monitor)
        }
        result.observations = monitor.observations()
        return fetched
    }

    private func makeMonitor() -> PhaseMonitor {
        var limit: Int?
        if case .fetch(let work) = phase.work { limit = work.cancelAfterRecords }
        return PhaseMonitor(clock: instruments.clock, cancelAfterRecords: limit, onProgress: onProgress)
    }

    private func work(
        _ session: any StoreSession, _ plan: MergePlan?, _ monitor: PhaseMonitor
    ) throws -> (any FetchedRecords)? {
        switch phase.work {
        case .seed(let work): try session.seed(work, records: scenario.records, monitor: monitor)
        case .fetch(let work) where work.mode == .sync: return try session.fetch(work, monitor: monitor)
        case .fetch(let work): return try session.fetchAsynchronously(work, monitor: monitor)
        case .update(let work): try session.update(work, monitor: monitor)
        case .merge: if let plan { return try session.merge(plan, monitor: monitor) }
        case .checkpoint: try session.checkpoint()
        // Loads have a runner of their own.
        case .load: break
        }
        return nil
    }

    /// Does to the expected store what the phase did to the real one.
    ///
    /// - Returns: How many records that concerns, where it is known without looking at the result.
    private func advance(_ expected: inout ExpectedStore, _ plan: MergePlan?) -> Int? {
        switch phase.work {
        case .seed:
            expected.seed(records: scenario.records)
            return scenario.records
        case .update(let work):
            let found = expected.expectation(for: FetchWork(mode: .sync, filter: work.filter, touch: .none))
            expected.apply(work)
            return found.count
        case .merge:
            guard let plan else { return nil }
            expected.apply(plan)
            return plan.writers.joined().reduce(0) { $0 + $1.inserts.count + $1.changes.count + $1.deletes.count }
        case .fetch, .checkpoint, .load: return nil
        }
    }
}

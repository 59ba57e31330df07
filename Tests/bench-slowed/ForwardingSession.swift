import BenchHarness
import Dispatch

/// What the sessions of the baseline drivers can do.
typealias BaselineCapabilities = FetchingSession & AsynchronousFetchingSession & UpdatingSession & MergingSession
    & LoadingSession & CheckpointingSession

/// Does all that a session of a baseline driver does; what a driver for tests does otherwise, it overrides.
class ForwardingSession: BaselineCapabilities {
    let base: any BaselineCapabilities

    init(_ base: any StoreSession) {
        guard let base = base as? any BaselineCapabilities else { preconditionFailure("\(base) is no baseline's") }
        self.base = base
    }

    var queue: DispatchQueue { base.queue }

    func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try base.fetch(work, monitor: monitor)
    }
    func makeLoadWorker(_ index: Int, _ work: LoadWork) throws -> any LoadWorker {
        try base.makeLoadWorker(index, work)
    }

    func prepareUpdate(_ work: UpdateWork) throws { try base.prepareUpdate(work) }
    func prepareMerge(_ plan: MergePlan) throws { try base.prepareMerge(plan) }
    func seed(_ work: SeedWork, records: Int, monitor: PhaseMonitor) throws {
        try base.seed(work, records: records, monitor: monitor)
    }
    func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try base.fetchAsynchronously(work, monitor: monitor)
    }
    func update(_ work: UpdateWork, monitor: PhaseMonitor) throws { try base.update(work, monitor: monitor) }
    func merge(_ plan: MergePlan, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try base.merge(plan, monitor: monitor)
    }
    func checkpoint() throws { try base.checkpoint() }
    func forEachRecord(_ body: (StoredRecord) -> Void) throws { try base.forEachRecord(body) }
    func finish() { base.finish() }
    func counters() throws -> StoreCounters { try base.counters() }
    func resetCounters() { base.resetCounters() }
    func scan(into digester: inout RecordDigester) throws { try base.scan(into: &digester) }
    func checkIntegrity() throws -> [String] { try base.checkIntegrity() }
    func close() throws { try base.close() }
}

import BenchHarness
import Dispatch

/// Does all that another session does; what a driver for tests does otherwise, it overrides.
class ForwardingSession: StoreSession {
    let base: any StoreSession

    init(_ base: any StoreSession) {
        self.base = base
    }

    var queue: DispatchQueue { base.queue }
    var mergeQueue: DispatchQueue { base.mergeQueue }

    func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try base.fetch(work, monitor: monitor)
    }
    func makeLoadWorker(_ index: Int, _ work: LoadWork) throws -> any LoadWorker {
        try base.makeLoadWorker(index, work)
    }

    func prepareUpdate(_ work: UpdateWork) throws { try base.prepareUpdate(work) }
    func prepareMerge(_ plan: MergePlan) throws { try base.prepareMerge(plan) }
    func prepareLoad(_ work: LoadWork, monitor: LoadMonitor) throws { try base.prepareLoad(work, monitor: monitor) }
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
    func endLoad() throws { try base.endLoad() }
    func checkLoad() throws -> [String] { try base.checkLoad() }
    func forEachRecord(_ body: (StoredRecord) -> Void) throws { try base.forEachRecord(body) }
    func finish() { base.finish() }
    func counters() throws -> StoreCounters { try base.counters() }
    func resetCounters() { base.resetCounters() }
    func scan(into digester: inout RecordDigester) throws { try base.scan(into: &digester) }
    func checkIntegrity() throws -> [String] { try base.checkIntegrity() }
    func close() throws { try base.close() }
}

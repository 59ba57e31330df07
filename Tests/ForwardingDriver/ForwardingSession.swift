import BenchHarness
import Dispatch

/// What the sessions of the baseline drivers can do.
public typealias BaselineCapabilities = FetchingSession & AsynchronousFetchingSession & GettingSession & PagingSession
    & InsertingSession & UpsertingSession & UpdatingSession & DeletingSession & CountingSession & AggregatingSession
    & MergingSession & LoadingSession & CheckpointingSession

/// Does all that a session of a baseline driver does; what a driver for tests does otherwise, it overrides.
open class ForwardingSession: BaselineCapabilities {
    /// The session that does the work.
    public let base: any BaselineCapabilities

    /// Forwards to `base`, which must have the capabilities of the baseline.
    public init(_ base: any StoreSession) {
        guard let base = base as? any BaselineCapabilities else { preconditionFailure("\(base) is no baseline's") }
        self.base = base
    }

    open var queue: DispatchQueue { base.queue }
    open var mergeQueue: DispatchQueue { base.mergeQueue }

    open func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try base.fetch(work, monitor: monitor)
    }
    open func makeLoadWorker(_ index: Int, _ work: LoadWork) throws -> any LoadWorker {
        try base.makeLoadWorker(index, work)
    }

    open func prepareUpdate(_ work: UpdateWork) throws { try base.prepareUpdate(work) }
    open func prepareMerge(_ plan: MergePlan) throws { try base.prepareMerge(plan) }
    open func seed(_ work: SeedWork, records: Int, monitor: PhaseMonitor) throws {
        try base.seed(work, records: records, monitor: monitor)
    }
    open func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try base.fetchAsynchronously(work, monitor: monitor)
    }
    open func prepareGets(_ ordinals: [Int]) throws { try base.prepareGets(ordinals) }
    open func get(_ ordinal: Int) throws -> any FetchedRecords { try base.get(ordinal) }
    open func page(_ work: FetchWork, offset: Int) throws -> any FetchedRecords {
        try base.page(work, offset: offset)
    }
    open func insert(_ ordinals: Range<Int>) throws { try base.insert(ordinals) }
    open func upsert(_ ordinals: [Int], of records: RecordGenerator) throws { try base.upsert(ordinals, of: records) }
    open func update(_ work: UpdateWork, monitor: PhaseMonitor) throws { try base.update(work, monitor: monitor) }
    open func prepareDeletion(_ work: DeleteWork) throws { try base.prepareDeletion(work) }
    open func delete(_ work: DeleteWork) throws { try base.delete(work) }
    open func count(_ work: CountWork) throws -> Int { try base.count(work) }
    open func aggregate(_ work: AggregateWork) throws -> [AggregatedGroup] { try base.aggregate(work) }
    open func merge(_ plan: MergePlan, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try base.merge(plan, monitor: monitor)
    }
    open func checkpoint() throws { try base.checkpoint() }
    open func forEachRecord(_ body: (StoredRecord) -> Void) throws { try base.forEachRecord(body) }
    open func finish() { base.finish() }
    open func counters() throws -> StoreCounters { try base.counters() }
    open func resetCounters() { base.resetCounters() }
    open func scan(into digester: inout RecordDigester) throws { try base.scan(into: &digester) }
    open func checkIntegrity() throws -> [String] { try base.checkIntegrity() }
    open func settings() throws -> [StoreSettings] { try base.settings() }
    open func close() throws { try base.close() }
}

import BenchHarness
import Testing

/// The capabilities of a session, for tests of drivers that have them all.
extension StoreSession {
    func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try #require(self as? any FetchingSession).fetch(work, monitor: monitor)
    }

    func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try #require(self as? any AsynchronousFetchingSession).fetchAsynchronously(work, monitor: monitor)
    }

    func prepareUpdate(_ work: UpdateWork) throws {
        try #require(self as? any UpdatingSession).prepareUpdate(work)
    }

    func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {
        try #require(self as? any UpdatingSession).update(work, monitor: monitor)
    }

    func prepareMerge(_ plan: MergePlan) throws {
        try #require(self as? any MergingSession).prepareMerge(plan)
    }

    func merge(_ plan: MergePlan, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try #require(self as? any MergingSession).merge(plan, monitor: monitor)
    }

    func makeLoadWorker(_ index: Int, _ work: LoadWork) throws -> any LoadWorker {
        try #require(self as? any LoadingSession).makeLoadWorker(index, work)
    }

    func forEachRecord(_ body: (StoredRecord) -> Void) throws {
        try #require(self as? any LoadingSession).forEachRecord(body)
    }

    func checkpoint() throws {
        try #require(self as? any CheckpointingSession).checkpoint()
    }
}

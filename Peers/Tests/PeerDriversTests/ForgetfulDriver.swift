import BenchHarness

@testable import PeerDrivers

/// Leaves one record as it was when it updates, and one out when it fetches or merges.
struct ForgetfulDriver: StoreDriver {
    let name = "forgetful"
    let summary = "Forgets a record"

    var sessionType: any StoreSession.Type { ForgetfulSession.self }

    func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        let store = PeerStore(configuration)
        return try ForgetfulSession(store, RecordTechnique<ItemRecord>(query: RecordQuery(table: store.table)))
    }
}

private final class ForgetfulSession: GRDBSession<RecordTechnique<ItemRecord>> {
    override func prepareUpdate(_ work: UpdateWork) throws { try super.prepareUpdate(work.forgetful) }

    override func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {
        try super.update(work.forgetful, monitor: monitor)
    }

    override func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        var work = work
        work.limit = 99
        return try super.fetch(work, monitor: monitor)
    }

    override func merge(_ plan: MergePlan, monitor: PhaseMonitor) throws -> any FetchedRecords {
        var plan = plan
        plan.writers[0].removeLast()
        return try super.merge(plan, monitor: monitor)
    }
}

extension UpdateWork {
    fileprivate var forgetful: UpdateWork {
        var work = self
        let others = FilterSpec.compare(key: "name", .notEqual, .string("Item 7"))
        work.filter = filter.map { .and([$0, others]) } ?? others
        return work
    }
}

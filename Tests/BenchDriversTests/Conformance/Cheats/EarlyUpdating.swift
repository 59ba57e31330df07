import BenchHarness
import ForwardingDriver

/// Updates before the clock starts.
final class EarlyUpdating: ForwardingSession {
    override func prepareUpdate(_ work: UpdateWork) throws {
        try super.prepareUpdate(work)
        try super.update(work, monitor: PhaseMonitor())
    }

    override func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {
        if work.mode != .perObject { try super.update(work, monitor: monitor) }
    }
}

/// Merges before the clock starts, and reports the saves later.
final class EarlyMerging: ForwardingSession {
    private var merged: (any FetchedRecords)?

    override func prepareMerge(_ plan: MergePlan) throws {
        try super.prepareMerge(plan)
        merged = try super.merge(plan, monitor: PhaseMonitor())
    }

    override func merge(_ plan: MergePlan, monitor: PhaseMonitor) throws -> any FetchedRecords {
        for _ in plan.writers.joined() { monitor.operation {} }
        guard let merged else { return try super.merge(plan, monitor: monitor) }
        return merged
    }
}

/// Seeds an empty store as soon as it is open.
final class EarlySeeding: ForwardingSession {
    override init(_ base: any StoreSession) {
        super.init(base)
        var digester = RecordDigester()
        do {
            try base.scan(into: &digester)
            if digester.digest.count == 0 { try base.seed(SeedWork(), records: 200, monitor: PhaseMonitor()) }
        } catch {
            preconditionFailure("\(error)")
        }
    }

    override func seed(_ work: SeedWork, records: Int, monitor: PhaseMonitor) {}
}

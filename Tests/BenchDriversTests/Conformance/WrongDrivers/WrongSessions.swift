import BenchHarness
import ForwardingDriver

/// Seeds more or fewer records than it is told to.
final class SeedingWrong: ForwardingSession {
    private let difference: Int

    init(_ base: any StoreSession, by difference: Int) {
        self.difference = difference
        super.init(base)
    }

    override func seed(_ work: SeedWork, records: Int, monitor: PhaseMonitor) throws {
        try super.seed(work, records: max(0, records + difference), monitor: monitor)
    }
}

/// Goes on counting after a reset.
final class CountingOn: ForwardingSession {
    override func resetCounters() {}
}

/// Knows none of its counters.
final class CountingNothing: ForwardingSession {
    override func counters() -> StoreCounters { StoreCounters() }
}

/// Finds itself unsound.
final class Damaged: ForwardingSession {
    override func checkIntegrity() throws -> [String] { ["damaged"] }
}

/// Leaves a record as it was when it updates.
final class Leaving: ForwardingSession {
    private let filter: FilterSpec

    init(_ base: any StoreSession, _ records: RecordGenerator) {
        // One that is not done: making it done, or toggling it, shows.
        let ordinal = (0..<100).first { !records.bool(2, $0) } ?? 0
        filter = .compare(key: records.entity.attributes[0].name, .notEqual, records.value(0, ordinal))
        super.init(base)
    }

    override func prepareUpdate(_ work: UpdateWork) throws { try super.prepareUpdate(forgetful(work)) }

    override func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {
        try super.update(forgetful(work), monitor: monitor)
    }

    private func forgetful(_ work: UpdateWork) -> UpdateWork {
        var work = work
        work.filter = work.filter.map { .and([$0, filter]) } ?? filter
        return work
    }
}

/// Says that it has updated.
final class Idle: ForwardingSession {
    override func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {}
}

/// Leaves out the last record of a save.
final class InsertingTooFew: ForwardingSession {
    override func insert(_ ordinals: Range<Int>) throws { try super.insert(ordinals.dropLast()) }
}

/// Leaves the first 300 records as they are when they arrive again.
final class KeepingKnown: ForwardingSession {
    override func upsert(_ ordinals: [Int], of records: RecordGenerator) throws {
        try super.upsert(ordinals.filter { $0 >= 300 }, of: records)
    }
}

/// Says that it has deleted.
final class Keeping: ForwardingSession {
    override func delete(_ work: DeleteWork) throws {}
}

/// Counts a record more than there are.
final class Overcounting: ForwardingSession {
    override func count(_ work: CountWork) throws -> Int { try super.count(work) + 1 }
}

/// Leaves out a group.
final class Ungrouping: ForwardingSession {
    override func aggregate(_ work: AggregateWork) throws -> [AggregatedGroup] {
        try super.aggregate(work).dropLast(work.groupBy == nil ? 0 : 1)
    }
}

/// Computes of all records, whether a filter lets them through or not.
final class AggregatingAll: ForwardingSession {
    override func aggregate(_ work: AggregateWork) throws -> [AggregatedGroup] {
        var work = work
        work.filter = nil
        return try super.aggregate(work)
    }
}

/// Times each chunk of an update when it has updated all of them.
final class Untimed: ForwardingSession {
    override func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {
        try super.update(work, monitor: PhaseMonitor())
        if work.mode == .chunked { for _ in 0..<10 { monitor.operation {} } }
    }
}

/// Inserts what the first save of a merge inserts a second time.
final class Doubling: ForwardingSession {
    override func prepareMerge(_ plan: MergePlan) throws { try super.prepareMerge(doubled(plan)) }

    override func merge(_ plan: MergePlan, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try super.merge(doubled(plan), monitor: monitor)
    }

    private func doubled(_ plan: MergePlan) -> MergePlan {
        var plan = plan
        plan.writers.append([MergePlan.Save(inserts: plan.writers[0][0].inserts, changes: 0..<0, deletes: 0..<0)])
        return plan
    }
}

/// Takes no change back.
final class KeepingChanges: ForwardingSession, UndoingSession {
    private let undoing: any UndoingSession

    override init(_ base: any StoreSession) {
        guard let undoing = base as? any UndoingSession else { preconditionFailure("\(base) takes no changes back") }
        self.undoing = undoing
        super.init(base)
    }

    func prepareUndo(_ work: UndoWork) throws -> any FetchedRecords { try undoing.prepareUndo(work) }
    func undo() throws {}
}

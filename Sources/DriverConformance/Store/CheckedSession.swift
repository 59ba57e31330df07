import BenchHarness
import Dispatch

/// A session of the driver under test; it records its steps.
final class CheckedSession {
    let base: any StoreSession
    let steps: StepLog
    private var isOpen = true

    init(_ base: any StoreSession, _ steps: StepLog) {
        self.base = base
        self.steps = steps
    }

    var queue: DispatchQueue { base.queue }

    /// Seeds records, and returns the number of saves that the session reports.
    @discardableResult
    func seed(_ records: Int, saveEvery: Int = 0) throws -> Int {
        steps.begin("seed \(records) records" + (saveEvery == 0 ? "" : ", saving every \(saveEvery)"))
        let monitor = PhaseMonitor()
        try base.seed(SeedWork(saveEvery: saveEvery), records: records, monitor: monitor)
        return monitor.observations().latencies.count
    }

    func close() throws {
        guard isOpen else { return }
        isOpen = false
        steps.begin("close the store")
        try base.close()
    }

    /// Closes the store, if it is still open, without a step.
    func abandon() {
        guard isOpen else { return }
        isOpen = false
        try? base.close()
    }

    func finish() { base.finish() }

    func resetCounters() {
        steps.begin("reset the counters")
        base.resetCounters()
    }

    func counters() throws -> StoreCounters {
        steps.begin("read the counters")
        return try base.counters()
    }

    /// Returns a clock whose nanoseconds are the rows that the session counts; nil if it counts none.
    func rowClock() throws -> RowClock? { try base.counters().rows == nil ? nil : RowClock(session: base) }

    func checkpoint() throws {
        steps.begin("write the log back")
        try base.offering((any CheckpointingSession).self).checkpoint()
    }

    /// Returns the errors that the store's own check finds.
    func integrityProblems() throws -> [String] {
        steps.begin("check the store's integrity")
        return try base.checkIntegrity()
    }

    /// Returns every record of the store, in any order, as the harness reads it.
    func scanned() throws -> FoundRecords {
        steps.begin("scan the store")
        return try FoundRecords { try base.scan(into: &$0) }
    }
}

// MARK: - Phases

extension CheckedSession {
    /// Fetches in the mode of the work.
    func fetch(_ work: FetchWork, monitor: PhaseMonitor = PhaseMonitor()) throws -> any FetchedRecords {
        steps.begin("fetch \(work.summary)")
        return switch work.mode {
        case .sync: try base.offering((any FetchingSession).self).fetch(work, monitor: monitor)
        case .async:
            try base.offering((any AsynchronousFetchingSession).self).fetchAsynchronously(work, monitor: monitor)
        }
    }

    /// Gets single records as the harness does: with a preparation, and read before the next one.
    func get(_ ordinals: [Int], _ read: (Int, any FetchedRecords) throws -> Void) throws {
        let session = try base.offering((any GettingSession).self)
        steps.begin("prepare to get the records \(ordinals)")
        try session.prepareGets(ordinals)
        defer { finish() }
        for ordinal in ordinals {
            steps.begin("get record \(ordinal)")
            try read(ordinal, session.get(ordinal))
        }
    }

    /// Fetches a page.
    func page(_ work: FetchWork, offset: Int) throws -> any FetchedRecords {
        steps.begin("fetch a page \(work.summary) after \(offset) records")
        return try base.offering((any PagingSession).self).page(work, offset: offset)
    }

    /// Adds records to the store in one save.
    func insert(_ ordinals: Range<Int>) throws {
        steps.begin("add the records \(ordinals)")
        try base.offering((any InsertingSession).self).insert(ordinals)
    }

    /// Saves received records at once.
    func upsert(_ ordinals: [Int], of records: RecordGenerator) throws {
        steps.begin("save \(ordinals.count) received records")
        try base.offering((any UpsertingSession).self).upsert(ordinals, of: records)
    }

    /// Loads the records that a per-object update changes.
    func prepareUpdate(_ work: UpdateWork) throws {
        steps.begin("prepare the update \(work.summary)")
        try base.offering((any UpdatingSession).self).prepareUpdate(work)
    }

    /// Updates the prepared records.
    func updatePrepared(_ work: UpdateWork, monitor: PhaseMonitor = PhaseMonitor()) throws {
        steps.begin("update \(work.summary)")
        try base.offering((any UpdatingSession).self).update(work, monitor: monitor)
    }

    /// Updates as the harness does: with a preparation if the mode needs one.
    func update(_ work: UpdateWork) throws {
        if work.mode == .perObject { try prepareUpdate(work) }
        defer { finish() }
        try updatePrepared(work)
    }

    /// Changes records without saving.
    func prepareUndo(_ work: UndoWork) throws -> any FetchedRecords {
        steps.begin("change \(work.set.map(\.attribute).joined(separator: ", ")) in steps of \(work.stepSize) records")
        return try base.offering((any UndoingSession).self).prepareUndo(work)
    }

    /// Takes the latest step back.
    func undo() throws {
        steps.begin("undo a step")
        try base.offering((any UndoingSession).self).undo()
    }

    /// Deletes as the harness does: with a preparation if the mode needs one.
    func delete(_ work: DeleteWork) throws {
        let session = try base.offering((any DeletingSession).self)
        let which =
            "(\(work.mode.rawValue))" + (work.filter == nil ? "" : ", filtered")
            + (work.limit.map { ", limited to \($0)" } ?? "")
        if work.mode == .perObject {
            steps.begin("prepare the deletion \(which)")
            try session.prepareDeletion(work)
        }
        defer { finish() }
        steps.begin("delete \(which)")
        try session.delete(work)
    }

    /// Counts as the harness does.
    func count(_ work: CountWork) throws -> Int {
        steps.begin("count" + (work.filter == nil ? "" : " what a filter lets through"))
        return try base.offering((any CountingSession).self).count(work)
    }

    /// Has the store compute as the harness does.
    func aggregate(_ work: AggregateWork) throws -> [AggregatedGroup] {
        let groups = work.groupBy.map { " by \($0)" } ?? ""
        steps.begin("compute the \(work.function.rawValue) of \(work.attribute ?? "records")\(groups)")
        return try base.offering((any AggregatingSession).self).aggregate(work)
    }

    /// Merges as the harness does.
    func merge(_ plan: MergePlan) throws -> any FetchedRecords {
        let session = try base.offering((any MergingSession).self)
        steps.begin("prepare a merge")
        try session.prepareMerge(plan)
        steps.begin("merge \(plan.writers.joined().count) saves of \(plan.writers.count) writers")
        return try session.merge(plan, monitor: PhaseMonitor())
    }
}

extension FetchWork {
    /// The work in a few words.
    fileprivate var summary: String {
        var parts = ["(\(mode.rawValue))"]
        if !sort.isEmpty {
            parts.append(
                "sorted by " + sort.map { $0.key + ($0.ascending ? "" : " descending") }.joined(separator: ", "))
        }
        if filter != nil { parts.append("filtered") }
        if limit > 0 { parts.append("limited to \(limit)") }
        if touch == .none { parts.append("untouched") }
        if let attributes { parts.append("attributes " + attributes.joined(separator: ", ")) }
        if let follow {
            parts.append("following \(follow.relationship)" + (follow.prefetch ? ", prefetched" : ""))
        }
        if let cancelAfterRecords { parts.append("cancelled after \(cancelAfterRecords)") }
        return parts.joined(separator: " ")
    }
}

extension UpdateWork {
    /// The work in a few words.
    fileprivate var summary: String {
        "(\(mode.rawValue)) of \(set.map(\.attribute).joined(separator: ", "))" + (filter == nil ? "" : ", filtered")
    }
}

import Dispatch

extension UndoWork: PhaseWork {
    var changes: [AttributeChange] { self.set }
    var capabilities: [Capability] { [.undoing] }
    var changesStore: Bool { false }

    /// The number of records of a step stays as it is: what one does between two saves does not depend on the store.
    func scaled(_ scale: Scaling) -> Self {
        UndoWork(set: scale.changes(self.set), filter: filter, stepSize: stepSize)
    }

    func run(
        _ session: any StoreSession, in setting: PhaseSetting, expected: inout ExpectedStore, report: inout ReportDraft
    ) throws -> [String] {
        try ExpectedUndo(self, in: expected).run(session, in: setting, expected: &expected, report: &report)
    }
}

/// The work with the records that it changes, as they are before and after.
private struct ExpectedUndo {
    let work: UndoWork
    let changed: RecordDigest
    let restored: RecordDigest

    init(_ work: UndoWork, in store: ExpectedStore) {
        self.work = work
        let filter = work.filter.map { RecordFilter($0, in: store) }
        let update = ExpectedUpdate(set: work.set, filter: nil, generator: store.generator)
        var (changed, restored) = (RecordDigester(), RecordDigester())
        store.forEachRecord(matching: filter) { record in
            restored.addRecord(record)
            var record = record
            // No change draws a value for the record, so that its ordinal does not matter.
            _ = update.apply(to: &record, 0)
            changed.addRecord(record)
        }
        (self.changed, self.restored) = (changed.digest, restored.digest)
    }

    var steps: Int { (restored.count + work.stepSize - 1) / max(work.stepSize, 1) }
}

extension ExpectedUndo: SingleWork {
    func queue(of session: any UndoingSession) -> DispatchQueue { session.queue }

    func prepare(_ session: any UndoingSession, _ scenario: Scenario) throws -> ChangedRecords {
        ChangedRecords(try session.prepareUndo(work))
    }

    func perform(
        _ session: any UndoingSession, _ records: ChangedRecords, _ scenario: Scenario, _ monitor: PhaseMonitor
    ) throws -> (any FetchedRecords)? {
        for _ in 0..<steps { try monitor.operation { try session.undo() } }
        return nil
    }

    func apply(to expected: inout ExpectedStore, _ records: ChangedRecords, _ scenario: Scenario) -> Int? {
        restored.count
    }

    func problems(_ outcome: PhaseOutcome, _ records: ChangedRecords) throws -> [String] {
        // A session may read values only now.
        defer { records.release() }
        guard let before = try records.before.get(), let after = try records.digest() else { return [] }
        var problems: [String] = []
        if before.count != changed.count || before.unordered != changed.unordered {
            problems.append("before the clock, the \(before.count) records did not have the values of the changes")
        }
        if after.count != restored.count || after.unordered != restored.unordered {
            problems.append("undoing did not give the records back the values that they had")
        }
        return try problems + outcome.storeProblems()
    }
}

/// The records that were changed, until the end of the phase.
private final class ChangedRecords {
    private var records: (any FetchedRecords)?
    /// What they were before the clock started.
    let before: Result<RecordDigest?, any Error>

    init(_ records: any FetchedRecords) {
        self.records = records
        before = Result { try Self.digest(records) }
    }

    /// What they are now.
    func digest() throws -> RecordDigest? { try Self.digest(records) }

    func release() { records = nil }

    private static func digest(_ records: (any FetchedRecords)?) throws -> RecordDigest? {
        guard let records else { return nil }
        var digester = RecordDigester()
        try records.digest(into: &digester)
        return digester.digest
    }
}

/// The proof that a load lost nothing: an audit of the store against the ledgers of the workers.
///
/// Every acknowledged record must be in the store once. Its version must count every acknowledged save, and its value
/// must be one that may have been written last. Deleted records must be gone. If an operation's outcome is unknown, its
/// effects must be there completely or not at all.
struct LedgerAudit {
    private let records: InitialRecords
    private let identity: RecordIdentity
    private let seeded: Int
    private let policy: ConflictPolicy
    private let set: [AttributeChange]
    private let repeating: Set<Int>
    private let unaccounted: UnaccountedLanes
    private let doubtful: [LoadOperation]
    private var entries: [Int: Ledger.Entry] = [:]
    private var seen: Set<Int> = []
    private var findings = Findings()
    /// The revisions of doubtful operations that some record shows.
    private var foundRevisions: Set<UInt64> = []
    /// Whether a record's only doubtful change was done, if the record's version shows it.
    private var doneChanges: [Int: Bool] = [:]
    /// The number of doubtful operations that some record shows to be done.
    private(set) var doubtfulDone = 0
    /// The state of the records after the audit, without any doubt left: the next audit of the same store builds on it
    /// and on the ledgers since then.
    private(set) var settled = Ledger()

    /// The number of problems, more than ``finish()`` says in words.
    var problemCount: Int { findings.count }

    /// - Parameters:
    ///   - seeded: The number of records in the store before the load.
    ///   - set: The changes that ``LoadChange/set(_:)`` stands for.
    ///   - unaccounted: The lanes whose ledgers are missing.
    init(
        _ ledgers: [Ledger], of records: InitialRecords, identity: RecordIdentity, seeded: Int, policy: ConflictPolicy,
        set: [AttributeChange] = [], unaccounted: UnaccountedLanes = .none
    ) {
        self.records = records
        self.identity = identity
        self.seeded = seeded
        self.policy = policy
        self.set = set
        self.unaccounted = unaccounted
        repeating = records.entity.repeatingAttributes
        doubtful = ledgers.flatMap(\.doubtful)
        for ledger in ledgers {
            entries.merge(ledger.entries) { $0.joined(with: $1) }
        }
    }

    /// Checks one record of the store.
    mutating func check(_ record: StoredRecord) {
        guard let ordinal = identity.ordinal(of: record.values) else {
            return report("a record has the key \(record.values[identity.attribute]), which no record was given")
        }
        guard seen.insert(ordinal).inserted else { return report("record \(ordinal) is there twice") }
        if ordinal >= seeded, unaccounted.contains(LoadLane(ofInsert: ordinal, after: seeded)) { return }
        let entry = entries[ordinal] ?? Ledger.Entry()
        guard ordinal < seeded || entry.isInserted != nil else {
            return report("record \(ordinal) is there, although no worker inserted it")
        }
        if entry.isDeleted == true, !mayOutlive(entry) {
            return report("record \(ordinal) is there, although its deletion was acknowledged")
        }
        checkVersion(record, entry, ordinal)
        var writes: [Int: Ledger.Write] = [:]
        for attribute in record.values.indices { writes[attribute] = check(attribute, of: record, entry, ordinal) }
        if entries[ordinal] != nil { settled.settle(ordinal, entry.settled(version: record.version, writes: writes)) }
    }

    /// Returns the problems after the last record; empty if there are none.
    mutating func finish() -> [String] {
        for ordinal in 0..<seeded where !seen.contains(ordinal) && entries[ordinal]?.isDeleted == nil {
            report("record \(ordinal) is gone, although no worker deleted it")
        }
        for (ordinal, entry) in entries where ordinal >= seeded {
            if entry.isInserted == true, entry.isDeleted == nil, !seen.contains(ordinal) {
                report("record \(ordinal) is gone, although its insertion was acknowledged")
            }
        }
        for operation in doubtful { checkWholeness(of: operation) }
        return findings.inWords
    }
}

extension LedgerAudit {
    private mutating func report(_ problem: String) { findings.report(problem) }

    private mutating func checkVersion(_ record: StoredRecord, _ entry: Ledger.Entry, _ ordinal: Int) {
        guard let version = record.version else { return }
        var least = 1 + leastChanges(entry, ordinal)
        // What the record had at its insertion has been changed at least once.
        if least == 1, entry.changes + entry.doubtful > 0, isChanged(record, ordinal) { least = 2 }
        let isOpen = isOpen(ordinal)
        let most = isOpen ? .max : 1 + entry.changes + entry.doubtful
        guard version < least || version > most else {
            if isOpen { return }
            if policy == .error, entry.doubtful == 1, mayBeIdle(entry, ordinal).count == 0 {
                doneChanges[ordinal] = version == most
            }
            return
        }
        let expected = isOpen ? "\(least) or more" : least == most ? "\(least)" : "\(least) to \(most)"
        report("record \(ordinal) has version \(version); expected \(expected): a save was lost, or done twice")
    }

    /// Whether a process may have changed a record whose ledger is missing. A process changes no records that others
    /// inserted.
    private func isOpen(_ ordinal: Int) -> Bool { ordinal < seeded && !unaccounted.isEmpty }

    /// Whether a record has other values than at its insertion.
    private func isChanged(_ record: StoredRecord, _ ordinal: Int) -> Bool {
        record.values.indices.contains { record.values[$0] != records.value($0, ordinal) }
    }

    /// Whether a record may exist although its deletion was acknowledged: if the store wins conflicts, a change in
    /// between prevails over the deletion.
    private func mayOutlive(_ entry: Ledger.Entry) -> Bool {
        policy == .storeTrump && entry.changes + entry.doubtful > 0
    }

    /// Returns how often the version of a record must have counted up. A settled conflict may leave no change: the
    /// store's values may have won, or two changes read the same value and computed the same new one, so that the
    /// second had nothing to write. A save that gives a record the values that it has may count as a change or not.
    private func leastChanges(_ entry: Ledger.Entry, _ ordinal: Int) -> Int {
        if policy == .storeTrump { return 0 }
        let certain = entry.changes - mayBeIdle(entry, ordinal).acknowledged
        return policy == .error || !entry.writes.isEmpty ? certain : min(certain, 1)
    }

    /// Returns how many of the changes to a record may have left it as it was: of all, and of those acknowledged.
    private func mayBeIdle(_ entry: Ledger.Entry, _ ordinal: Int) -> (count: Int, acknowledged: Int) {
        let all = entry.changes + entry.doubtful
        if all == 0 { return (0, 0) }
        if !set.isEmpty {
            var lasting = changesThatLast(of: all, ordinal)
            // The changes of others may come first.
            if isOpen(ordinal), lasting < all { lasting = 0 }
            return (all - lasting, max(entry.changes - lasting, 0))
        }
        if entry.history.isEmpty { return (0, 0) }
        // Others may have written the same values before.
        if isOpen(ordinal) { return (entry.history.count, entry.history.filter(\.write.isAcknowledged).count) }
        let history = ChangeHistory(
            entry, repeating: repeating, bringsBack: policy == .overwrite && entry.isShared
        ) { [records] attribute, revision in records.value(attribute, ordinal, revision: revision) }
        return (
            history.idleCount(of: entry.history),
            history.idleCount(of: entry.history.filter(\.write.isAcknowledged))
        )
    }

    /// Returns how many of `count` applications of the scenario's own changes give a record other values: once it has
    /// the values that they assign, they do not change it any more.
    private func changesThatLast(of count: Int, _ ordinal: Int) -> Int {
        let entity = records.entity
        var values = set.map { change in entity.index(of: change.attribute).map { records.value($0, ordinal) } }
        for done in 0..<count {
            let next = zip(values, set).map { value, change in value?.after(change.operation) }
            if next == values { return done }
            values = next
        }
        return count
    }

    /// - Returns: The write that the value comes from; nil if it comes from another worker's write or from none.
    private mutating func check(
        _ attribute: Int, of record: StoredRecord, _ entry: Ledger.Entry, _ ordinal: Int
    ) -> Ledger.Write? {
        let found = record.values[attribute]
        let first = records.value(attribute, ordinal)
        // A save of a whole record also writes the worker's copies of the other attributes, however old.
        if policy == .overwrite, entry.isShared, set.isEmpty { return nil }
        if let writes = entry.writes[attribute] {
            let candidates = writes.filter { write in
                !writes.contains { $0.isAcknowledged && $0.start > write.end }
            }
            if let write = candidates.first(where: {
                records.value(attribute, ordinal, revision: $0.revision) == found
            }) {
                // A value that repeats may come from another write.
                if !write.isAcknowledged, !repeating.contains(attribute) { foundRevisions.insert(write.revision) }
                return write
            }
            let mayBeFirst = policy == .storeTrump || !writes.contains(where: \.isAcknowledged)
            if mayBeFirst, found == first { return nil }
        } else if let change = set.first(where: { records.entity.index(of: $0.attribute) == attribute }) {
            if outcomes(of: change.operation, from: first, entry, ordinal).contains(found) { return nil }
        } else if found == first {
            return nil
        }
        if isOpen(ordinal) { return nil }
        let name = records.entity.attributes[attribute].name
        report("\(name) of record \(ordinal) is not the value written last")
        return nil
    }

    /// Returns the values that an attribute may have after the acknowledged saves and those in doubt.
    private func outcomes(
        of operation: AttributeChange.Operation, from first: FieldValue, _ entry: Ledger.Entry, _ ordinal: Int
    ) -> Set<FieldValue> {
        let least = leastChanges(entry, ordinal)
        var value = first
        var outcomes: Set<FieldValue> = least == 0 ? [first] : []
        for count in 1...max(entry.changes + entry.doubtful, 1) where entry.changes + entry.doubtful > 0 {
            value = value.after(operation)
            if count >= least { outcomes.insert(value) }
        }
        return outcomes
    }

    private mutating func checkWholeness(of operation: LoadOperation) {
        let inserted = operation.inserts.filter(seen.contains).count
        if inserted > 0, inserted < operation.inserts.count {
            report(
                "\(inserted) of \(operation.inserts.count) records of one unacknowledged save are in the store; "
                    + "expected all or none")
        }
        var parts = operation.inserts.isEmpty ? [] : [inserted > 0]
        // A worker deletes only its own records, so a missing one was deleted by this operation.
        if policy != .storeTrump { parts += operation.deletes.map { !seen.contains($0) } }
        parts += operation.changes.compactMap { doneChanges[$0] }
        if case .attributes(_, let revision) = operation.change, foundRevisions.contains(revision) {
            parts.append(true)
        }
        if parts.contains(true) { doubtfulDone += 1 }
        if parts.contains(true), parts.contains(false) {
            report("the store holds a part of an unacknowledged save; expected all of it or nothing")
        }
    }
}

extension Ledger.Entry {
    /// Returns the entry of a record in the store, without doubt: its version shows the number of changes.
    fileprivate func settled(version: Int?, writes found: [Int: Ledger.Write]) -> Self {
        var settled = self
        if let version { (settled.changes, settled.doubtful) = (version - 1, 0) }
        settled.writes = found.mapValues { write in
            var write = write
            write.isAcknowledged = true
            return [write]
        }
        settled.history = []
        settled.isInserted = isInserted.map { _ in true }
        settled.isDeleted = nil
        return settled
    }

    private var isChanged: Bool { changes + doubtful > 0 }

    /// Combines the entries of two workers for one record.
    fileprivate func joined(with other: Self) -> Self {
        var joined = self
        joined.isShared = isShared || other.isShared || isChanged && other.isChanged
        joined.changes += other.changes
        joined.doubtful += other.doubtful
        joined.writes.merge(other.writes, uniquingKeysWith: +)
        joined.history += other.history
        joined.isInserted = isInserted ?? other.isInserted
        joined.isDeleted = isDeleted ?? other.isDeleted
        return joined
    }
}

/// A worker's account of its writes: enough to determine afterwards what must be in the store.
///
/// It belongs to its worker until the load is over.
struct Ledger: Sendable, Equatable {
    /// A write and the interval in which it took effect.
    struct Write: Sendable, Equatable {
        var revision: UInt64
        var start: Int
        var end: Int
        /// Whether the store acknowledged the write; if not, the store may or may not hold it.
        var isAcknowledged = true
    }

    /// A change of a record to several attributes.
    struct Change: Sendable, Equatable {
        var attributes: [Int]
        var write: Write
    }

    /// The history of one record.
    struct Entry: Sendable, Equatable {
        /// The number of acknowledged saves that changed the record.
        var changes = 0
        /// The number of saves that may or may not have changed the record.
        var doubtful = 0
        /// The last acknowledged write to an attribute, and the doubtful ones, by the attribute's position.
        var writes: [Int: [Write]] = [:]
        /// The changes to attributes whose values repeat. They may have left the record as it was.
        var history: [Change] = []
        /// Whether several workers changed the record.
        var isShared = false
        /// Whether the record was inserted or deleted: true if acknowledged, false if in doubt.
        var isInserted: Bool?
        var isDeleted: Bool?
    }

    private(set) var entries: [Int: Entry] = [:]
    /// Operations that the store may have done completely or not at all.
    private(set) var doubtful: [LoadOperation] = []

    /// The attributes whose values repeat (``EntitySpec/repeatingAttributes``).
    private let repeating: Set<Int>

    /// Creates an empty ledger.
    init(repeating: Set<Int> = []) {
        self.repeating = repeating
    }

    /// The heap that the ledger takes, within 25 %. Each record takes a slot of the table, which is at most three
    /// quarters full. Each record with tracked attributes also takes a table, and an array for each of them.
    var heapBytes: Int {
        let slot = MemoryLayout<Int>.stride + MemoryLayout<Entry>.stride
        return entries.capacity * 4 / 3 * slot + followed * 112 + followedAttributes * 112
            + remembered * (MemoryLayout<Change>.stride + 48)
    }
    private var followed = 0
    private var followedAttributes = 0
    private var remembered = 0

    /// Replaces what the ledger knows of a record.
    mutating func settle(_ ordinal: Int, _ entry: Entry) { entries[ordinal] = entry }

    /// Replaces what the ledger knows of operations in doubt.
    mutating func settle(doubtful operations: [LoadOperation]) { doubtful = operations }

    /// Notes an operation that was acknowledged, or one in doubt.
    mutating func note(_ operation: LoadOperation, start: Int, end: Int, isAcknowledged: Bool) {
        if !isAcknowledged, operation.writes { doubtful.append(operation) }
        for ordinal in operation.inserts { entries[ordinal, default: Entry()].isInserted = isAcknowledged }
        for ordinal in operation.deletes { entries[ordinal, default: Entry()].isDeleted = isAcknowledged }
        let repeats = operation.change.writes(anyOf: repeating)
        if repeats { remembered += operation.changes.count }
        for ordinal in operation.changes {
            let before = entries[ordinal]?.writes.count ?? 0
            entries[ordinal, default: Entry()].note(
                operation.change, Write(revision: 0, start: start, end: end, isAcknowledged: isAcknowledged),
                remembers: repeats)
            let added = (entries[ordinal]?.writes.count ?? 0) - before
            followedAttributes += added
            if before == 0, added > 0 { followed += 1 }
        }
    }
}

extension Ledger.Entry {
    fileprivate mutating func note(_ change: LoadChange, _ write: Ledger.Write, remembers: Bool) {
        if write.isAcknowledged { changes += 1 } else { doubtful += 1 }
        guard case .attributes(let attributes, let revision) = change else { return }
        var write = write
        write.revision = revision
        if remembers { history.append(Ledger.Change(attributes: attributes, write: write)) }
        for attribute in attributes {
            // A worker's own writes are sequential: an acknowledged write settles those before it.
            if write.isAcknowledged {
                writes[attribute] = [write]
            } else {
                writes[attribute, default: []].append(write)
            }
        }
    }
}

extension LoadChange {
    /// Whether it draws new values for any of these attributes.
    fileprivate func writes(anyOf attributes: Set<Int>) -> Bool {
        guard !attributes.isEmpty, case .attributes(let written, _) = self else { return false }
        return written.contains(where: attributes.contains)
    }
}

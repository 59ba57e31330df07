/// What one worker was told of its writes: enough to say afterwards what must be in the store.
///
/// It belongs to its worker until the load is over.
struct Ledger: Sendable, Equatable {
    /// A write and when it happened: it took effect at some moment between the two.
    struct Write: Sendable, Equatable {
        var revision: UInt64
        var start: Int
        var end: Int
        /// Whether the store acknowledged it; if not, it may or may not be there.
        var isAcknowledged = true
    }

    /// What happened to one record.
    struct Entry: Sendable, Equatable {
        /// Saves that changed it and were acknowledged.
        var changes = 0
        /// Saves that may or may not have changed it.
        var doubtful = 0
        /// The last acknowledged write to an attribute, and doubtful ones, by the attribute's position.
        var writes: [Int: [Write]] = [:]
        /// Whether several workers changed it.
        var isShared = false
        /// Whether it was inserted, deleted: true when acknowledged, false when in doubt.
        var isInserted: Bool?
        var isDeleted: Bool?
    }

    private(set) var entries: [Int: Entry] = [:]
    /// Operations that may or may not have been done: wholly, or not at all.
    private(set) var doubtful: [LoadOperation] = []

    /// What the ledger takes on the heap, to within a quarter: a slot of the table for each record, filled to three
    /// quarters at most, and for each record whose attributes are followed a table and an array for each of these.
    var heapBytes: Int {
        let slot = MemoryLayout<Int>.stride + MemoryLayout<Entry>.stride
        return entries.capacity * 4 / 3 * slot + followed * 112 + followedAttributes * 112
    }
    private var followed = 0
    private var followedAttributes = 0

    /// Writes down what is known of a record, in place of what was known before.
    mutating func settle(_ ordinal: Int, _ entry: Entry) { entries[ordinal] = entry }

    /// Notes an operation that was acknowledged, or one in doubt.
    mutating func note(_ operation: LoadOperation, start: Int, end: Int, isAcknowledged: Bool) {
        if !isAcknowledged, operation.writes { doubtful.append(operation) }
        for ordinal in operation.inserts { entries[ordinal, default: Entry()].isInserted = isAcknowledged }
        for ordinal in operation.deletes { entries[ordinal, default: Entry()].isDeleted = isAcknowledged }
        for ordinal in operation.changes {
            let before = entries[ordinal]?.writes.count ?? 0
            entries[ordinal, default: Entry()].note(
                operation.change, Write(revision: 0, start: start, end: end, isAcknowledged: isAcknowledged))
            let added = (entries[ordinal]?.writes.count ?? 0) - before
            followedAttributes += added
            if before == 0, added > 0 { followed += 1 }
        }
    }
}

extension Ledger.Entry {
    fileprivate mutating func note(_ change: LoadChange, _ write: Ledger.Write) {
        if write.isAcknowledged { changes += 1 } else { doubtful += 1 }
        guard case .attributes(let attributes, let revision) = change else { return }
        var write = write
        write.revision = revision
        for attribute in attributes {
            // A worker's own writes follow one another: an acknowledged one settles those before it.
            if write.isAcknowledged {
                writes[attribute] = [write]
            } else {
                writes[attribute, default: []].append(write)
            }
        }
    }
}

/// One operation of a load, made by the harness and done by a driver's worker in one transaction.
///
/// Records are known by their ordinals: the one with ordinal `n` has the key that the generator makes of `n`.
public struct LoadOperation: Sendable, Equatable, Codable {
    /// What it counts as.
    public var kind: OperationKind
    /// The records to read, every attribute of each.
    public var reads: [Int] = []
    /// The records to read in the order of their keys, from the first one's on, as many as there are up to the count.
    public var scan: Range<Int>?
    /// The records to insert.
    public var inserts: Range<Int> = 0..<0
    /// The records to change.
    public var changes: [Int] = []
    /// The records to delete.
    public var deletes: Range<Int> = 0..<0
    /// What a change does.
    public var change = LoadChange.attributes([], revision: 0)

    /// Creates an operation that does nothing yet.
    public init(_ kind: OperationKind) {
        self.kind = kind
    }

    /// Whether it changes the store.
    public var writes: Bool { !inserts.isEmpty || !changes.isEmpty || !deletes.isEmpty }
}

/// What an operation does to the records that it changes.
public enum LoadChange: Sendable, Equatable, Codable {
    /// Gives the attributes at these positions the values that the generator makes for a revision, which no other
    /// operation shares.
    case attributes([Int], revision: UInt64)
    /// The scenario's own changes.
    case set([AttributeChange])
}

/// What became of an operation.
public enum LoadOutcome: Sendable, Equatable {
    /// It was done, and what it wrote was acknowledged as saved.
    case done
    /// A record that it is about is not there; nothing was written.
    case missing
    /// Another writer had changed a record, and the store refused to save; nothing was written, the worker has let go
    /// of what it held and can try again.
    case conflict
    /// The store was locked for longer than it was to wait; nothing was written, and the worker can try again.
    case busy
}

/// Does operations one after another, on a thread of its own, with a context or connection of its own.
public protocol LoadWorker: AnyObject {
    /// Does an operation in one transaction and returns when the store has acknowledged it.
    ///
    /// Throws an unexpected error; then whether anything was written is unknown.
    func perform(_ operation: LoadOperation) throws -> LoadOutcome
    /// Lets go of everything. On the same thread.
    func close() throws
}

/// A record as it lies in the store, for the proof that nothing was lost.
public struct StoredRecord: Sendable, Equatable {
    /// The attributes, in the order of the scenario's entity.
    public var values: [FieldValue]
    /// 1 when it was inserted, and one more with each save that changed it; nil for a store that does not count.
    public var version: Int?

    /// Creates a record.
    public init(values: [FieldValue], version: Int?) {
        self.values = values
        self.version = version
    }
}

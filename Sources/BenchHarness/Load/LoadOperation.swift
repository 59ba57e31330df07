/// One operation of a load. The harness makes it; a driver's worker does it in one transaction.
///
/// Ordinals identify records: the record with ordinal `n` has the key that the generator makes of `n`.
public struct LoadOperation: Sendable, Equatable, Codable {
    /// The kind that the operation counts as.
    public var kind: OperationKind
    /// The records to read, every attribute of each.
    public var reads: [Int] = []
    /// The records to read in key order: from the first one's key on, up to the count, or fewer at the end.
    public var scan: Range<Int>?
    /// The records to insert.
    public var inserts: Range<Int> = 0..<0
    /// The values of each record to insert, every attribute in the entity's order. The harness makes them before the
    /// time of the operation begins.
    public var inserted: [[FieldValue]] = []
    /// The records to change.
    public var changes: [Int] = []
    /// The records to delete.
    public var deletes: Range<Int> = 0..<0
    /// The change to each record in `changes`.
    public var change = LoadChange.attributes([], revision: 0)
    /// The new values of each record in `changes`, in the order of the attributes of
    /// ``LoadChange/attributes(_:revision:)``; empty for ``LoadChange/set(_:)``.
    public var assigned: [[FieldValue]] = []

    /// Creates an operation that does nothing yet.
    public init(_ kind: OperationKind) {
        self.kind = kind
    }

    /// Whether the operation changes the store.
    public var writes: Bool { !inserts.isEmpty || !changes.isEmpty || !deletes.isEmpty }
}

/// A change to the records of an operation.
public enum LoadChange: Sendable, Equatable, Codable {
    /// Gives the attributes at these positions the values in ``LoadOperation/assigned``, which the generator makes for
    /// a revision. No two operations share a revision.
    case attributes([Int], revision: UInt64)
    /// Applies the scenario's own changes.
    case set([AttributeChange])
}

/// The outcome of an operation.
public enum LoadOutcome: Sendable, Equatable {
    /// The store acknowledged the operation as saved.
    case done
    /// A record of the operation does not exist; nothing was written.
    case missing
    /// Another writer had changed a record, and the store refused to save. Nothing was written; the worker has
    /// discarded its state and can try again.
    case conflict
    /// The store stayed locked for longer than the worker's timeout; nothing was written, and the worker can try again.
    case busy
}

/// A worker that does one operation after another, on its own thread, with its own context or connection.
public protocol LoadWorker: AnyObject {
    /// Does an operation in one transaction and returns when the store has acknowledged it.
    ///
    /// Throws an unexpected error; then it is unknown whether anything was written.
    ///
    /// - Parameters:
    ///   - operation: What to read, insert, change and delete.
    ///   - reading: Takes what the operation reads: the records of ``LoadOperation/reads`` in their order, then those
    ///     of ``LoadOperation/scan`` in the order of their keys. The harness compares them with what the workers wrote.
    func perform(_ operation: LoadOperation, reading: inout LoadReading) throws -> LoadOutcome
    /// Releases all resources, on the same thread.
    func close() throws
}

/// A record as the store holds it, for the proof that nothing was lost.
public struct StoredRecord: Sendable, Equatable {
    /// The attributes, in the order of the scenario's entity.
    public var values: [FieldValue]
    /// 1 after the insertion, plus 1 for each save that changed the record; nil for a store without versions. A save
    /// that gave the record only values that it had already may count as a change or not.
    public var version: Int?

    /// Creates a record.
    public init(values: [FieldValue], version: Int?) {
        self.values = values
        self.version = version
    }
}

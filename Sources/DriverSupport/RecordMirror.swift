import BenchHarness

/// The records that the merging side of a driver holds, and refreshes after each save.
///
/// Unchecked because one queue at a time uses it: it is filled before the writers start, then it belongs to the merging
/// queue until the last save is merged.
public final class RecordMirror<Record>: FetchedRecords, @unchecked Sendable {
    @usableFromInline let key: (Record) -> Int64
    @usableFromInline let digest: (Record, inout RecordDigester) -> Void
    @usableFromInline let read: ([Int64]) throws -> [Record]
    @usableFromInline var records = KeyedRecords<Int64, Record>()

    /// Creates an empty mirror.
    ///
    /// - Parameters:
    ///   - key: Returns the key that identifies a record.
    ///   - digest: Feeds every attribute of a record, in the order of the entity.
    ///   - read: Reads the records with some keys, without the missing ones.
    public init(
        key: @escaping (Record) -> Int64, digest: @escaping (Record, inout RecordDigester) -> Void,
        reading read: @escaping ([Int64]) throws -> [Record]
    ) {
        self.key = key
        self.digest = digest
        self.read = read
    }

    /// The number of records.
    public var count: Int { records.count }

    /// Reads the records with `keys` and holds them.
    @inlinable public func load(_ keys: [Int64]) throws {
        for record in try read(keys) { records[key(record)] = record }
    }

    /// Applies a save.
    @inlinable public func merge(_ saved: SavedKeys) throws {
        for keys in saved.written { try load(keys) }
        for key in saved.deleted { records[key] = nil }
    }

    /// Feeds records, in an order that stays the same until the next merge.
    @inlinable public func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        records.forEach(at: positions) { record in
            digest(record, &digester)
            digester.endRecord()
        }
    }

    /// Feeds every record, in any order.
    public func digest(into digester: inout RecordDigester) { digest(0..<count, into: &digester) }
}

extension RecordMirror where Record: Sendable {
    /// Applies a save whose records are known, without reading any.
    @inlinable public func merge(_ saved: SavedRecords<Record>) {
        for record in saved.written { records[key(record)] = record }
        for key in saved.deleted { records[key] = nil }
    }
}

/// The records that a save wrote, and the keys of those that it deleted: the content of a notification.
public struct SavedRecords<Record: Sendable>: Sendable {
    /// The records that were inserted or changed, as they were written.
    public var written: [Record]
    /// The keys of the records that were deleted.
    public var deleted: [Int64]

    /// Creates the content of a notification.
    public init(written: [Record] = [], deleted: [Int64] = []) {
        self.written = written
        self.deleted = deleted
    }
}

/// The keys of the records that a save wrote and deleted: the content of a notification that leaves it to its receiver
/// to read the records.
public struct SavedKeys: Sendable {
    /// The keys of the records that were inserted or changed, in parts to read one after another.
    public var written: [[Int64]]
    /// The keys of the records that were deleted.
    public var deleted: [Int64]

    /// Creates keys.
    public init(written: [[Int64]] = [], deleted: [Int64] = []) {
        self.written = written
        self.deleted = deleted
    }
}

import Foundation

/// Condenses records into a ``RecordDigest``. A driver feeds each record's values in the order of the entity's
/// attributes, then calls ``endRecord()``.
///
/// With sort keys, it also checks the order of the records as they arrive, without keeping them.
public struct RecordDigester: Sendable {
    /// The digest of the values so far.
    public private(set) var digest = RecordDigest()
    private var hash = Self.start
    private var order: OrderChecker?
    /// The hash of each record, if the digester keeps them.
    package private(set) var hashes: [UInt64]?

    private static let start: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Creates an empty digester that accepts any order.
    public init() {}

    /// Creates a digester that continues another's digest.
    init(continuing digest: RecordDigest) { self.digest = digest }

    /// Creates an empty digester that checks the order of records of `entity`.
    /// - Precondition: `sort` names attributes of `entity` only.
    public init(sort: [SortSpec], entity: EntitySpec) {
        if !sort.isEmpty { order = OrderChecker(sort: sort, entity: entity) }
    }

    /// Creates a digester that can also keep the hash of each record, for results that are not fully determined in
    /// advance.
    package init(sort: [SortSpec], entity: EntitySpec, keepingHashes: Bool) {
        self.init(sort: sort, entity: entity)
        if keepingHashes { hashes = [] }
    }

    /// Whether the records are in the order of the sort keys; records with equal keys may come in any order.
    public var isOrdered: Bool { firstMisplaced == nil }

    /// The index of the first record that sorts before its predecessor; nil if there is none.
    public var firstMisplaced: Int? { order?.firstMisplaced }

    /// Feeds a string.
    public mutating func add(_ value: String) {
        order?.add(.string(value))
        var value = value
        value.withUTF8 { mix(bytes: UnsafeRawBufferPointer($0), tag: 1) }
    }

    /// Feeds a string's UTF-8 bytes.
    public mutating func add(utf8 bytes: UnsafeRawBufferPointer) {
        order?.add(.string(String(decoding: bytes, as: UTF8.self)))
        mix(bytes: bytes, tag: 1)
    }

    /// Feeds bytes.
    public mutating func add(data bytes: UnsafeRawBufferPointer) {
        order?.add(.data(Data(bytes)))
        mix(bytes: bytes, tag: 2)
    }

    /// Feeds a bool.
    public mutating func add(_ value: Bool) {
        order?.add(.bool(value))
        mix(value ? 3 : 4)
    }

    /// Feeds an integer.
    public mutating func add(_ value: Int64) {
        order?.add(.int64(value))
        mix(UInt64(bitPattern: value) ^ 5)
    }

    /// Feeds a double, or a date as its seconds since 2001-01-01 UTC.
    public mutating func add(_ value: Double) {
        // A date counts as a double here: both sort as numbers, and a column holds only one of them.
        order?.add(.double(value))
        mix((value == 0 ? 0 : value).bitPattern ^ 6)
    }

    /// Feeds a null value.
    public mutating func addNull() {
        order?.add(.null)
        mix(7)
    }

    /// Feeds any value.
    public mutating func add(_ value: FieldValue) {
        switch value {
        case .null: addNull()
        case .string(let value): add(value)
        case .bool(let value): add(value)
        case .date(let value), .double(let value): add(value)
        case .int64(let value): add(value)
        case .data(let value): value.withUnsafeBytes { add(data: $0) }
        }
    }

    /// Feeds an owner with its records as one record: the attributes, which `attributes` feeds, the owner's number, and
    /// the number and digest of its records, in any order.
    public mutating func addOwner(
        _ number: Int64, with records: RecordDigest, attributes: (inout RecordDigester) -> Void
    ) {
        attributes(&self)
        add(number)
        addRecords(records)
        endRecord()
    }

    /// Feeds a set of records that belong to the current one.
    mutating func addRecords(_ records: RecordDigest) {
        add(Int64(records.count))
        add(Int64(bitPattern: records.unordered))
    }

    /// Ends a record.
    public mutating func endRecord() {
        order?.endRecord()
        hashes?.append(hash)
        digest.append(hash)
        hash = Self.start
    }

    private mutating func mix(bytes: UnsafeRawBufferPointer, tag: UInt64) {
        var hash = self.hash ^ tag
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        self.hash = hash
        mix(UInt64(bytes.count))
    }

    private mutating func mix(_ value: UInt64) {
        hash = (hash ^ value) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash >> 29
    }
}

/// The digest of a set or a sequence of records: equal records give equal digests.
public struct RecordDigest: Sendable, Hashable, Codable {
    /// The number of records.
    public private(set) var count = 0
    /// A hash that does not depend on the order of the records.
    public private(set) var unordered: UInt64 = 0
    /// A hash that depends on the order of the records.
    public private(set) var ordered: UInt64 = 0

    /// Creates the digest of no records.
    public init() {}

    mutating func append(_ hash: UInt64) {
        count += 1
        unordered &+= (hash ^ (hash >> 32)) &* 0xD6E8_FEB8_6659_FD93
        ordered = (ordered ^ hash) &* 0x100_0000_01B3 &+ 1
    }
}

import Foundation

/// Takes the values of records. A driver feeds each record's values in the order of the entity's attributes, then calls
/// ``endRecord()``.
///
/// The harness has one function of a driver do two things with it. Within the clock, a digester only folds each value
/// into a salted checksum, which proves that the driver has read it. After the clock, another digester condenses the
/// same records into a ``RecordDigest`` and, with sort keys, checks their order as they arrive; it computes the
/// checksum again, which must be the same.
public struct RecordDigester: Sendable {
    /// The digest of the values so far.
    public private(set) var digest = RecordDigest()
    private var hash = Self.start
    private var order: OrderChecker?
    /// The hash of each record, if the digester keeps them.
    package private(set) var hashes: [UInt64]?

    /// The checksum of the values so far.
    @usableFromInline var checksum = ReadChecksum(salt: 0)
    /// Whether values are digested. If not, only the checksum is computed.
    @usableFromInline let isDigesting: Bool
    /// Whether the checksum counts the numbers of related records, which a load reads within the clock.
    @usableFromInline var readsOwnerNumbers = false

    private static let start: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Creates an empty digester that accepts any order.
    public init() { isDigesting = true }

    /// Creates a digester that only reads: it computes nothing but the checksum.
    @usableFromInline
    init(readingWith salt: UInt64) {
        isDigesting = false
        checksum = ReadChecksum(salt: salt)
    }

    /// Creates a digester of records that belong to the current record of another.
    private init(within other: RecordDigester) {
        isDigesting = other.isDigesting
        checksum = other.checksum
    }

    /// Creates an empty digester that checks the order of records of `entity`.
    /// - Precondition: `sort` names attributes of `entity`, or of the records that its relationships lead to,
    ///   `targets`.
    public init(sort: [SortSpec], entity: EntitySpec, targets: [TargetValues] = []) {
        self.init(sort: sort, entity: entity, targets: targets, keepingHashes: false)
    }

    /// Creates a digester that can also keep the hash of each record, for results that are not fully determined in
    /// advance.
    package init(sort: [SortSpec], entity: EntitySpec, keepingHashes: Bool) {
        self.init(sort: sort, entity: entity, targets: [], keepingHashes: keepingHashes)
    }

    /// - Parameter targets: The records that the entity's relationships lead to.
    init(sort: [SortSpec], entity: EntitySpec, targets: [TargetValues], keepingHashes: Bool) {
        self.init()
        if !sort.isEmpty { order = OrderChecker(sort: sort, entity: entity, targets: targets) }
        if keepingHashes { hashes = [] }
    }

    /// Whether the records are in the order of the sort keys; records with equal keys may come in any order.
    public var isOrdered: Bool { firstMisplaced == nil }

    /// The index of the first record that sorts before its predecessor; nil if there is none.
    public var firstMisplaced: Int? { order?.firstMisplaced }

    /// The sort keys of the last record; nil before the first one, and without sort keys.
    var lastKeys: [FieldValue]? { order?.lastKeys }

    /// Keeps the hash of each record from now on.
    mutating func keepHashes() { hashes = hashes ?? [] }
}

// MARK: - Feeding values

// These functions are inlined into the drivers: within the clock, a value costs a few nanoseconds.
extension RecordDigester {
    /// Feeds a string.
    @inlinable
    public mutating func add(_ value: String) {
        var value = value
        value.withUTF8 { checksum.fold(UnsafeRawBufferPointer($0)) }
        if isDigesting { condense(value) }
    }

    /// Feeds a string's UTF-8 bytes.
    @inlinable
    public mutating func add(utf8 bytes: UnsafeRawBufferPointer) {
        checksum.fold(bytes)
        if isDigesting { condense(utf8: bytes) }
    }

    /// Feeds bytes.
    @inlinable
    public mutating func add(data bytes: UnsafeRawBufferPointer) {
        checksum.fold(bytes)
        if isDigesting { condense(data: bytes) }
    }

    /// Feeds bytes.
    @inlinable
    public mutating func add(_ value: Data) {
        value.withUnsafeBytes { add(data: $0) }
    }

    /// Feeds a bool.
    @inlinable
    public mutating func add(_ value: Bool) {
        checksum.fold(value ? 1 : 0)
        if isDigesting { condense(value) }
    }

    /// Feeds an integer.
    @inlinable
    public mutating func add(_ value: Int64) {
        checksum.fold(UInt64(bitPattern: value))
        if isDigesting { condense(value) }
    }

    /// Feeds a double, or a date as its seconds since 2001-01-01 UTC.
    @inlinable
    public mutating func add(_ value: Double) {
        checksum.fold(value.bitPattern)
        if isDigesting { condense(value) }
    }

    /// Feeds a null value.
    @inlinable
    public mutating func addNull() {
        checksum.fold(.max)
        if isDigesting { condenseNull() }
    }

    /// Feeds any value.
    @inlinable
    public mutating func add(_ value: FieldValue) {
        switch value {
        case .null: addNull()
        case .string(let value): add(value)
        case .bool(let value): add(value)
        case .date(let value), .double(let value): add(value)
        case .int64(let value): add(value)
        case .data(let value): add(value)
        }
    }

    /// Feeds the number of the record that a relationship leads to; nil if it leads to none. These numbers are the last
    /// values of a record, in the order of ``EntitySpec/toOnes``.
    ///
    /// Within the clock, the number is not asked for, so that a store with relationships need not follow them where
    /// the phase does not: see ``FetchWork/follow``. Only a load reads it as it does any other value.
    @inlinable
    public mutating func addOwnerNumber(_ number: @autoclosure () -> Int64?) {
        if isDigesting {
            if let number = number() { condense(number) } else { condenseNull() }
        } else if readsOwnerNumbers {
            if let number = number() { add(number) } else { addNull() }
        }
    }

    /// Feeds a record and those that a relationship to many leads to as one record: its attributes, its number, and
    /// those records.
    ///
    /// - Parameters:
    ///   - number: The number of the record, which is not asked for within the clock.
    ///   - attributes: Feeds the record's attributes.
    ///   - isOrdered: Whether the relationship keeps its records in order, in which they must come.
    ///   - records: Feeds the records that it leads to, each followed by ``endRecord()``, in any order that stays the
    ///     same.
    public mutating func addOwner(
        _ number: @autoclosure () -> Int64, isOrdered: Bool = false, attributes: (inout RecordDigester) throws -> Void,
        records: (inout RecordDigester) throws -> Void
    ) rethrows {
        try attributes(&self)
        var owned = RecordDigester(within: self)
        try records(&owned)
        checksum = owned.checksum
        if isDigesting {
            condense(number())
            addRecords(owned.digest, isOrdered: isOrdered)
        }
        endRecord()
    }

    /// Ends a record.
    @inlinable
    public mutating func endRecord() {
        checksum.fold(.max - 1)
        if isDigesting { condenseRecord() }
    }
}

// MARK: - Digesting

extension RecordDigester {
    @usableFromInline
    mutating func condense(_ value: String) {
        order?.add(.string(value))
        var value = value
        value.withUTF8 { mix(bytes: UnsafeRawBufferPointer($0), tag: 1) }
    }

    @usableFromInline
    mutating func condense(utf8 bytes: UnsafeRawBufferPointer) {
        order?.add(.string(String(decoding: bytes, as: UTF8.self)))
        mix(bytes: bytes, tag: 1)
    }

    @usableFromInline
    mutating func condense(data bytes: UnsafeRawBufferPointer) {
        order?.add(.data(Data(bytes)))
        mix(bytes: bytes, tag: 2)
    }

    @usableFromInline
    mutating func condense(_ value: Bool) {
        order?.add(.bool(value))
        mix(value ? 3 : 4)
    }

    @usableFromInline
    mutating func condense(_ value: Int64) {
        order?.add(.int64(value))
        mix(UInt64(bitPattern: value) ^ 5)
    }

    @usableFromInline
    mutating func condense(_ value: Double) {
        // A date counts as a double here: both sort as numbers, and a column holds only one of them.
        order?.add(.double(value))
        mix((value == 0 ? 0 : value).bitPattern ^ 6)
    }

    @usableFromInline
    mutating func condenseNull() {
        order?.add(.null)
        mix(7)
    }

    /// Digests a set of records that belong to the current one.
    mutating func addRecords(_ records: RecordDigest, isOrdered: Bool = false) {
        condense(Int64(records.count))
        condense(Int64(bitPattern: isOrdered ? records.ordered : records.unordered))
    }

    @usableFromInline
    mutating func condenseRecord() {
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

    private mutating func mix(_ value: UInt64) { hash = Self.mixed(hash, value) }

    private static func mixed(_ hash: UInt64, _ value: UInt64) -> UInt64 {
        let product = (hash ^ value) &* 0x9E37_79B9_7F4A_7C15
        return product ^ product >> 29
    }

    /// Returns the hash of the record that was fed, before its end, together with its version.
    func hash(withVersion version: Int) -> UInt64 { Self.mixed(hash, UInt64(bitPattern: Int64(version))) }
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

    /// Returns what a record's hash adds to a sum that does not depend on the order of records.
    static func summand(_ hash: UInt64) -> UInt64 { (hash ^ (hash >> 32)) &* 0xD6E8_FEB8_6659_FD93 }

    /// Adds the records of another digest, in any order.
    mutating func addUnordered(_ other: RecordDigest) {
        count += other.count
        unordered &+= other.unordered
    }

    /// Returns the digest, in any order, of the records that are not those of another digest.
    func without(_ part: RecordDigest) -> RecordDigest {
        var rest = RecordDigest()
        (rest.count, rest.unordered) = (count - part.count, unordered &- part.unordered)
        return rest
    }

    mutating func append(_ hash: UInt64) {
        count += 1
        unordered &+= Self.summand(hash)
        ordered = (ordered ^ hash) &* 0x100_0000_01B3 &+ 1
    }
}

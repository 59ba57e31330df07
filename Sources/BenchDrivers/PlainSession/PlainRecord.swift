import BenchHarness
import Foundation

/// A record as a plain struct: what a programmer without an object store reads rows into.
///
/// Code that handles records is generic over this protocol, and its loops are specialised for ``ItemRecord``,
/// ``MessageRecord`` and ``OwnedItemRecord`` by `@_specialize`: sessions are used as `any StoreSession`, behind which
/// the compiler does not specialise of its own accord, and an unspecialised loop would make a strawman of the baseline.
/// So the entities of the main scenarios cost what a struct written for them costs, and any other entity works all the
/// same.
protocol PlainRecord: Sendable {
    /// The row's primary key.
    var key: Int64 { get }
    /// The row's version when it was read, or last written through this struct.
    var version: Int64 { get set }

    /// Reads the current row of a statement that selects ``RecordTable/selectList``. Borrowing spares each row the
    /// reference counting of the table's parts.
    init(row: borrowing PlainStatement, of table: borrowing RecordTable)
    /// The key of the record's owner; 0 without one.
    var owner: Int64 { get }
    /// Makes a change in the struct alone.
    mutating func apply(_ change: RecordChange) throws
    /// Binds the value of an attribute.
    func bind(_ attribute: Int, to statement: PlainStatement, at index: Int32) throws
    /// Whether both records have the same value in an attribute, to the byte.
    func hasSameValue(_ attribute: Int, as other: Self) -> Bool
    /// Reads every attribute; the result depends on all of them, so that nothing can be left out.
    func touch() -> UInt64
    /// Feeds every attribute, in the entity's order.
    func digest(into digester: inout RecordDigester)
}

extension PlainRecord {
    /// None.
    var owner: Int64 { 0 }

    /// Reads every row of a statement.
    @_specialize(where Self == ItemRecord)
    @_specialize(where Self == MessageRecord)
    @_specialize(where Self == OwnedItemRecord)
    static func readAll(from statement: PlainStatement, of table: RecordTable) throws -> [Self] {
        var records: [Self] = []
        while try statement.step() { records.append(Self(row: statement, of: table)) }
        statement.didRead(records.count)
        return records
    }
}

/// An attribute to change, found by its position.
struct RecordChange: Sendable {
    let attribute: Int
    let operation: AttributeChange.Operation

    /// Resolves the names in `changes`.
    static func resolve(_ changes: [AttributeChange], table: RecordTable) throws -> [RecordChange] {
        try changes.map { RecordChange(attribute: try table.attribute($0.attribute), operation: $0.operation) }
    }

    /// What an attribute of another type is told.
    func mismatch(_ type: FieldType) -> DriverError {
        DriverError(
            .invalidRequest, "attribute \(attribute + 1) is a \(type.rawValue): \(operation) cannot be done to it")
    }

    /// The bool that `old` becomes.
    func applied(to old: Bool) throws -> Bool {
        switch operation {
        case .assign(.bool(let value)): return value
        case .toggle: return !old
        default: throw mismatch(.bool)
        }
    }

    /// The number or date that `old` becomes.
    func applied(to old: Double, _ type: FieldType) throws -> Double {
        switch operation {
        case .assign(.date(let value)), .assign(.double(let value)): return value
        case .assign(.int64(let value)): return Double(value)
        case .add(let value): return old + value
        default: throw mismatch(type)
        }
    }

    /// The integer that `old` becomes.
    func applied(to old: Int64) throws -> Int64 {
        switch operation {
        case .assign(.int64(let value)): return value
        case .add(let value):
            guard let step = Int64(exactly: value) else { throw mismatch(.int64) }
            let (sum, overflow) = old.addingReportingOverflow(step)
            if overflow { throw DriverError(.invalidRequest, "\(old) + \(step) does not fit into 64 bits") }
            return sum
        default: throw mismatch(.int64)
        }
    }

    /// The bytes that take the old ones' place.
    func assignedData() throws -> Data {
        if case .assign(.data(let value)) = operation { return value }
        throw mismatch(.data)
    }

    /// The string that takes the old one's place.
    func assignedString() throws -> String {
        if case .assign(.string(let value)) = operation { return value }
        throw mismatch(.string)
    }
}

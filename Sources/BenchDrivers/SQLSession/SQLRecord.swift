import BenchHarness
import DriverSupport

/// A record as a plain struct, into which a programmer without an object store reads rows.
///
/// Code that handles records is generic over this protocol, and `@_specialize` specialises its loops for
/// ``ItemRecord``, ``OwnedItemRecord`` and ``FieldRecord``. Sessions are used as `any StoreSession`, behind which the
/// compiler does not specialise by itself, and an unspecialised loop would make a strawman of the baseline. So the
/// entities of the main scenarios cost as much as handwritten structs, and any other entity works too.
protocol SQLRecord: Sendable {
    /// The row's primary key.
    var key: Int64 { get }
    /// The row's version at the last read, or at the last write through this struct.
    var version: Int64 { get set }

    /// Reads a row of ``RecordTable/selectList``. Borrowing avoids reference counting of the table's parts for each
    /// row.
    init(row: borrowing some SQLRow, of table: borrowing RecordTable)
    /// Makes a new record, version 1.
    init(_ ordinal: Int, of records: RecordGenerator)
    /// The number of the related record that the value at a position is; 0 for null.
    func number(at position: Int) -> Int64
    /// Makes a change in the struct only.
    mutating func apply(_ change: RecordChange) throws
    /// Appends the value of an attribute.
    func append(_ attribute: Int, of table: borrowing RecordTable, to sink: inout some SQLValueSink) throws
    /// Returns whether both records have the same value of an attribute, to the byte.
    func hasSameValue(_ attribute: Int, as other: Self) -> Bool
    /// Feeds every attribute, in the entity's order.
    func digest(into digester: inout RecordDigester)
}

extension SQLRecord {
    /// None: the struct has no relationships.
    func number(at position: Int) -> Int64 { 0 }

    /// Appends every attribute of `table`.
    @inline(__always)
    func appendAttributes(of table: borrowing RecordTable, to sink: inout some SQLValueSink) throws {
        for attribute in 0..<table.columns.count { try append(attribute, of: table, to: &sink) }
    }

    /// Makes a change in the struct only, with the value that the change draws for this record if it draws one.
    @inline(__always)
    mutating func make(_ change: RecordChange) throws {
        guard case .draw = change.operation else { return try apply(change) }
        try apply(change.forRecord(RecordTable.ordinal(key)))
    }
}

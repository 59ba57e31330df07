import BenchHarness
import DriverSupport

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

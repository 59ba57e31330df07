import BenchHarness
import DriverSupport

/// The to-do item of a list: the item without a list, and the list's key.
struct OwnedItemRecord: PlainRecord {
    private var item: ItemRecord
    private var list: Int64

    var key: Int64 { item.key }
    var version: Int64 {
        get { item.version }
        set { item.version = newValue }
    }

    /// The attribute after the item's own.
    private static let listAttribute = 3

    /// Returns whether the struct matches an entity: the item's attributes, and a relationship to one record.
    static func describes(_ entity: EntitySpec) -> Bool {
        guard entity.toOnes.count == 1 else { return false }
        return ItemRecord.describes(EntitySpec(name: entity.name, attributes: Array(entity.attributesOfItsOwn)))
    }

    @inline(__always)
    init(row: borrowing PlainStatement, of table: borrowing RecordTable) {
        item = ItemRecord(row: row, of: table)
        list = row.int64(RecordTable.column(of: Self.listAttribute))
    }

    init(_ ordinal: Int, of records: RecordGenerator) {
        item = ItemRecord(ordinal, of: records)
        list = records.int64(Self.listAttribute, ordinal)
    }

    func number(at position: Int) -> Int64 { list }

    mutating func apply(_ change: RecordChange) throws {
        if change.attribute == Self.listAttribute {
            list = try change.applied(to: list)
        } else {
            try item.apply(change)
        }
    }

    func bind(_ attribute: Int, to statement: PlainStatement, at index: Int32) throws {
        if attribute == Self.listAttribute {
            try statement.bind(list, at: index)
        } else {
            try item.bind(attribute, to: statement, at: index)
        }
    }

    func hasSameValue(_ attribute: Int, as other: OwnedItemRecord) -> Bool {
        attribute == Self.listAttribute ? list == other.list : item.hasSameValue(attribute, as: other.item)
    }

    @inline(__always)
    func digest(into digester: inout RecordDigester) {
        item.digest(into: &digester)
        digester.add(list)
    }
}

extension OwnedItemRecord: ServerRecord {
    @inline(__always)
    init(row: some ServerRow, of table: borrowing ServerTable) {
        item = ItemRecord(row: row, of: table)
        list = row.int64(Self.listAttribute + 2)
    }

    @inline(__always)
    func append(_ attribute: Int, of table: borrowing ServerTable, to sink: inout some ServerValueSink) {
        if attribute == Self.listAttribute {
            sink.append(list)
        } else {
            item.append(attribute, of: table, to: &sink)
        }
    }
}

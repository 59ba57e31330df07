import BenchHarness
import DriverSupport

/// The to-do item of a list: the item without a list, and the list's key.
struct OwnedItemRecord: SQLRecord {
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
        guard entity.toOnes.count == 1, entity.attributes.last?.hasNulls == false else { return false }
        return ItemRecord.describes(EntitySpec(name: entity.name, attributes: Array(entity.attributesOfItsOwn)))
    }

    @inline(__always)
    init(row: borrowing some SQLRow, of table: borrowing RecordTable) {
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

    @inline(__always)
    func append(_ attribute: Int, of table: borrowing RecordTable, to sink: inout some SQLValueSink) throws {
        if attribute == Self.listAttribute {
            try sink.append(list)
        } else {
            try item.append(attribute, of: table, to: &sink)
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

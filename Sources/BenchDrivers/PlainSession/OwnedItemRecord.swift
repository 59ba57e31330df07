import BenchHarness
import DriverSupport

/// The to-do item of a list: the item without a list, and the list's key.
struct OwnedItemRecord: PlainRecord {
    private var item: ItemRecord
    private(set) var owner: Int64

    var key: Int64 { item.key }
    var version: Int64 {
        get { item.version }
        set { item.version = newValue }
    }

    /// The column after the item's own.
    private static let ownerAttribute = 3

    /// Returns whether the struct matches an entity: the item's attributes, and an owner.
    static func describes(_ entity: EntitySpec) -> Bool {
        guard entity.owner != nil else { return false }
        return ItemRecord.describes(EntitySpec(name: entity.name, attributes: Array(entity.attributesOfItsOwn)))
    }

    @inline(__always)
    init(row: borrowing PlainStatement, of table: borrowing RecordTable) {
        item = ItemRecord(row: row, of: table)
        owner = row.int64(RecordTable.column(of: Self.ownerAttribute))
    }

    init(_ ordinal: Int, of records: RecordGenerator) {
        item = ItemRecord(ordinal, of: records)
        owner = records.int64(Self.ownerAttribute, ordinal)
    }

    mutating func apply(_ change: RecordChange) throws {
        if change.attribute == Self.ownerAttribute {
            owner = try change.applied(to: owner)
        } else {
            try item.apply(change)
        }
    }

    func bind(_ attribute: Int, to statement: PlainStatement, at index: Int32) throws {
        if attribute == Self.ownerAttribute {
            try statement.bind(owner, at: index)
        } else {
            try item.bind(attribute, to: statement, at: index)
        }
    }

    func hasSameValue(_ attribute: Int, as other: OwnedItemRecord) -> Bool {
        attribute == Self.ownerAttribute ? owner == other.owner : item.hasSameValue(attribute, as: other.item)
    }

    @inline(__always)
    func digest(into digester: inout RecordDigester) {
        item.digest(into: &digester)
        digester.add(owner)
    }
}

extension OwnedItemRecord: ServerRecord {
    @inline(__always)
    init(row: some ServerRow, of table: borrowing ServerTable) {
        item = ItemRecord(row: row, of: table)
        owner = row.int64(Self.ownerAttribute + 2)
    }

    @inline(__always)
    func append(_ attribute: Int, of table: borrowing ServerTable, to sink: inout some ServerValueSink) {
        if attribute == Self.ownerAttribute {
            sink.append(owner)
        } else {
            item.append(attribute, of: table, to: &sink)
        }
    }
}

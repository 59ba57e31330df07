import BenchHarness
import DriverSupport

/// The to-do item of the main scenarios, as a programmer would write it by hand.
struct ItemRecord: SQLRecord {
    let key: Int64
    var version: Int64
    var name: String
    var createdAt: Double
    var done: Bool

    /// Returns whether the struct matches an entity: these attributes in this order, none of them ever null.
    static func describes(_ entity: EntitySpec) -> Bool {
        entity.attributes.map(\.name) == ["name", "createdAt", "done"]
            && entity.attributes.map(\.type) == [.string, .date, .bool]
            && !entity.attributes.contains { $0.hasNulls || $0.isUnique }
    }

    @inline(__always)
    init(row: borrowing some SQLRow, of table: borrowing RecordTable) {
        key = row.int64(0)
        version = row.int64(1)
        name = row.string(2)
        createdAt = row.double(3)
        done = row.bool(4)
    }

    init(_ ordinal: Int, of records: RecordGenerator) {
        key = RecordTable.key(ordinal)
        version = 1
        name = records.string(0, ordinal)
        createdAt = records.double(1, ordinal)
        done = records.bool(2, ordinal)
    }

    mutating func apply(_ change: RecordChange) throws {
        switch change.attribute {
        case 0: name = try change.assignedString()
        case 1: createdAt = try change.applied(to: createdAt, .date)
        default: done = try change.applied(to: done)
        }
    }

    @inline(__always)
    func append(_ attribute: Int, of table: borrowing RecordTable, to sink: inout some SQLValueSink) throws {
        switch attribute {
        case 0: try sink.append(name)
        case 1: try sink.append(createdAt)
        default: try sink.append(done)
        }
    }

    func hasSameValue(_ attribute: Int, as other: ItemRecord) -> Bool {
        switch attribute {
        case 0: name.utf8.elementsEqual(other.name.utf8)
        case 1: createdAt == other.createdAt
        default: done == other.done
        }
    }

    @inline(__always)
    func digest(into digester: inout RecordDigester) {
        digester.add(name)
        digester.add(createdAt)
        digester.add(done)
    }
}

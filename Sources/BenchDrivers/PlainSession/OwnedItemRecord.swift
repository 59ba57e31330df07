import BenchHarness

/// The to-do item that belongs to a list, as one would write it by hand.
struct OwnedItemRecord: PlainRecord {
    let key: Int64
    var version: Int64
    var name: String
    var createdAt: Double
    var done: Bool
    var owner: Int64

    /// The entity that the struct is written for: these attributes in this order, none of them ever null, and an owner.
    static func describes(_ entity: EntitySpec) -> Bool {
        entity.owner != nil && entity.attributesOfItsOwn.map(\.name) == ["name", "createdAt", "done"]
            && entity.attributesOfItsOwn.map(\.type) == [.string, .date, .bool]
            && !entity.attributes.contains { $0.generator == .constant(.null) || $0.isUnique }
    }

    @inline(__always)
    init(row: borrowing Statement, of table: borrowing RecordTable) {
        key = row.int64(0)
        version = row.int64(1)
        name = row.string(2)
        createdAt = row.double(3)
        done = row.bool(4)
        owner = row.int64(5)
    }

    mutating func apply(_ change: RecordChange) throws {
        switch change.attribute {
        case 0: name = try change.assignedString()
        case 1: createdAt = try change.applied(to: createdAt, .date)
        case 2: done = try change.applied(to: done)
        default: owner = try change.applied(to: owner)
        }
    }

    func bind(_ attribute: Int, to statement: Statement, at index: Int32) throws {
        switch attribute {
        case 0: try statement.bind(name, at: index)
        case 1: try statement.bind(createdAt, at: index)
        case 2: try statement.bind(done, at: index)
        default: try statement.bind(owner, at: index)
        }
    }

    func hasSameValue(_ attribute: Int, as other: OwnedItemRecord) -> Bool {
        switch attribute {
        case 0: name.utf8.elementsEqual(other.name.utf8)
        case 1: createdAt == other.createdAt
        case 2: done == other.done
        default: owner == other.owner
        }
    }

    @inline(__always)
    func touch() -> UInt64 {
        UInt64(name.utf8.count) &+ createdAt.bitPattern &+ (done ? 1 : 0) &+ UInt64(bitPattern: owner)
    }

    func digest(into digester: inout RecordDigester) {
        digester.add(name)
        digester.add(createdAt)
        digester.add(done)
        digester.add(owner)
    }
}

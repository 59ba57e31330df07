import BenchHarness
import DriverSupport
import Foundation
import GRDB

/// The to-do item of the main scenarios as a record, its properties named for the application and its columns for the
/// file.
struct ItemRecord: Codable, Identifiable, Equatable {
    var id: Int64
    /// The number of the entity, the same in every row.
    var entity: Int8 = 1
    var version: Int64 = 1
    var name: String
    var createdAt: Date
    var done: Bool

    enum CodingKeys: String, CodingKey {
        case id = "Z_PK"
        case entity = "Z_ENT"
        case version = "Z_OPT"
        case name = "ZNAME"
        case createdAt = "ZCREATEDAT"
        case done = "ZDONE"
    }
}

extension ItemRecord: EntityRecord {
    static let databaseTableName = "ZITEM"

    /// No property is an optional.
    static var optionals: [String] { [] }

    func digest(into digester: inout RecordDigester, entity: EntitySpec) { digestAttributes(into: &digester) }

    func digestAttributes(into digester: inout RecordDigester) {
        digester.add(name)
        digester.add(createdAt.timeIntervalSinceReferenceDate)
        digester.add(done)
    }
}

extension ItemRecord {
    /// The entity that the struct is written for: these attributes in this order, none of them ever null.
    static func describes(_ entity: EntitySpec) -> Bool {
        entity.name == "Item" && entity.attributes.map(\.name) == ["name", "createdAt", "done"]
            && entity.attributes.map(\.type) == [.string, .date, .bool]
            && !entity.attributes.contains { $0.hasNulls || $0.isUnique }
    }

    /// A new item: the one with this ordinal.
    init(_ ordinal: Int, of records: RecordGenerator) {
        id = RecordTable.key(ordinal)
        name = records.string(0, ordinal)
        createdAt = Date(timeIntervalSinceReferenceDate: records.double(1, ordinal))
        done = records.bool(2, ordinal)
    }

    /// The value of an attribute, as it is stored.
    func value(_ attribute: Int) -> DatabaseValue {
        switch attribute {
        case 0: name.databaseValue
        case 1: createdAt.timeIntervalSinceReferenceDate.databaseValue
        default: done.databaseValue
        }
    }

    mutating func apply(_ change: RecordChange) throws {
        switch change.attribute {
        case 0: name = try change.assignedString()
        case 1: createdAt = try change.applied(to: createdAt)
        default: done = try change.applied(to: done)
        }
    }
}

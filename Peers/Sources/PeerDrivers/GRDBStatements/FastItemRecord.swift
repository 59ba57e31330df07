import BenchHarness
import DriverSupport
import Foundation
import GRDB

/// The to-do item of the main scenarios, its columns in the order of ``StatementTechnique``'s selection.
struct FastItemRecord: StatementRecord {
    let id: Int64
    var version: Int64
    var name: String
    var createdAt: Date
    var done: Bool

    /// The entity that the struct is written for: these attributes in this order, none of them ever null.
    static func describes(_ entity: EntitySpec) -> Bool { ItemRecord.describes(entity) }

    init(row: Row) {
        id = row[0]
        version = row[1]
        name = row[2]
        createdAt = Date(timeIntervalSinceReferenceDate: row[3])
        done = row[4]
    }

    static func insertArguments(_ ordinal: Int, of records: RecordGenerator) -> StatementArguments {
        [RecordTable.key(ordinal), records.string(0, ordinal), records.double(1, ordinal), records.bool(2, ordinal)]
    }

    mutating func apply(_ change: RecordChange) throws {
        switch change.attribute {
        case 0: name = try change.assignedString()
        case 1: createdAt = try change.applied(to: createdAt)
        default: done = try change.applied(to: done)
        }
    }

    func value(_ attribute: Int) -> (any DatabaseValueConvertible)? {
        switch attribute {
        case 0: name
        case 1: createdAt.timeIntervalSinceReferenceDate
        default: done
        }
    }

    func digest(into digester: inout RecordDigester, entity: EntitySpec) {
        digester.add(name)
        digester.add(createdAt.timeIntervalSinceReferenceDate)
        digester.add(done)
    }
}

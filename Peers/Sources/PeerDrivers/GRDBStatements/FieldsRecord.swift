import BenchHarness
import DriverSupport
import Foundation
import GRDB

/// A record of any entity, its values in an array as SQLite has them: which type an attribute has, the entity knows.
struct FieldsRecord: StatementRecord {
    let id: Int64
    var version: Int64
    var values: [DatabaseValue]

    init(row: Row) {
        id = row[0]
        version = row[1]
        values = row.databaseValues.dropFirst(2).map { $0 }
    }

    static func insertArguments(_ ordinal: Int, of records: RecordGenerator) -> StatementArguments {
        let values = records.entity.attributes.indices.map { records.value($0, ordinal).databaseValue }
        return StatementArguments([RecordTable.key(ordinal).databaseValue] + values)
    }

    mutating func apply(_ change: RecordChange) throws {
        values[change.attribute] = try change.applied(to: values[change.attribute])
    }

    func value(_ attribute: Int) -> (any DatabaseValueConvertible)? { values[attribute] }

    func digest(into digester: inout RecordDigester, entity: EntitySpec) {
        for (value, attribute) in zip(values, entity.attributes) {
            digester.add(FieldValue(value, attribute.type))
        }
    }
}

extension FieldValue {
    /// What SQLite has, as the type that the entity says it is. A column of numeric affinity keeps a whole number as an
    /// integer.
    init(_ value: DatabaseValue, _ type: FieldType) {
        switch (value.storage, type) {
        case (.null, _): self = .null
        case (.int64(let value), .bool): self = .bool(value != 0)
        case (.int64(let value), .date): self = .date(Double(value))
        case (.int64(let value), .double): self = .double(Double(value))
        case (.int64(let value), _): self = .int64(value)
        case (.double(let value), .date): self = .date(value)
        case (.double(let value), _): self = .double(value)
        case (.string(let value), _): self = .string(value)
        case (.blob(let value), _): self = .data(value)
        }
    }
}

import BenchHarness
import DriverSupport
import Foundation

/// A record of any entity, with its values in an array.
struct FieldRecord: PlainRecord {
    let key: Int64
    var version: Int64
    var values: [FieldValue]

    init(row: borrowing PlainStatement, of table: borrowing RecordTable) {
        key = row.int64(0)
        version = row.int64(1)
        values = table.entity.attributes.enumerated().map { [row = copy row] index, attribute in
            Self.value(of: attribute.type, in: row, RecordTable.column(of: index))
        }
    }

    init(_ ordinal: Int, of records: RecordGenerator) {
        key = RecordTable.key(ordinal)
        version = 1
        values = records.entity.attributes.indices.map { records.value($0, ordinal) }
    }

    static func value(of type: FieldType, in row: PlainStatement, _ column: Int32) -> FieldValue {
        if row.isNull(column) { return .null }
        return switch type {
        case .string: .string(row.string(column))
        case .bool: .bool(row.bool(column))
        case .date: .date(row.double(column))
        case .int64: .int64(row.int64(column))
        case .double: .double(row.double(column))
        case .data: .data(Data(row.blob(column)))
        }
    }

    func number(at position: Int) -> Int64 {
        if case .int64(let number) = values[position] { number } else { 0 }
    }

    /// A null value stays null, except under assignment.
    mutating func apply(_ change: RecordChange) throws {
        if case .assign(let value) = change.operation {
            values[change.attribute] = value
            return
        }
        switch values[change.attribute] {
        case .null: break
        case .bool(let old): values[change.attribute] = .bool(try change.applied(to: old))
        case .date(let old): values[change.attribute] = .date(try change.applied(to: old, .date))
        case .double(let old): values[change.attribute] = .double(try change.applied(to: old, .double))
        case .int64(let old): values[change.attribute] = .int64(try change.applied(to: old))
        case .string: throw change.mismatch(.string)
        case .data: throw change.mismatch(.data)
        }
    }

    func bind(_ attribute: Int, to statement: PlainStatement, at index: Int32) throws {
        try statement.bind(values[attribute], at: index)
    }

    /// Returns whether two values are equal to the byte; Swift's own comparison treats canonically equivalent strings
    /// as equal.
    func hasSameValue(_ attribute: Int, as other: FieldRecord) -> Bool {
        if case (.string(let left), .string(let right)) = (values[attribute], other.values[attribute]) {
            return left.utf8.elementsEqual(right.utf8)
        }
        return values[attribute] == other.values[attribute]
    }

    func digest(into digester: inout RecordDigester) {
        for value in values { digester.add(value) }
    }
}

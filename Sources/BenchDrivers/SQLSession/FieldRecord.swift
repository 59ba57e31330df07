import BenchHarness
import DriverSupport

/// A record of any entity, with its values in an array.
struct FieldRecord: SQLRecord {
    let key: Int64
    var version: Int64
    var values: [FieldValue]

    init(row: borrowing some SQLRow, of table: borrowing RecordTable) {
        key = row.int64(0)
        version = row.int64(1)
        values = []
        values.reserveCapacity(table.entity.attributes.count)
        for attribute in table.entity.attributes.indices {
            values.append(row.value(of: table.entity.attributes[attribute].type, RecordTable.column(of: attribute)))
        }
    }

    init(_ ordinal: Int, of records: RecordGenerator) {
        key = RecordTable.key(ordinal)
        version = 1
        values = records.entity.attributes.indices.map { records.value($0, ordinal) }
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

    func append(_ attribute: Int, of table: borrowing RecordTable, to sink: inout some SQLValueSink) throws {
        try sink.append(values[attribute], as: table.entity.attributes[attribute].type)
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

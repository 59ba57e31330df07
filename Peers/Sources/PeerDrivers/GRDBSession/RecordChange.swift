import BenchHarness
import DriverSupport
import Foundation
import GRDB

extension RecordTable {
    /// The change as the query interface makes it in the database.
    func assignment(_ change: RecordChange) -> ColumnAssignment {
        let column = Column(columns[change.attribute])
        return switch change.operation {
        case .assign(let value): column.set(to: value.databaseValue)
        case .toggle: column.set(to: !column)
        case .add(let value): column += value.smallest
        case .draw: preconditionFailure("one statement draws no value for each record")
        }
    }
}

extension RecordChange {
    /// The date that `old` becomes.
    func applied(to old: Date) throws -> Date {
        Date(timeIntervalSinceReferenceDate: try applied(to: old.timeIntervalSinceReferenceDate, .date))
    }

    /// What a value of any type becomes. What is missing stays missing, unless a value is assigned.
    func applied(to old: DatabaseValue) throws -> DatabaseValue {
        switch (operation, old.storage) {
        case (.assign(let value), _): return value.databaseValue
        case (_, .null): return old
        case (.toggle, .int64(let value)): return (value == 0).databaseValue
        case (.add, .double(let value)): return try applied(to: value, .double).databaseValue
        case (.add(let step), .int64(let value)):
            // A date in whole seconds lies in the file as an integer.
            if Int64(exactly: step) == nil { return (Double(value) + step).databaseValue }
            return try applied(to: value).databaseValue
        default: throw RunError(.phase, "\(operation) cannot be done to \(old)")
        }
    }
}

extension Double {
    /// The same number, an integer where it is whole: SQLite leaves an integer one when an integer is added.
    fileprivate var smallest: any DatabaseValueConvertible & SQLExpressible { Int64(exactly: self) ?? self }
}

extension FieldValue {
    /// The value as it is stored: a date as its seconds since 2001, a bool as 0 or 1.
    var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .string(let value): value.databaseValue
        case .bool(let value): value.databaseValue
        case .date(let value), .double(let value): value.databaseValue
        case .int64(let value): value.databaseValue
        case .data(let value): value.databaseValue
        }
    }
}

import BenchHarness
import Foundation
import GRDB

/// An attribute to change, found by its position.
struct RecordChange: Sendable {
    let attribute: Int
    let column: String
    let operation: AttributeChange.Operation

    /// Resolves the names in `changes`.
    static func resolve(_ changes: [AttributeChange], in table: RecordTable) throws -> [RecordChange] {
        try changes.map { change in
            let attribute = try table.attribute(change.attribute)
            return RecordChange(
                attribute: attribute, column: table.columns[attribute], operation: change.operation)
        }
    }

    /// The change as the query interface makes it in the database.
    var assignment: ColumnAssignment {
        let column = Column(column)
        return switch operation {
        case .assign(let value): column.set(to: value.databaseValue)
        case .toggle: column.set(to: !column)
        case .add(let value): column += value.smallest
        }
    }

    /// The bool that `old` becomes.
    func applied(to old: Bool) throws -> Bool {
        switch operation {
        case .assign(.bool(let value)): return value
        case .toggle: return !old
        default: throw mismatch
        }
    }

    /// The date that `old` becomes.
    func applied(to old: Date) throws -> Date {
        switch operation {
        case .assign(.date(let value)): return Date(timeIntervalSinceReferenceDate: value)
        case .add(let value): return old + value
        default: throw mismatch
        }
    }

    /// The string that takes the old one's place.
    func assignedString() throws -> String {
        if case .assign(.string(let value)) = operation { return value }
        throw mismatch
    }

    /// What a value of any type becomes. What is missing stays missing, unless a value is assigned.
    func applied(to old: DatabaseValue) throws -> DatabaseValue {
        switch (operation, old.storage) {
        case (.assign(let value), _): return value.databaseValue
        case (_, .null): return old
        case (.toggle, .int64(let value)): return (value == 0).databaseValue
        case (.add(let step), .double(let value)): return (value + step).databaseValue
        case (.add(let step), .int64(let value)):
            guard let whole = Int64(exactly: step) else { return (Double(value) + step).databaseValue }
            let (sum, overflow) = value.addingReportingOverflow(whole)
            if overflow { throw RunError(.phase, "\(value) + \(whole) does not fit into 64 bits") }
            return sum.databaseValue
        default: throw mismatch
        }
    }

    private var mismatch: RunError { RunError(.phase, "\(column) has a type to which \(operation) cannot be done") }
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

import BenchHarness
import Foundation
import GRDB

/// What a phase asks for, in terms of GRDB's query interface.
struct RecordQuery {
    let table: RecordTable

    /// Takes a text, and returns the bytes of its folded form. SQLite's own functions fold the letters of ASCII alone,
    /// and `LIKE` reads wildcards.
    static let fold = DatabaseFunction("BENCH_FOLD", argumentCount: 1, pure: true) { values in
        String.fromDatabaseValue(values[0]).map { Data(FilterSpec.folded($0).utf8) }
    }

    /// The condition of `filter`; nil matches every record.
    ///
    /// SQL knows three truth values and a scenario's filter two, so that each comparison is made never to be NULL.
    /// Strings are matched by their bytes, never by `LIKE`, which folds case and reads wildcards.
    func condition(_ filter: FilterSpec?) throws -> SQLExpression {
        switch filter {
        case nil: true.sqlExpression
        case .any(let relationship, let part): try any(relationship, part)
        case .and(let parts): try parts.map(condition).joined(operator: .and)
        case .or(let parts): try parts.map(condition).joined(operator: .or)
        case .not(let part): try !condition(part)
        case .compare(let key, let comparison, let value):
            try on(key) { comparison.condition($0, value) }
        case .ignoringCase(let key, let comparison, let text):
            try on(key) {
                comparison.matches($0, Data(FilterSpec.folded(text).utf8)) { "BENCH_FOLD(\($0))" }
            }
        case .oneOf(let key, let values): try known(key) { values.map(\.databaseValue).contains($0) }
        case .between(let key, let low, let high):
            try known(key) { $0 >= low.databaseValue && $0 <= high.databaseValue }
        }
    }

    /// Returns a condition that is false, not NULL, where the column is NULL.
    private func known(_ key: String, _ condition: (Column) -> SQLExpression) throws -> SQLExpression {
        try on(key) { $0 != nil && condition($0) }
    }

    /// Returns a condition on a column of the records or, where the key leads through a relationship, on one of the
    /// records that meet it there: unlike a joined association, a subquery is a condition as any other, under `OR` and
    /// `NOT` and in hand-written statements too.
    private func on(_ key: String, _ condition: (Column) -> SQLExpression) throws -> SQLExpression {
        guard let (toOne, rest) = table.entity.reached(by: key) else {
            return condition(Column(table.columns[try table.attribute(key)]))
        }
        let target = table.target(toOne)
        return Table(target.name).filter(try RecordQuery(table: target).on(rest, condition)).select(Column("Z_PK"))
            .contains(Column(table.toOneColumn(toOne)))
    }

    /// Returns the condition that a relationship leads to a record which meets a condition.
    private func any(_ relationship: String, _ condition: FilterSpec) throws -> SQLExpression {
        if let toOne = table.entity.toOnes.firstIndex(where: { $0.relationship == relationship }) {
            let target = table.target(toOne)
            return Table(target.name).filter(try RecordQuery(table: target).condition(condition)).select(Column("Z_PK"))
                .contains(Column(table.toOneColumn(toOne)))
        }
        let members = try table.members(by: relationship)
        let found = Table(members.table.name).filter(try RecordQuery(table: members.table).condition(condition))
        guard let pairs = members.pairs else { return found.select(Column(members.own)).contains(Column("Z_PK")) }
        let keys = found.select(Column("Z_PK"))
        return Table(pairs.name).filter(keys.contains(Column(pairs.key))).select(Column(members.own))
            .contains(Column("Z_PK"))
    }

    /// The terms of an order.
    func ordering(_ sort: [SortSpec]) throws -> [any SQLOrderingTerm] {
        try sort.map { key in
            let value = SQL(sql: try table.sortValue(key.key)).sqlExpression
            return key.ascending ? value.asc : value.desc
        }
    }
}

extension FilterSpec.Comparison {
    fileprivate func condition(_ column: Column, _ value: FieldValue) -> SQLExpression {
        let operand = value.databaseValue
        if value == .null, ![.equal, .notEqual].contains(self) { return false.sqlExpression }
        return switch self {
        case .equal: column === operand
        case .notEqual: column !== operand
        case .less: column != nil && column < operand
        case .lessOrEqual: column != nil && column <= operand
        case .greater: column != nil && column > operand
        case .greaterOrEqual: column != nil && column >= operand
        case .contains, .beginsWith, .endsWith:
            value.bytes.map { matches(column, $0) { "CAST(\($0) AS BLOB)" } } ?? false.sqlExpression
        }
    }

    /// Searches `bytes` in the bytes that `text` makes of a column.
    fileprivate func matches(_ column: Column, _ bytes: Data, in text: (Column) -> SQL) -> SQLExpression {
        // Every text contains nothing, and substr(x, -0) would be all of x.
        if bytes.isEmpty, self != .equal { return column != nil }
        let text = text(column)
        // A part of an empty string is NULL, which IS tells from any bytes.
        let found: SQL =
            switch self {
            case .equal: "\(text) = \(bytes)"
            case .beginsWith: "substr(\(text), 1, \(bytes.count)) IS \(bytes)"
            case .endsWith: "substr(\(text), \(-bytes.count)) IS \(bytes)"
            default: "instr(\(text), \(bytes)) > 0"
            }
        return column != nil && found.sqlExpression
    }
}

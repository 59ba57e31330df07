@testable import ManagedStore

/// The dialect of a server that was made up, as unlike SQLite's as dialects come: quoted names, numbered parameters,
/// lists as one parameter, truth values, no queries about the row of the query around them, and no functions of ours.
struct ServerDialect: SQLDialect {
    var parameterLimit = 65_535

    func identifier(_ name: String) -> String { "\"\(name)\"" }
    func parameter(_ number: Int) -> String? { "$\(number)" }
    func literal(_ value: StoredValue) -> String {
        switch value {
        case .integer64(let number): "\(number)"
        case .string(let text): "'\(text)'"
        default: "NULL"
        }
    }
    func says(_ value: StoredValue) -> Bool { true }
    func literal(_ value: Bool) -> String { value ? "TRUE" : "FALSE" }

    func columnType(_ kind: ColumnKind) -> String {
        switch kind {
        case .boolean: "boolean"
        case .text: "text COLLATE \"C\""
        case .timestamp, .real, .decimal: "double precision"
        case .blob: "bytea"
        case .integer: "bigint"
        }
    }
    var primaryKey: String { "bigint PRIMARY KEY" }

    func isSame(_ column: String, _ value: StoredValue) -> SQLFragment {
        if value == .null { return SQLFragment(sql: "\(column) IS NULL") }
        return SQLFragment(sql: "(\(column) = ? AND \(column) IS NOT NULL)", bindings: [value])
    }
    func isNotSame(_ column: String, _ value: StoredValue) -> SQLFragment {
        SQLFragment(sql: "NOT ") + isSame(column, value)
    }
    func isOne(of values: [StoredValue], _ column: String) -> SQLFragment {
        let list = "{\(values.map(literal).joined(separator: ","))}"
        return SQLFragment(sql: "(\(column) = ANY(?) AND \(column) IS NOT NULL)", bindings: [.string(list)])
    }
    func isOne(of keys: [Int64], _ column: String) -> SQLFragment {
        SQLFragment(
            sql: "\(column) = ANY(?)", bindings: [.string("{\(keys.map(String.init).joined(separator: ","))}")])
    }
    func says(_ test: TextTest) -> Bool {
        if case .finds = test.question { test.options.isEmpty } else { false }
    }
    func condition(_ test: TextTest, _ column: String) -> SQLFragment {
        guard case .finds(let needle, _) = test.question else { return SQLFragment(sql: literal(false)) }
        return SQLFragment(sql: "COALESCE(strpos(\(column), ?) > 0, FALSE)", bindings: [.string(needle)])
    }
    func withoutIndex(_ column: String) -> String { column }
    var allowsCorrelatedQueries: Bool { false }

    func folds(_ options: FetchPredicate.StringOptions) -> Bool { options.isEmpty }
    func folded(_ column: String, _ options: FetchPredicate.StringOptions) -> String { column }
    func sortKey(_ expression: String, ascending: Bool, isNeverMissing: Bool) -> String {
        expression + (ascending ? " NULLS FIRST" : " DESC NULLS LAST")
    }
    var scansByKey: Bool { true }
    func window(limit: Int, offset: Int) -> SQLFragment {
        var window = SQLFragment(sql: "")
        if limit > 0 { window.append(SQLFragment(sql: " LIMIT ?", bindings: [.integer64(Int64(limit))])) }
        if offset > 0 { window.append(SQLFragment(sql: " OFFSET ?", bindings: [.integer64(Int64(offset))])) }
        return window
    }

    func adds(_ kind: NumberSum.Kind) -> Bool { kind == .integers }
    func sum(_ column: String, _ kind: NumberSum.Kind) -> String { "SUM(\(column))" }
    func average(_ column: String, _ kind: NumberSum.Kind) -> String { "AVG(\(column))" }
    func computes(_ expression: BatchUpdatePlan.Expression, as type: AttributeType) -> Bool {
        if case .constant = expression { true } else { false }
    }
    func clamped(_ value: SQLFragment, to range: ClosedRange<Int64>) -> SQLFragment { value }
    func rounded(_ value: SQLFragment) -> SQLFragment { value }
    func computed(_ first: SQLFragment, _ links: [(BatchUpdatePlan.Operator, SQLFragment)]) -> SQLFragment { first }

    func insertIfAbsent(into table: String, _ columns: [String], _ source: String) -> String {
        "INSERT INTO \(table) (\(columns.joined(separator: ", "))) \(source) ON CONFLICT DO NOTHING"
    }
}

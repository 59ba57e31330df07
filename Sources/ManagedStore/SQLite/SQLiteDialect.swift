import Foundation

/// SQLite's SQL. Registered functions express what SQLite itself cannot: see ``SQLFunctions``.
struct SQLiteDialect: SQLDialect {
    /// Tests set this to false to compare the results.
    var allowsCorrelatedQueries = true

    /// Names consist of letters of any script, digits and underscores, and are unquoted as in Core Data's files.
    func identifier(_ name: String) -> String { name }
    /// The parameter limit of every SQLite library that was not built with a lower one.
    var parameterLimit: Int { Self.parameterLimit }
    static let parameterLimit = 32_766
    func literal(_ value: StoredValue) -> String { value.literal }
    func says(_ value: StoredValue) -> Bool { true }
    func literal(_ value: Bool) -> String { value ? "1" : "0" }

    /// Returns Core Data's names for the types.
    func columnType(_ kind: ColumnKind) -> String {
        switch kind {
        case .boolean, .integer: "INTEGER"
        case .timestamp: "TIMESTAMP"
        case .real: "FLOAT"
        case .decimal: "DECIMAL"
        case .text: "VARCHAR"
        case .blob: "BLOB"
        }
    }

    var primaryKey: String { "INTEGER PRIMARY KEY" }

    /// Statements around conditions take up to twenty of the parser's hundred entries.
    var conditionRoom: Int { 72 }

    func isSame(_ column: String, _ value: StoredValue) -> SQLFragment {
        SQLFragment(sql: "\(column) IS ?", bindings: [value])
    }

    func isNotSame(_ column: String, _ value: StoredValue) -> SQLFragment {
        SQLFragment(sql: "\(column) IS NOT ?", bindings: [value])
    }

    func isOne(of values: [StoredValue], _ column: String) -> SQLFragment {
        let places = String.list(of: "?", values.count)
        return SQLFragment(sql: "(\(column) IN (\(places)) AND \(column) IS NOT NULL)", bindings: values)
    }

    /// The keys are part of the text: they are numbers, and may outnumber the parameters. Neighbours are a range, which
    /// takes a small part of the time to compile and to run.
    func isOne(of keys: [Int64], _ column: String) -> SQLFragment {
        if let (first, last) = keys.ends {
            return SQLFragment(sql: "(\(column) BETWEEN ? AND ?)", bindings: [.integer64(first), .integer64(last)])
        }
        return SQLFragment(sql: "\(column) IN (\(keys.map(String.init).joined(separator: ",")))")
    }

    func withoutIndex(_ column: String) -> String { "+\(column)" }

    func sortKey(_ expression: String, ascending: Bool, isNeverMissing: Bool) -> String {
        ascending ? expression : "\(expression) DESC"
    }

    var readsByIndex: Bool { true }

    var scansByKey: Bool { true }

    func window(limit: Int, offset: Int) -> SQLFragment {
        guard limit > 0 || offset > 0 else { return SQLFragment(sql: "") }
        return SQLFragment(
            sql: " LIMIT ? OFFSET ?", bindings: [.integer64(limit > 0 ? Int64(limit) : -1), .integer64(Int64(offset))])
    }

    func insertIfAbsent(into table: String, _ columns: [String], _ source: String) -> String {
        "INSERT OR IGNORE INTO \(table) (\(columns.joined(separator: ", "))) \(source)"
    }
}

// MARK: - Text

extension SQLiteDialect {
    func condition(_ test: TextTest, _ column: String) -> SQLFragment {
        let text = folded(column, test.options)
        switch test.question {
        case .compare(.equal, let other): return isSame(text, .string(other))
        case .compare(let comparison, let other):
            return SQLFragment(
                sql: "(\(text) \(comparison.sqlOperator) ? AND \(column) IS NOT NULL)", bindings: [.string(other)])
        case .isOneOf(let others):
            let places = String.list(of: "?", others.count)
            return SQLFragment(
                sql: "(\(text) IN (\(places)) AND \(column) IS NOT NULL)", bindings: others.map { .string($0) })
        case .finds(let needle, let place):
            return SQLFragment(sql: "\(place.function)(\(text), ?)", bindings: [.string(needle)])
        case .isLike(_, let pattern):
            return SQLFragment(sql: "MS_LIKE(\(text), ?, 0)", bindings: [.string(pattern)])
        case .matches(_, let pattern, _):
            return SQLFragment(
                sql: "MS_MATCHES(\(column), ?, \(test.patternOptions.rawValue))", bindings: [.string(pattern)])
        }
    }

    func folded(_ column: String, _ options: FetchPredicate.StringOptions) -> String {
        options.isEmpty ? column : "MS_FOLD(\(column), \(options.rawValue))"
    }
}

extension StringPlace {
    /// The SQL function that finds one string at this place of another.
    fileprivate var function: String {
        switch self {
        case .anywhere: "MS_CONTAINS"
        case .beginning: "MS_BEGINSWITH"
        case .end: "MS_ENDSWITH"
        }
    }
}

// MARK: - Computing

extension SQLiteDialect {
    func sum(_ column: String, _ kind: NumberSum.Kind) -> String { "MS_SUM(\(column), \(kind.rawValue))" }
    func average(_ column: String, _ kind: NumberSum.Kind) -> String { "MS_AVERAGE(\(column), \(kind.rawValue))" }

    func clamped(_ value: SQLFragment, to range: ClosedRange<Int64>) -> SQLFragment {
        SQLFragment(sql: "MAX(\(range.lowerBound), MIN(\(range.upperBound), ") + value + SQLFragment(sql: "))")
    }

    func rounded(_ value: SQLFragment) -> SQLFragment {
        SQLFragment(sql: "MS_FLOAT(") + value + SQLFragment(sql: ")")
    }

    /// A function computes some operations at a time, because its number of arguments is limited.
    func computed(_ first: SQLFragment, _ links: [(BatchUpdatePlan.Operator, SQLFragment)]) -> SQLFragment {
        var text = first
        for start in stride(from: 0, to: links.count, by: SQLFunctions.operationsAtOnce) {
            text = SQLFragment(sql: "MS_COMPUTE(") + text
            for (operation, operand) in links.dropFirst(start).prefix(SQLFunctions.operationsAtOnce) {
                text = text + SQLFragment(sql: ", '\(operation.rawValue)', ") + operand
            }
            text = text + SQLFragment(sql: ")")
        }
        return text
    }
}

// MARK: - Literals

extension StoredValue {
    /// The value as SQL text that is exactly equal to the bound value.
    fileprivate var literal: String {
        switch untyped {
        case .nothing: "NULL"
        case .bit(let value): value ? "1" : "0"
        case .integer(let value): "\(value)"
        case .reference(let value): "\(value.key)"
        case .real(let value): Self.literal(value)
        case .decimal(let value): DecimalNumber(value).storedValue.literal
        case .text(let value): Self.literal(value)
        case .bytes(let value): Self.literal(value)
        case .uuid(let value): Self.literal(withUnsafeBytes(of: value.uuid) { Data($0) })
        }
    }

    /// Written by its bits: SQLite does not read every number as the nearest double.
    private static func literal(_ value: Double) -> String {
        "MS_REAL(\(Int64(bitPattern: value.bitPattern)))"
    }

    /// SQL text ends at a NUL.
    private static func literal(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0 != 0 && $0 != UInt8(ascii: "'") }
        return isPlain ? "'\(text)'" : "CAST(\(literal(Data(text.utf8))) AS TEXT)"
    }

    private static func literal(_ data: Data) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        return "x'" + String(decoding: data.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
            + "'"
    }
}

extension [Int64] {
    /// The first and the last of at least two numbers that each follow the one before; nil for others.
    var ends: (Int64, Int64)? {
        guard count > 1, let (first, last) = first.flatMap({ first in last.map { (first, $0) } }), first < last,
            last.subtractingReportingOverflow(first) == (Int64(count - 1), false),
            zip(self, dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        return (first, last)
    }
}

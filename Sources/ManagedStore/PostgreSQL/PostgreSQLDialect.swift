import Foundation

/// PostgreSQL's SQL, without functions of ours: what it cannot say exactly is tested on decoded rows.
struct PostgreSQLDialect: SQLDialect {
    /// What the server can do.
    var abilities = ServerAbilities.all
    /// The greatest number of parameters; 0 writes every value into the text, as `COPY` needs it.
    var parameterLimit = 65_535

    /// The same dialect for statements without parameters.
    var withoutParameters: PostgreSQLDialect {
        var dialect = self
        dialect.parameterLimit = 0
        return dialect
    }

    // MARK: Names, parameters and values

    /// The greatest number of bytes of a name. The server cuts longer ones, which could make two of them equal.
    private static let nameLimit = 63

    func identifier(_ name: String) -> String {
        "\"\(Self.fitted(name).replacing("\"" as Unicode.Scalar, with: "\"\""))\""
    }

    /// Returns a name that the server does not cut: of a longer one its beginning and a hash of all of it.
    static func fitted(_ name: String) -> String {
        guard name.utf8.count > nameLimit else { return name }
        let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        var start = name.prefix(nameLimit)
        while start.utf8.count > nameLimit - digits.utf8.count - 1 { start.removeLast() }
        return "\(start)_\(digits)"
    }

    func parameter(_ number: Int) -> String? { "$\(number)" }

    /// Quoted without a type, so that the server reads it as a value of the column beside it.
    func literal(_ value: StoredValue) -> String {
        guard let text = value.serverText else { return "NULL" }
        return "'\(text.replacing("'" as Unicode.Scalar, with: "''"))'"
    }

    /// Text with the character NUL is in no statement and in no row.
    func says(_ value: StoredValue) -> Bool {
        if case .text(let text) = value.untyped { Self.says(text) } else { true }
    }

    private static func says(_ text: String) -> Bool { !text.utf8.contains(0) }

    func literal(_ value: Bool) -> String { value ? "TRUE" : "FALSE" }

    // MARK: Columns

    /// Text sorts by its bytes, as in memory.
    func columnType(_ kind: ColumnKind) -> String {
        let type = ServerType(kind)
        return type == .text && abilities.contains(.collation) ? "text COLLATE \"C\"" : type.name
    }

    let declaresDefaults = true
    var primaryKey: String { "bigint PRIMARY KEY" }

    // MARK: Conditions

    /// An index is of no use for `IS NOT DISTINCT FROM`.
    func isSame(_ column: String, _ value: StoredValue) -> SQLFragment {
        if value == .null { return SQLFragment(sql: "\(column) IS NULL") }
        return SQLFragment(sql: "(\(column) = ? AND \(column) IS NOT NULL)", bindings: [value])
    }

    func isNotSame(_ column: String, _ value: StoredValue) -> SQLFragment {
        SQLFragment(sql: "NOT ") + isSame(column, value)
    }

    func isOne(of values: [StoredValue], _ column: String) -> SQLFragment {
        SQLFragment(sql: "(\(column) = ANY(?) AND \(column) IS NOT NULL)", bindings: [.serverList(values)])
    }

    func isOne(of keys: [Int64], _ column: String) -> SQLFragment {
        if let (first, last) = keys.ends {
            return SQLFragment(sql: "(\(column) BETWEEN ? AND ?)", bindings: [.integer64(first), .integer64(last)])
        }
        return SQLFragment(sql: "\(column) = ANY(?)", bindings: [.serverList(keys.map { .integer64($0) })])
    }

    func says(_ test: TextTest) -> Bool {
        guard test.options.isEmpty else { return false }
        return switch test.question {
        case .compare(_, let text), .finds(let text, _): Self.says(text)
        case .isOneOf(let texts): texts.allSatisfy(Self.says)
        case .isLike, .matches: false
        }
    }

    func condition(_ test: TextTest, _ column: String) -> SQLFragment {
        switch test.question {
        case .compare(.equal, let text): isSame(column, .string(text))
        case .compare(let comparison, let text):
            SQLFragment(
                sql: "(\(column) \(comparison.sqlOperator) ? AND \(column) IS NOT NULL)", bindings: [.string(text)])
        case .isOneOf(let texts): isOne(of: texts.map { .string($0) }, column)
        case .finds(let needle, let place): finds(needle, place, column)
        case .isLike, .matches: SQLFragment(sql: literal(false))
        }
    }

    private func finds(_ needle: String, _ place: StringPlace, _ column: String) -> SQLFragment {
        let needle = StoredValue.string(needle)
        let found =
            switch place {
            case .anywhere: SQLFragment(sql: "strpos(\(column), ?) > 0", bindings: [needle])
            case .beginning:
                SQLFragment(sql: "left(\(column), length(?::text)) = ?", bindings: [needle, needle])
            case .end: SQLFragment(sql: "right(\(column), length(?::text)) = ?", bindings: [needle, needle])
            }
        return SQLFragment(sql: "COALESCE(") + found + SQLFragment(sql: ", FALSE)")
    }

    var allowsCorrelatedQueries: Bool { abilities.contains(.correlatedQueries) }

    /// The planner weighs indexes by the statistics of the table.
    func withoutIndex(_ column: String) -> String { column }

    /// Measured: planning 1,000 conditions takes 20 ms or more, and nested ones take gigabytes.
    var conditionLimit: Int { 500 }

    // MARK: Order and limits

    func folds(_ options: FetchPredicate.StringOptions) -> Bool { options.isEmpty }
    func folded(_ column: String, _ options: FetchPredicate.StringOptions) -> String { column }
    func sortKey(_ expression: String, ascending: Bool, isNeverMissing: Bool) -> String {
        // Indexes on such columns, and those of uniqueness constraints, have the server's own order.
        if isNeverMissing { return ascending ? expression : "\(expression) DESC" }
        return expression + (ascending ? " NULLS FIRST" : " DESC NULLS LAST")
    }

    var scansByKey: Bool { false }

    func window(limit: Int, offset: Int) -> SQLFragment {
        var window = SQLFragment(sql: "")
        if limit > 0 { window.append(SQLFragment(sql: " LIMIT ?", bindings: [.integer64(Int64(limit))])) }
        if offset > 0 { window.append(SQLFragment(sql: " OFFSET ?", bindings: [.integer64(Int64(offset))])) }
        return window
    }

    // MARK: Computing

    /// The server rounds sums of doubles in the order of its rows, and means of integers to some digits.
    func adds(_ kind: NumberSum.Kind) -> Bool { false }
    func sum(_ column: String, _ kind: NumberSum.Kind) -> String { "SUM(\(column))" }
    func average(_ column: String, _ kind: NumberSum.Kind) -> String { "AVG(\(column))" }

    /// Arithmetic that exceeds a range is an error of the server, not clamped.
    func computes(_ expression: BatchUpdatePlan.Expression, as type: AttributeType) -> Bool {
        switch expression {
        case .constant(let value): says(value)
        case .not: true
        case .attribute, .related, .count, .chain: false
        }
    }

    var computesConditions: Bool { false }

    func clamped(_ value: SQLFragment, to range: ClosedRange<Int64>) -> SQLFragment { value }
    func rounded(_ value: SQLFragment) -> SQLFragment { value }
    func computed(_ first: SQLFragment, _ links: [(BatchUpdatePlan.Operator, SQLFragment)]) -> SQLFragment { first }

    // MARK: Writing

    func insertIfAbsent(into table: String, _ columns: [String], _ source: String) -> String {
        "INSERT INTO \(table) (\(columns.joined(separator: ", "))) \(source) ON CONFLICT DO NOTHING"
    }
}

// MARK: - Values as text

extension StoredValue {
    /// The value as the server reads it from text; nil for none.
    var serverText: String? {
        switch untyped {
        case .nothing: nil
        case .bit(let value): value ? "t" : "f"
        case .integer(let value): "\(value)"
        case .reference(let value): "\(value.key)"
        // The shortest text that leads back to the same double.
        case .real(let value): "\(value)"
        case .decimal(let value): DecimalNumber(value).serverText
        case .text(let value): value
        case .bytes(let value): Self.hexadecimal(value)
        case .uuid(let value): Self.hexadecimal(withUnsafeBytes(of: value.uuid) { Data($0) })
        }
    }

    private static func hexadecimal(_ data: Data) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return "\\x" + String(decoding: data.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Returns values as one parameter: an array in the server's text form.
    static func serverList(_ values: [StoredValue]) -> StoredValue {
        let texts = values.map { value in
            guard let text = value.serverText else { return "NULL" }
            if case .integer = value.untyped { return text }
            let escaped = text.replacing("\\" as Unicode.Scalar, with: "\\\\")
                .replacing("\"" as Unicode.Scalar, with: "\\\"")
            return "\"\(escaped)\""
        }
        return .string("{\(texts.joined(separator: ","))}")
    }
}

extension DecimalNumber {
    fileprivate var serverText: String {
        switch self {
        case .whole(let value): "\(value)"
        case .real(let value): "\(value)"
        }
    }
}

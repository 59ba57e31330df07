/// SQL text and the values bound to its parameters, in order. A parameter is a `?` in the text.
struct SQLFragment {
    var sql: String
    var bindings: [StoredValue] = []
    /// Queries that stand before the statement, by names that its text has: first those that others among them read.
    var queries: [SQLFragment] = []

    static func + (left: SQLFragment, right: SQLFragment) -> SQLFragment {
        var both = left
        both.append(right)
        return both
    }

    mutating func append(_ other: SQLFragment) {
        sql += other.sql
        bindings += other.bindings
        queries += other.queries
    }

    /// The whole statement, as a dialect writes parameters.
    func statement(in dialect: some SQLDialect) -> SQLFragment {
        if queries.isEmpty { return withParameters(of: dialect) }
        var whole = SQLFragment(sql: "WITH ")
        for (index, query) in queries.enumerated() {
            if index > 0 { whole.sql += ", " }
            whole.append(query)
        }
        whole.append(SQLFragment(sql: " \(sql)", bindings: bindings))
        return whole.withParameters(of: dialect)
    }

    /// The same with the values in the text where there are too many to be bound.
    private func withParameters(of dialect: some SQLDialect) -> SQLFragment {
        if bindings.count > dialect.parameterLimit {
            return SQLFragment(sql: replacingParameters { dialect.literal(bindings[$0 - 1]) })
        }
        if dialect.parameter(1) == nil { return self }
        return SQLFragment(sql: replacingParameters { dialect.parameter($0) ?? "?" }, bindings: bindings)
    }

    private func replacingParameters(_ replacement: (Int) -> String) -> String {
        var (text, number) = ("", 0)
        for part in sql.utf8.split(separator: UInt8(ascii: "?"), omittingEmptySubsequences: false) {
            if number > 0 { text += replacement(number) }
            text += Substring(part)
            number += 1
        }
        return text
    }
}

/// SQL text and the values bound to its parameters, in order. A parameter is a `?` in the text.
struct SQLFragment {
    var sql: String
    var bindings: [StoredValue] = []
    /// The queries of the statement's `WITH` clause. A query comes after those that it reads.
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

    /// Returns the whole statement with parameters in a dialect's form.
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

    /// Returns the same fragment; writes values into the text if there are too many to bind.
    private func withParameters(of dialect: some SQLDialect) -> SQLFragment {
        if bindings.count > dialect.parameterLimit {
            return SQLFragment(sql: replacingParameters { dialect.literal(bindings[$0 - 1]) })
        }
        if dialect.parameter(1) == nil { return self }
        return SQLFragment(sql: replacingParameters { dialect.parameter($0) ?? "?" }, bindings: bindings)
    }

    private func replacingParameters(_ replacement: (Int) -> String) -> String {
        var (text, number) = ("", 0)
        var rest = sql[...]
        while let place = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
            number += 1
            text += rest[..<place]
            text += replacement(number)
            rest = rest[rest.utf8.index(after: place)...]
        }
        text += rest
        return text
    }
}

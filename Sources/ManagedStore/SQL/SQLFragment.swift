import Foundation

/// SQL text and the values bound to its parameters, in order.
struct SQLFragment {
    var sql: String
    var bindings: [StoredValue] = []
    /// Queries that stand before the statement, by names that its text has: first those that others among them read.
    var queries: [SQLFragment] = []

    /// How many parameters every SQLite takes, unless it was built to take fewer.
    static let parameterLimit = 32_766

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

    /// The whole statement.
    var statement: SQLFragment {
        if queries.isEmpty { return withinLimits }
        var whole = SQLFragment(sql: "WITH ")
        for (index, query) in queries.enumerated() {
            if index > 0 { whole.sql += ", " }
            whole.append(query)
        }
        whole.append(SQLFragment(sql: " \(sql)", bindings: bindings))
        return whole.withinLimits
    }

    /// The same with the values in the text where there are too many to be bound. No text of ours has a question mark
    /// that is no parameter.
    private var withinLimits: SQLFragment {
        if bindings.count <= Self.parameterLimit { return self }
        var text = ""
        var values = bindings[...]
        for part in sql.utf8.split(separator: UInt8(ascii: "?"), omittingEmptySubsequences: false) {
            text += Substring(part)
            if let value = values.popFirst() { text += value.literal }
        }
        return SQLFragment(sql: text)
    }
}

extension StoredValue {
    /// The value as it stands in SQL, exactly that which would be bound.
    fileprivate var literal: String {
        switch self {
        case .null, .objectIDs: "NULL"
        case .boolean(let value): value ? "1" : "0"
        case .integer16(let value): "\(value)"
        case .integer32(let value): "\(value)"
        case .integer64(let value): "\(value)"
        case .objectID(let value): "\(value.key)"
        case .double(let value), .date(let value): Self.literal(value)
        case .float(let value): Self.literal(Double(value))
        case .decimal(let value): DecimalNumber(value).storedValue.literal
        case .string(let value), .uri(let value): Self.literal(value)
        case .binaryData(let value), .transformable(let value): Self.literal(value)
        case .uuid(let value): Self.literal(withUnsafeBytes(of: value.uuid) { Data($0) })
        }
    }

    /// By its bits: SQLite does not read every number as the nearest double.
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

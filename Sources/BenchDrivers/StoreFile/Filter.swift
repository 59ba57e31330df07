import BenchHarness
import Foundation

/// A condition as SQL with its bound values.
///
/// SQL has three truth values and a scenario's filter two: a comparison with null is false, or true for an inequality.
/// So each leaf of a negated condition is 0 or 1, never NULL, and `NOT` works as expected. Elsewhere, NULL leaves a
/// record out as well, and costs no test. Strings match by their bytes,
/// never by `LIKE`, which folds the case of ASCII letters alone and reads wildcards.
struct Filter: Sendable, Equatable {
    let sql: String
    let bindings: [FieldValue]

    /// The filter that matches every record.
    static let everything = Filter(sql: "1", bindings: [])

    /// Compiles `spec`; nil matches every record.
    init(_ spec: FilterSpec?, table: RecordTable) throws {
        self = try spec.map { try Self.compile($0, table) } ?? .everything
    }

    /// Compiles the condition of the records that a deletion deletes. Without an order, the first are those with the
    /// smallest keys, as in a fetch.
    init(_ work: DeleteWork, table: RecordTable) throws {
        self = try Filter(work.filter, table: table)
        guard let limit = work.limit else { return }
        let terms = try table.ordering(work.sort ?? [])
        let order = terms.isEmpty ? "Z_PK" : terms.joined(separator: ", ")
        self.init(
            sql: "Z_PK IN (SELECT Z_PK FROM \(table.name) WHERE \(sql) ORDER BY \(order) LIMIT ?)",
            bindings: bindings + [.int64(Int64(limit))])
    }

    private init(sql: String, bindings: [FieldValue]) {
        self.sql = sql
        self.bindings = bindings
    }

    private static func compile(
        _ spec: FilterSpec, _ table: RecordTable, isNegated: Bool = false
    ) throws -> Filter {
        switch spec {
        case .compare(let key, let comparison, let value):
            return try condition(on: key, table, isNegated) { column, attribute, isNegated in
                try check(value, comparison, attribute)
                return leaf(column, comparison, value, isNegated: isNegated)
            }
        case .ignoringCase(let key, let comparison, let text):
            return try condition(on: key, table, isNegated) { column, attribute, _ in
                try check(.string(text), comparison, attribute)
                let folded = Data(FilterSpec.folded(text).utf8)
                return match("\(CaseFolding.function)(\(column))", column, comparison, folded)
            }
        case .oneOf(let key, let values):
            return try condition(on: key, table, isNegated) { column, attribute, isNegated in
                for value in values { try check(value, .equal, attribute) }
                let list = values.map { _ in "?" }.joined(separator: ", ")
                return known("\(column) IN (\(list))", column, values, isNegated: isNegated)
            }
        case .between(let key, let low, let high):
            return try condition(on: key, table, isNegated) { column, attribute, isNegated in
                for value in [low, high] { try check(value, .less, attribute) }
                return known("\(column) BETWEEN ? AND ?", column, [low, high], isNegated: isNegated)
            }
        case .any(let relationship, let condition):
            var bindings: [FieldValue] = []
            let sql = try table.condition(thatAny: relationship) { members in
                let inner = try compile(condition, members)
                bindings = inner.bindings
                return inner.sql
            }
            return Filter(sql: sql, bindings: bindings)
        case .and(let parts): return try join(parts, " AND ", none: "1", table, isNegated)
        case .or(let parts): return try join(parts, " OR ", none: "0", table, isNegated)
        case .not(let part):
            let part = try compile(part, table, isNegated: true)
            return Filter(sql: "NOT (\(part.sql))", bindings: part.bindings)
        }
    }

    /// Returns a condition on a column of the records, or on one of those that they lead to if the key leads there.
    /// Unlike a JOIN, a subquery also works in an UPDATE, and lets SQLite go from these to the records by the index.
    private static func condition(
        on key: String, _ table: RecordTable, _ isNegated: Bool,
        leaf: (_ column: String, _ attribute: AttributeSpec, _ isNegated: Bool) throws -> Filter
    ) throws -> Filter {
        if let (toOne, attribute) = table.entity.reached(by: key) {
            let target = table.targets[toOne]
            let leaf = try leaf(target.columns[attribute], target.entity.attributes[attribute], false)
            return Filter(
                sql: "\(table.toOneColumn(toOne)) IN (SELECT Z_PK FROM \(target.name) WHERE \(leaf.sql))",
                bindings: leaf.bindings)
        }
        let attribute = try table.attribute(key)
        return try leaf(table.columns[attribute], table.entity.attributes[attribute], isNegated)
    }

    /// Returns a condition that is NULL where the column is, for which the negation of a record without a value must
    /// hold.
    private static func known(
        _ condition: String, _ column: String, _ values: [FieldValue], isNegated: Bool
    ) -> Filter {
        Filter(sql: isNegated ? "(\(column) IS NOT NULL AND \(condition))" : condition, bindings: values)
    }

    private static func join(
        _ parts: [FilterSpec], _ separator: String, none: String, _ table: RecordTable, _ isNegated: Bool
    ) throws -> Filter {
        guard !parts.isEmpty else { return Filter(sql: none, bindings: []) }
        let parts = try parts.map { try compile($0, table, isNegated: isNegated) }
        return Filter(
            sql: "(" + parts.map(\.sql).joined(separator: separator) + ")", bindings: parts.flatMap(\.bindings))
    }

    /// Returns a comparison. `IS` and `IS NOT` are the equalities that treat NULL as a value.
    private static func leaf(
        _ column: String, _ comparison: FilterSpec.Comparison, _ value: FieldValue, isNegated: Bool
    ) -> Filter {
        switch comparison {
        case .equal: Filter(sql: "\(column) IS ?", bindings: [value])
        case .notEqual: Filter(sql: "\(column) IS NOT ?", bindings: [value])
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            ordering("\(column) \(comparison.rawValue) ?", column, value, isNegated: isNegated)
        case .contains, .beginsWith, .endsWith:
            value.bytes.map { match("CAST(\(column) AS BLOB)", column, comparison, $0) }
                ?? Filter(sql: "0", bindings: [])
        }
    }

    private static func ordering(
        _ comparison: String, _ column: String, _ value: FieldValue, isNegated: Bool
    ) -> Filter {
        if value == .null { return Filter(sql: "0", bindings: []) }
        return known(comparison, column, [value], isNegated: isNegated)
    }

    /// Returns a search of `bytes` in `text`, the bytes of a column's string.
    private static func match(
        _ text: String, _ column: String, _ comparison: FilterSpec.Comparison, _ bytes: Data
    ) -> Filter {
        // Every text contains the empty string, but substr(x, -0) would be all of x.
        if bytes.isEmpty, comparison != .equal { return Filter(sql: "\(column) IS NOT NULL", bindings: []) }
        // A part of an empty string is NULL, which IS tells from any bytes.
        let found =
            switch comparison {
            case .equal: "\(text) = ?"
            case .beginsWith: "substr(\(text), 1, \(bytes.count)) IS ?"
            case .endsWith: "substr(\(text), -\(bytes.count)) IS ?"
            default: "instr(\(text), ?) > 0"
            }
        return Filter(sql: "(\(column) IS NOT NULL AND \(found))", bindings: [.data(bytes)])
    }

    /// Checks the types: SQLite compares values of different types without an error, and never finds them equal.
    private static func check(
        _ value: FieldValue, _ comparison: FilterSpec.Comparison, _ attribute: AttributeSpec
    ) throws {
        let isMatch = [.contains, .beginsWith, .endsWith].contains(comparison)
        let fits =
            switch (value, attribute.type) {
            case (.null, _): true
            case (.string, .string), (.data, .data): true
            case (.bool, .bool): !isMatch
            case (.date, .date), (.double, .date), (.int64, .date): !isMatch
            case (.int64, .int64), (.double, .int64), (.double, .double), (.int64, .double): !isMatch
            default: false
            }
        guard !fits else { return }
        throw DriverError(
            .invalidRequest,
            "\(attribute.name) is a \(attribute.type.rawValue): \(comparison.rawValue) \(value) cannot hold")
    }
}

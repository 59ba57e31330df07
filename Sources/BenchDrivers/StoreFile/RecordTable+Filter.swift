import BenchHarness
import Foundation

/// Conditions as SQL.
///
/// SQL has three truth values and a scenario's filter two: a comparison with null is false, or true for an inequality.
/// So each leaf of a negated condition is true or false, never NULL, and `NOT` works as expected. Elsewhere, NULL
/// leaves a record out as well, and costs no test. Strings match by their bytes, never by `LIKE`, which folds the case
/// of ASCII letters alone and reads wildcards.
extension RecordTable {
    /// Returns the condition of the records that `spec` finds; nil finds every record.
    func condition(_ spec: FilterSpec?, _ parameters: inout SQLParameters) throws -> String {
        try spec.map { try condition($0, isNegated: false, &parameters) } ?? dialect.literal(true)
    }

    private func condition(
        _ spec: FilterSpec, isNegated: Bool, _ parameters: inout SQLParameters
    ) throws -> String {
        switch spec {
        case .compare(let key, let comparison, let value):
            let isForNull = comparison == .equal && value == .null || comparison == .notEqual && value != .null
            return try leaf(on: key, isNegated, isForNull: isForNull) { leaf in
                try leaf.check(value, comparison)
                return leaf.comparison(comparison, value, &parameters)
            }
        case .ignoringCase(let key, let comparison, let text):
            return try leaf(on: key, isNegated) { leaf in
                try leaf.check(.string(text), comparison)
                return leaf.comparison(ignoringCase: comparison, FilterSpec.folded(text), &parameters)
            }
        case .oneOf(let key, let values):
            return try leaf(on: key, isNegated) { leaf in
                for value in values { try leaf.check(value, .equal) }
                if values.isEmpty { return dialect.literal(false) }
                let list = values.map { parameters.bind($0, leaf.attribute.type) }.joined(separator: ", ")
                return leaf.known("\(leaf.column) IN (\(list))")
            }
        case .between(let key, let low, let high):
            return try leaf(on: key, isNegated) { leaf in
                for value in [low, high] { try leaf.check(value, .less) }
                let (low, high) = (
                    parameters.bind(low, leaf.attribute.type), parameters.bind(high, leaf.attribute.type)
                )
                return leaf.known("\(leaf.column) BETWEEN \(low) AND \(high)")
            }
        case .any(let relationship, let condition):
            return try self.condition(thatAny: relationship, isNegated: isNegated) {
                try $0.condition(condition, isNegated: false, &parameters)
            }
        case .and(let parts): return try join(parts, " AND ", none: true, isNegated, &parameters)
        case .or(let parts): return try join(parts, " OR ", none: false, isNegated, &parameters)
        case .not(let part): return "NOT (\(try condition(part, isNegated: true, &parameters)))"
        }
    }

    /// Returns a condition on a column of the records, or on one of those that they lead to if the key leads there.
    /// Unlike a JOIN, a subquery also works in an UPDATE, and lets SQLite go from these to the records by the index.
    ///
    /// - Parameter isForNull: Whether the condition holds for null, as which counts what leads nowhere.
    private func leaf(
        on key: String, _ isNegated: Bool, isForNull: Bool = false, _ condition: (FilterLeaf) throws -> String
    ) throws -> String {
        if let (toOne, rest) = entity.reached(by: key) {
            let target = target(toOne)
            let inner = try target.leaf(on: rest, false, isForNull: isForNull, condition)
            let column = toOneColumn(toOne)
            let found = "\(column) IN (SELECT \(target.key) FROM \(target.name) WHERE \(inner))"
            guard entity.attributes[entity.toOneAttributes.lowerBound + toOne].hasNulls else { return found }
            if isForNull { return "(\(column) IS NULL OR \(found))" }
            return isNegated ? "(\(column) IS NOT NULL AND \(found))" : found
        }
        return try condition(FilterLeaf(self, try attribute(key), isNegated: isNegated))
    }

    private func join(
        _ parts: [FilterSpec], _ separator: String, none: Bool, _ isNegated: Bool, _ parameters: inout SQLParameters
    ) throws -> String {
        if parts.isEmpty { return dialect.literal(none) }
        let conditions = try parts.map { try condition($0, isNegated: isNegated, &parameters) }
        return "(" + conditions.joined(separator: separator) + ")"
    }
}

/// A condition on a column.
private struct FilterLeaf {
    let column: String
    let attribute: AttributeSpec
    /// Whether it must not be NULL.
    private let isNegated: Bool
    private let dialect: RecordDialect

    init(_ table: RecordTable, _ attribute: Int, isNegated: Bool) {
        column = table.columns[attribute]
        self.attribute = table.entity.attributes[attribute]
        (self.isNegated, dialect) = (isNegated, table.dialect)
    }

    /// Returns a condition that is NULL where the column is, for which the negation of a record without a value must
    /// hold.
    func known(_ condition: String) -> String {
        isNegated ? "(\(column) IS NOT NULL AND \(condition))" : condition
    }

    func comparison(
        _ comparison: FilterSpec.Comparison, _ value: FieldValue, _ parameters: inout SQLParameters
    ) -> String {
        switch comparison {
        case .equal, .notEqual: return equality(comparison, value, &parameters)
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            if value == .null { return dialect.literal(false) }
            return known("\(column) \(comparison.rawValue) \(parameters.bind(value, attribute.type))")
        case .contains, .beginsWith, .endsWith:
            guard let bytes = value.bytes else { return dialect.literal(false) }
            if dialect == .postgreSQL { return match(column, comparison, parameters.bind(value, attribute.type)) }
            return match("CAST(\(column) AS BLOB)", comparison, bytes, &parameters)
        }
    }

    func comparison(
        ignoringCase comparison: FilterSpec.Comparison, _ folded: String, _ parameters: inout SQLParameters
    ) -> String {
        if dialect == .sqlite {
            return match("\(CaseFolding.function)(\(column))", comparison, Data(folded.utf8), &parameters)
        }
        // Texts with other letters than those of ASCII are unsupported: no function of a server folds them so.
        return match("lower(\(column) COLLATE \"C\")", comparison, parameters.bind(.string(folded), .string))
    }

    /// SQLite's `IS` and `IS NOT` treat NULL as a value. On a server, only `=` uses an index.
    private func equality(
        _ comparison: FilterSpec.Comparison, _ value: FieldValue, _ parameters: inout SQLParameters
    ) -> String {
        let isEqual = comparison == .equal
        if dialect == .postgreSQL, value == .null { return "\(column) IS \(isEqual ? "" : "NOT ")NULL" }
        let parameter = parameters.bind(value, attribute.type)
        if dialect == .sqlite { return "\(column) IS \(isEqual ? "" : "NOT ")\(parameter)" }
        return isEqual ? known("\(column) = \(parameter)") : "\(column) IS DISTINCT FROM \(parameter)"
    }

    /// Returns a search of bytes in `text`, the bytes of a column's string in SQLite.
    private func match(
        _ text: String, _ comparison: FilterSpec.Comparison, _ bytes: Data, _ parameters: inout SQLParameters
    ) -> String {
        // Every text contains the empty string, but substr(x, -0) would be all of x.
        if bytes.isEmpty, comparison != .equal { return "\(column) IS NOT NULL" }
        let parameter = parameters.bind(.data(bytes), .data)
        // A part of an empty string is NULL, which IS tells from any bytes.
        let found =
            switch comparison {
            case .equal: "\(text) = \(parameter)"
            case .beginsWith: "substr(\(text), 1, \(bytes.count)) IS \(parameter)"
            case .endsWith: "substr(\(text), -\(bytes.count)) IS \(parameter)"
            default: "instr(\(text), \(parameter)) > 0"
            }
        return "(\(column) IS NOT NULL AND \(found))"
    }

    /// Returns a search of a parameter in a text on a server.
    private func match(_ text: String, _ comparison: FilterSpec.Comparison, _ parameter: String) -> String {
        switch comparison {
        case .beginsWith: known("substr(\(text), 1, length(\(parameter))) = \(parameter)")
        case .endsWith: known("substr(\(text), length(\(text)) - length(\(parameter)) + 1) = \(parameter)")
        case .contains: known("position(\(parameter) IN \(text)) > 0")
        default: known("\(text) = \(parameter)")
        }
    }

    /// Checks the types: SQLite compares values of different types without an error, and never finds them equal.
    func check(_ value: FieldValue, _ comparison: FilterSpec.Comparison) throws {
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

import BenchHarness

/// A condition as SQL for a server, with its bound values.
///
/// SQL has three truth values and a scenario's filter two: a comparison with null is false, or true for an inequality.
/// Only under a negation does that matter, and there, each leaf is made true or false.
struct ServerFilter {
    private(set) var sql = "TRUE"
    private(set) var values = ServerValues()

    /// Compiles `spec`; nil matches every record. The conditions of a statement come after its parameters in `values`.
    init(_ spec: FilterSpec?, table: ServerTable, after values: ServerValues = ServerValues()) throws {
        self.values = values
        guard let spec else { return }
        // Checks the types of the values, with the same errors.
        _ = try Filter(spec, table: table.records)
        sql = try compile(spec, table.records, isNegated: false)
    }

    private mutating func compile(_ spec: FilterSpec, _ table: RecordTable, isNegated: Bool) throws -> String {
        switch spec {
        case .compare(let key, let comparison, let value):
            try condition(on: key, table, isNegated) { filter, column, type in
                filter.leaf(column, comparison, value, type)
            }
        case .ignoringCase(let key, let comparison, let text):
            // Texts with other letters than those of ASCII are unsupported: no function of a server folds them so.
            try condition(on: key, table, isNegated) { filter, column, type in
                let folded = "lower(\(column) COLLATE \"C\")"
                return filter.leaf(folded, comparison, .string(FilterSpec.folded(text)), type)
            }
        case .oneOf(let key, let values):
            try condition(on: key, table, isNegated) { filter, column, type in
                let list = values.map { filter.bind($0, type) }.joined(separator: ", ")
                return values.isEmpty ? "FALSE" : "\(column) IN (\(list))"
            }
        case .between(let key, let low, let high):
            try condition(on: key, table, isNegated) { filter, column, type in
                "\(column) BETWEEN \(filter.bind(low, type)) AND \(filter.bind(high, type))"
            }
        case .any(let relationship, let condition):
            try table.condition(thatAny: relationship) { try compile(condition, $0, isNegated: false) }
        case .and(let parts): try join(parts, " AND ", none: "TRUE", table, isNegated)
        case .or(let parts): try join(parts, " OR ", none: "FALSE", table, isNegated)
        case .not(let part): "NOT (\(try compile(part, table, isNegated: true)))"
        }
    }

    /// Returns a condition on a column of the records, or on one of those that a relationship leads to if the key leads
    /// there.
    private mutating func condition(
        on key: String, _ table: RecordTable, _ isNegated: Bool,
        leaf: (inout ServerFilter, String, FieldType) throws -> String
    ) throws -> String {
        var condition: String
        if let (toOne, attribute) = table.entity.reached(by: key) {
            let target = table.targets[toOne]
            let leaf = try leaf(&self, target.columns[attribute], target.entity.attributes[attribute].type)
            condition = "\(table.toOneColumn(toOne)) IN (SELECT \(target.key) FROM \(target.name) WHERE \(leaf))"
        } else {
            let attribute = try table.attribute(key)
            condition = try leaf(&self, table.columns[attribute], table.entity.attributes[attribute].type)
        }
        if isNegated { condition = "COALESCE(\(condition), FALSE)" }
        return condition
    }

    private mutating func join(
        _ parts: [FilterSpec], _ separator: String, none: String, _ table: RecordTable, _ isNegated: Bool
    ) throws -> String {
        if parts.isEmpty { return none }
        return "(" + (try parts.map { try compile($0, table, isNegated: isNegated) }).joined(separator: separator) + ")"
    }

    /// Binds a value, and returns its parameter.
    private mutating func bind(_ value: FieldValue, _ type: FieldType) -> String {
        if case (.double(let number), .int64) = (value, type) {
            values.append(number)
            // A statement with other types has another text, by which it is prepared.
            return "$\(values.count)::\(ServerType.double.name)"
        }
        values.append(value, as: type)
        return "$\(values.count)"
    }

    private mutating func leaf(
        _ column: String, _ comparison: FilterSpec.Comparison, _ value: FieldValue, _ type: FieldType
    ) -> String {
        if value == .null {
            return switch comparison {
            case .equal: "\(column) IS NULL"
            case .notEqual: "\(column) IS NOT NULL"
            default: "FALSE"
            }
        }
        let parameter = bind(value, type)
        return switch comparison {
        case .equal: "\(column) = \(parameter)"
        case .notEqual: "\(column) IS DISTINCT FROM \(parameter)"
        case .less, .lessOrEqual, .greater, .greaterOrEqual: "\(column) \(comparison.rawValue) \(parameter)"
        case .contains: "position(\(parameter) IN \(column)) > 0"
        case .beginsWith: "substr(\(column), 1, length(\(parameter))) = \(parameter)"
        case .endsWith: "substr(\(column), length(\(column)) - length(\(parameter)) + 1) = \(parameter)"
        }
    }
}

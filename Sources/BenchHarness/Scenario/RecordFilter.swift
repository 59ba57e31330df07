import Foundation

/// A ``FilterSpec`` prepared for many records: it resolves attribute names once.
///
/// Every driver's own filtering must follow these rules. Strings and data compare by their bytes, so case counts,
/// unless the condition ignores it; false is below true. Logic has two values: a comparison with null is false, except
/// that `==` holds between null and null, and `!=` between null and any other value. `not` turns false into true.
public struct RecordFilter: Sendable {
    private indirect enum Node: Sendable {
        case compare(attribute: Int, FilterSpec.Comparison, FieldValue)
        /// Compares folded strings.
        case ignoringCase(attribute: Int, FilterSpec.Comparison, FieldValue)
        /// The number of a related record, an attribute of the record, is that of one that meets the condition; or
        /// there is none, and null meets it.
        case related(attribute: Int, [Bool], ifMissing: Bool)
        /// The number of the record is one of these.
        case numbered(Set<Int64>)
        case and([Node])
        case or([Node])
        case not(Node)
    }

    private let root: Node

    /// Prepares a filter for records of an entity.
    ///
    /// - Parameters:
    ///   - filter: The condition.
    ///   - entity: The entity of the records.
    ///   - targets: The records that the entity's relationships to one lead to, in the order of ``EntitySpec/toOnes``.
    /// - Precondition: Every key names an attribute of `entity`, or of what its relationships lead to, which the
    ///   scenario reader checks.
    public init(_ filter: FilterSpec, entity: EntitySpec, targets: [TargetValues] = []) {
        root = Self.node(filter, entity, targets)
    }

    /// Prepares `filter` for the records of a store as they are now.
    init(_ filter: FilterSpec, in store: ExpectedStore) {
        self.init(filter, entity: store.generator.entity, targets: store.targets) {
            store.numbers(leadingBy: $0, to: $1)
        }
    }

    /// Prepares `filter` for records of one of several entities, as a store without a query language does.
    ///
    /// - Parameters:
    ///   - filter: The condition.
    ///   - entity: The entity of the records.
    ///   - targets: The records that the entity's relationships to one lead to, in the order of ``EntitySpec/toOnes``.
    ///   - numbers: Returns the numbers of the records that lead to one which meets a condition by a relationship to
    ///     many.
    public init(
        _ filter: FilterSpec, entity: EntitySpec, targets: [TargetValues],
        numbers: (_ relationship: String, _ condition: FilterSpec) -> Set<Int64>
    ) {
        root = Self.node(filter, entity, targets, numbers)
    }

    /// Returns whether a record matches; `value` returns its value of the attribute at a position in the entity.
    public func matches(_ value: (Int) -> FieldValue) -> Bool { matches(value, ordinal: -1) }

    /// Returns whether the record with an ordinal matches, of which a filter through relationships to many needs to
    /// know.
    public func matches(_ value: (Int) -> FieldValue, ordinal: Int) -> Bool {
        Self.matches(root, value, Int64(ordinal) + 1)
    }

    private static func node(
        _ filter: FilterSpec, _ entity: EntitySpec, _ targets: [TargetValues],
        _ numbers: (String, FilterSpec) -> Set<Int64> = { _, _ in [] }
    ) -> Node {
        switch filter {
        case .compare(let key, let comparison, let value):
            return leaf(key, entity, targets) { comparison.holds($0, value) }
                ?? .compare(attribute: position(key, entity), comparison, value)
        case .ignoringCase(let key, let comparison, let text):
            let folded = FieldValue.string(FilterSpec.folded(text))
            return leaf(key, entity, targets) { comparison.holds($0.folded, folded) }
                ?? .ignoringCase(attribute: position(key, entity), comparison, folded)
        case .oneOf(let key, let values):
            return .or(values.map { node(.compare(key: key, .equal, $0), entity, targets) })
        case .between(let key, let low, let high):
            let ends = [(FilterSpec.Comparison.greaterOrEqual, low), (.lessOrEqual, high)]
            return .and(ends.map { node(.compare(key: key, $0, $1), entity, targets) })
        case .any(let relationship, let condition):
            return .numbered(numbers(relationship, condition))
        case .and(let operands): return .and(operands.map { node($0, entity, targets, numbers) })
        case .or(let operands): return .or(operands.map { node($0, entity, targets, numbers) })
        case .not(let operand): return .not(node(operand, entity, targets, numbers))
        }
    }

    /// Returns a condition on related records, if the key leads there.
    private static func leaf(
        _ key: String, _ entity: EntitySpec, _ targets: [TargetValues], holds: (FieldValue) -> Bool
    ) -> Node? {
        guard let (toOne, rest) = entity.reached(by: key), toOne < targets.count else { return nil }
        let value = targets[toOne].values(of: rest)
        return .related(
            attribute: entity.toOneAttributes.lowerBound + toOne,
            (0..<targets[toOne].count).map { holds(value($0)) }, ifMissing: holds(.null))
    }

    private static func position(_ key: String, _ entity: EntitySpec) -> Int {
        if let attribute = entity.index(of: key) { return attribute }
        preconditionFailure("a filter names \(key), which is no attribute of \(entity.name)")
    }

    private static func matches(_ node: Node, _ value: (Int) -> FieldValue, _ number: Int64) -> Bool {
        switch node {
        case .numbered(let numbers): numbers.contains(number)
        case .compare(let attribute, let comparison, let operand): comparison.holds(value(attribute), operand)
        case .ignoringCase(let attribute, let comparison, let operand):
            comparison.holds(value(attribute).folded, operand)
        case .related(let attribute, let matches, let ifMissing):
            if case .int64(let number) = value(attribute) { matches[Int(number) - 1] } else { ifMissing }
        case .and(let operands): operands.allSatisfy { matches($0, value, number) }
        case .or(let operands): operands.contains { matches($0, value, number) }
        case .not(let operand): !matches(operand, value, number)
        }
    }
}

extension FieldValue {
    /// The folded form of a string; any other value as it is.
    fileprivate var folded: FieldValue {
        if case .string(let text) = self { .string(FilterSpec.folded(text)) } else { self }
    }
}

extension FilterSpec.Comparison {
    /// Returns whether the comparison of `value` with `operand` holds.
    func holds(_ value: FieldValue, _ operand: FieldValue) -> Bool {
        switch self {
        case .equal: return value.order(against: operand) == .equal
        case .notEqual: return value.order(against: operand) != .equal
        default: break
        }
        if value == .null || operand == .null { return false }
        switch self {
        case .less: return value.order(against: operand) == .less
        case .lessOrEqual: return value.order(against: operand) != .greater
        case .greater: return value.order(against: operand) == .greater
        case .greaterOrEqual: return value.order(against: operand) != .less
        case .contains: return holds(value, operand) { $0.contains($1) }
        case .beginsWith: return holds(value, operand) { $0.starts(with: $1) }
        case .endsWith: return holds(value, operand) { $0.reversed().starts(with: $1.reversed()) }
        case .equal, .notEqual: return false
        }
    }

    private func holds(
        _ value: FieldValue, _ operand: FieldValue, _ test: (String.UTF8View, String.UTF8View) -> Bool
    ) -> Bool {
        guard case .string(let text) = value, case .string(let part) = operand else { return false }
        return test(text.utf8, part.utf8)
    }
}

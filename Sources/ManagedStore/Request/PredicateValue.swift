import Foundation

/// A value that a condition computes from an object.
indirect enum PredicateValue: Sendable {
    case stored(StoredValue)
    /// An attribute or a to-one relationship, possibly of a related object.
    case key(String)
    /// The number of objects of a to-many relationship, or of those that meet a condition.
    case count(key: String, FetchPredicate.Node?)
    case arithmetic(BatchUpdatePlan.Operator, PredicateValue, PredicateValue)

    /// Returns the result, at once where both operands are constants.
    static func computed(
        _ operation: BatchUpdatePlan.Operator, _ left: PredicateValue, _ right: PredicateValue
    ) throws(StoreError) -> PredicateValue {
        guard case .stored(let first) = left, case .stored(let second) = right else {
            return .arithmetic(operation, left, right)
        }
        let (expression, _) = try BatchUpdatePlan.Expression.computed(
            operation, (.constant(first), try first.operandType), (.constant(second), try second.operandType))
        return .stored(expression.constant ?? .null)
    }

    /// The keys of the object's own properties.
    var keys: [String] {
        switch self {
        case .stored: []
        case .key(let key), .count(let key, _): [key]
        case .arithmetic(_, let left, let right): left.keys + right.keys
        }
    }

    /// The number of relationships from the object to the farthest one that the value depends on.
    var reach: Int {
        switch self {
        case .stored: 0
        case .key(let key): key.steps
        case .count(let key, let condition): key.steps + 1 + (condition?.reach ?? 0)
        case .arithmetic(_, let left, let right): max(left.reach, right.reach)
        }
    }

    /// The number of conditions in it.
    var size: Int {
        switch self {
        case .stored, .key: 0
        case .count(_, let condition): condition?.size ?? 0
        case .arithmetic(_, let left, let right): left.size + right.size
        }
    }
}

extension PredicateValue: CustomStringConvertible {
    var description: String {
        switch self {
        case .stored(let value): "\(value)"
        case .key(let key): key
        case .count(let key, let condition):
            condition.map { "SUBQUERY(\(key), $x, \($0)).@count" } ?? "\(key).@count"
        case .arithmetic(let operation, let left, let right): "(\(left) \(operation.rawValue) \(right))"
        }
    }
}

extension StoredValue {
    /// The type of an operand.
    ///
    /// - Throws: `StoreError` with `invalidRequest` for nil and NaN.
    var operandType: AttributeType {
        get throws(StoreError) {
            guard let type, !isNaN else {
                throw StoreError(
                    .invalidRequest, "\(self) cannot be part of an expression; no store can compute with it")
            }
            return type
        }
    }
}

extension BatchUpdatePlan.Expression {
    /// The value of an expression that depends on no row; nil for others.
    fileprivate var constant: StoredValue? {
        guard case .chain(.constant(let first), let links) = self else { return nil }
        var result = first
        for link in links {
            guard case .constant(let operand) = link.operand else { return nil }
            result = link.apply(result, operand)
        }
        return result
    }

    /// Returns an operation with the type of its result.
    static func computed(
        _ operation: BatchUpdatePlan.Operator, _ left: (Self, AttributeType), _ right: (Self, AttributeType)
    ) throws(StoreError) -> (Self, AttributeType) {
        let type = try AttributeType.result(of: operation, left.1, right.1)
        let link = Link(operation: operation, operand: right.0, isWhole: type == .integer64)
        if case .chain(let first, let links) = left.0 { return (.chain(first, links + [link]), type) }
        return (.chain(left.0, [link]), type)
    }
}

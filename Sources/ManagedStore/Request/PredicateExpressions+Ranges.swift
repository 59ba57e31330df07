import Foundation

/// `(low...high).contains($0.property)`, with a literal or a constant range.
extension PredicateExpressions.RangeExpressionContains: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        guard let expression = range as? any RangeOfTerms else {
            throw StoreError(.invalidRequest, "contains needs a range of constants, such as 1...5 or 1..<5")
        }
        let (low, high, comparison) = try expression.bounds(walker)
        return try walker.term(element).flatMap { outcome throws(StoreError) in
            guard case .value(let value) = outcome else {
                throw StoreError(.invalidRequest, "a range of constants can only contain a property")
            }
            return PredicateTerm(
                .and([
                    try walker.leaf(value, .greaterOrEqual, .stored(low)),
                    try walker.leaf(value, comparison, .stored(high)),
                ]))
        }
    }
}

/// A range with constant bounds.
private protocol RangeOfTerms {
    /// Returns the bounds, and the comparison of a value with the upper one.
    func bounds(
        _ walker: PredicateWalker
    ) throws(StoreError) -> (low: StoredValue, high: StoredValue, FetchPredicate.Comparison)
}

extension PredicateExpressions.ClosedRange: RangeOfTerms {
    fileprivate func bounds(
        _ walker: PredicateWalker
    ) throws(StoreError) -> (low: StoredValue, high: StoredValue, FetchPredicate.Comparison) {
        (try walker.constant(lower), try walker.constant(upper), .lessOrEqual)
    }
}

extension PredicateExpressions.Range: RangeOfTerms {
    fileprivate func bounds(
        _ walker: PredicateWalker
    ) throws(StoreError) -> (low: StoredValue, high: StoredValue, FetchPredicate.Comparison) {
        (try walker.constant(lower), try walker.constant(upper), .less)
    }
}

extension PredicateExpressions.Value: RangeOfTerms {
    fileprivate func bounds(
        _ walker: PredicateWalker
    ) throws(StoreError) -> (low: StoredValue, high: StoredValue, FetchPredicate.Comparison) {
        guard let range = value as? any BoundedRange, let low = StoredValue(any: range.anyLowerBound),
            let high = StoredValue(any: range.anyUpperBound)
        else { throw StoreError(.invalidRequest, "\(Output.self) is not a range of values that an attribute can have") }
        return (low, high, range.isClosed ? .lessOrEqual : .less)
    }
}

extension PredicateWalker {
    fileprivate func constant(_ expression: Any) throws(StoreError) -> StoredValue {
        if case .value(.stored(let value))? = try term(expression).only { return value }
        throw StoreError(.invalidRequest, "the bounds of a range must be constants")
    }
}

/// `Range` and `ClosedRange` with any type of bounds.
private protocol BoundedRange {
    var anyLowerBound: Any { get }
    var anyUpperBound: Any { get }
    var isClosed: Bool { get }
}

extension Range: BoundedRange {
    fileprivate var anyLowerBound: Any { lowerBound }
    fileprivate var anyUpperBound: Any { upperBound }
    fileprivate var isClosed: Bool { false }
}

extension ClosedRange: BoundedRange {
    fileprivate var anyLowerBound: Any { lowerBound }
    fileprivate var anyUpperBound: Any { upperBound }
    fileprivate var isClosed: Bool { true }
}

import Foundation

/// The parts of `#Predicate` that compute.
extension PredicateWalker {
    fileprivate func computed(
        _ operation: BatchUpdatePlan.Operator, _ left: Any, _ right: Any
    ) throws(StoreError) -> PredicateTerm {
        let other = try term(right)
        return try term(left).flatMap { left throws(StoreError) in
            try other.flatMap { right throws(StoreError) in
                guard case .value(let left) = left, case .value(let right) = right else {
                    throw StoreError(.invalidRequest, "\(operation.rawValue) needs numbers")
                }
                let term = { () throws(StoreError) in
                    PredicateTerm(.value(try PredicateValue.computed(operation, left, right)))
                }
                if operation != .divide, operation != .remainder { return try term() }
                // Nothing divides by 0.
                let isZero = PredicateVerdict(try leaf(right, .equal, .stored(.integer64(0))))
                if case .constant(true) = isZero.holds { return PredicateTerm(.nothing).when(.constant(false)) }
                return try term().when(isZero.fails)
            }
        }
    }
}

extension PredicateExpressions.Arithmetic: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        switch op {
        case .add: return try walker.computed(.add, lhs, rhs)
        case .subtract: return try walker.computed(.subtract, lhs, rhs)
        case .multiply: return try walker.computed(.multiply, lhs, rhs)
        @unknown default: throw StoreError(.invalidRequest, "\(op) cannot be translated to SQL")
        }
    }
}

extension PredicateExpressions.IntDivision: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        try walker.computed(.divide, lhs, rhs)
    }
}

extension PredicateExpressions.IntRemainder: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        try walker.computed(.remainder, lhs, rhs)
    }
}

extension PredicateExpressions.FloatDivision: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        try walker.computed(.divide, lhs, rhs)
    }
}

extension PredicateExpressions.UnaryMinus: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        try walker.computed(.subtract, PredicateExpressions.Value(0), wrapped)
    }
}

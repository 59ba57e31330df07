import Foundation

/// The parts of `#Predicate` that concern values which may be nil.
extension PredicateExpressions.OptionalFlatMap: SQLExpressible {
    /// `?.`, and `if let`, which the macro writes as one with `??` after it.
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        try walker.term(wrapped).flatMap { outcome throws(StoreError) in
            if case .nothing = outcome { return PredicateTerm(.nothing) }
            guard let type = Wrapped.self as? ManagedObject.Type else {
                let term = try walker.term(transform, variable.key, is: .value(outcome))
                return .when(PredicateVerdict(outcome.isNil), PredicateTerm(.nothing), otherwise: term)
            }
            guard case .value(.key(let key)) = outcome else {
                throw StoreError(.invalidRequest, "\"?.\" can be translated to SQL only after a to-one relationship")
            }
            let term = try walker.term(transform, variable.key, is: .object(type, path: key + "."))
            // A property of no object is nil.
            if case .value(.key(let property))? = term.only, property.hasPrefix(key + ".") { return term }
            return .when(PredicateVerdict(outcome.isNil), PredicateTerm(.nothing), otherwise: term)
        }
    }
}

extension PredicateExpressions.NilCoalesce: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        let other = try walker.term(rhs)
        return try walker.term(lhs).flatMap { outcome throws(StoreError) in
            .when(PredicateVerdict(outcome.isNil), other, otherwise: PredicateTerm(outcome))
        }
    }
}

extension PredicateExpressions.ForcedUnwrap: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        try walker.term(inner).flatMap { outcome throws(StoreError) in
            PredicateTerm(outcome).when(PredicateVerdict(outcome.isNil).fails)
        }
    }
}

extension PredicateExpressions.Conditional: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        .when(
            try walker.verdict(test), try walker.term(trueBranch), otherwise: try walker.term(falseBranch))
    }
}

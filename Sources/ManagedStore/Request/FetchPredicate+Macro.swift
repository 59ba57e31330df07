import Foundation

/// Converts predicates of Foundation's `#Predicate` macro by walking their expression trees.
extension FetchPredicate {
    /// Converts a predicate on a typed class.
    ///
    /// It may consist of
    /// - `&&`, `||`, `!`, a Bool property alone, `if ... else ...` and `? :`,
    /// - comparisons of properties with constants and with each other, and of what `+`, `-`, `*`, `/` and `%` make of
    ///   numbers,
    /// - optional values: `== nil`, `??`, `if let`, `!`, and `?.` after a property or a to-one relationship, as in
    ///   `$0.author?.name`,
    /// - `contains(where:)`, `allSatisfy`, `count` and `isEmpty` of to-many relationships, also after `filter`,
    /// - `contains` and `starts(with:)` on strings, and `localizedStandardContains`, which ignores case and diacritics,
    /// - `constants.contains($0.property)` and `(low...high).contains($0.property)`.
    ///
    /// An object does not match where `!` forces a value that is nil, or a number is divided by 0. Within
    /// `contains(where:)`, `allSatisfy` and `filter`, this is so for each related object. Sums, differences and
    /// products of integers are clamped to 64 bits. Neither ever traps. Executing a request with any other expression
    /// throws an error.
    public init<Object: ManagedObject>(_ predicate: Predicate<Object>) {
        let walker = PredicateWalker(variables: [predicate.variable.key: .object(Object.self, path: "")])
        do throws(StoreError) {
            self.init(.success(try walker.verdict(predicate.expression).holds))
        } catch {
            self.init(.failure(error))
        }
    }
}

extension PredicateExpressions.Variable: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        if case .value(let outcome)? = walker.variables[key] { return PredicateTerm(outcome) }
        throw StoreError(.invalidRequest, "a predicate can compare an object's properties, not the object itself")
    }
}

extension PredicateExpressions.KeyPath: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        guard let variable = root as? PredicateExpressions.Variable<Root.Output>,
            Root.Output.self is ManagedObject.Type
        else { return try walker.property(of: root, keyPath) }
        guard case .object(let type, let path)? = walker.variables[variable.key] else {
            throw StoreError(
                .invalidRequest,
                "a condition on related objects cannot use \(keyPath) of another object; combine two "
                    + "conditions instead"
            )
        }
        return PredicateTerm(.value(.key(path + (try type.propertyName(of: keyPath).get()))))
    }
}

extension PredicateExpressions.Value: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        if let value = StoredValue(any: value) { return PredicateTerm(.value(.stored(value))) }
        guard let list = value as? any Sequence else {
            throw StoreError(.invalidRequest, "\(value) (\(Output.self)) is not of a type that an attribute can have")
        }
        let values = list.map { StoredValue(any: $0) }
        if values.contains(nil) {
            throw StoreError(
                .invalidRequest, "\(Output.self) does not hold values of a type that an attribute can have")
        }
        return PredicateTerm(.list(values.compactMap { $0 }))
    }
}

extension PredicateExpressions.NilLiteral: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm { PredicateTerm(.nothing) }
}

extension PredicateExpressions.Equal: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        try walker.comparison(lhs, .equal, rhs)
    }
}

extension PredicateExpressions.NotEqual: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        try walker.comparison(lhs, .notEqual, rhs)
    }
}

extension PredicateExpressions.Comparison: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        switch op {
        case .lessThan: return try walker.comparison(lhs, .less, rhs)
        case .lessThanOrEqual: return try walker.comparison(lhs, .lessOrEqual, rhs)
        case .greaterThan: return try walker.comparison(lhs, .greater, rhs)
        case .greaterThanOrEqual: return try walker.comparison(lhs, .greaterOrEqual, rhs)
        @unknown default: throw StoreError(.invalidRequest, "\(op) cannot be translated to SQL")
        }
    }
}

extension PredicateExpressions.Conjunction: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        PredicateTerm(.verdict(try walker.verdict(lhs) && walker.verdict(rhs)))
    }
}

extension PredicateExpressions.Disjunction: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        PredicateTerm(.verdict(try walker.verdict(lhs) || walker.verdict(rhs)))
    }
}

extension PredicateExpressions.Negation: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        PredicateTerm(.verdict(!(try walker.verdict(wrapped))))
    }
}

extension PredicateExpressions.CollectionContainsCollection: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        try walker.match(base, .contains, other)
    }
}

extension PredicateExpressions.SequenceStartsWith: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        try walker.match(base, .beginsWith, prefix)
    }
}

extension PredicateExpressions.SequenceContains: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        guard case .list(let values)? = try walker.term(sequence).only else {
            throw StoreError(.invalidRequest, "contains needs a constant list and a property")
        }
        return try walker.term(element).flatMap { outcome throws(StoreError) in
            switch outcome {
            case .nothing: return PredicateTerm(.constant(values.contains(.null)))
            case .value(.key(let key)): return PredicateTerm(.in(key: key, values))
            case .value(let value):
                let comparisons = try values.map { constant throws(StoreError) in
                    try walker.leaf(value, .equal, .stored(constant))
                }
                return PredicateTerm(.or(comparisons))
            default: throw StoreError(.invalidRequest, "contains needs a constant list and a property")
            }
        }
    }
}

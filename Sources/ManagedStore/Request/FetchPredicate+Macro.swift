import Foundation

/// Converts predicates of Foundation's `#Predicate` macro by walking their expression trees.
extension FetchPredicate {
    /// Converts a predicate on a typed class.
    ///
    /// Supported are comparisons of a property with a constant, `== nil`, `&&`, `||`, `!`, a Bool property alone,
    /// properties through to-one relationships (`$0.author?.name`), `contains(where:)`, `allSatisfy`, `count` and
    /// `isEmpty` of to-many relationships, `contains` and `starts(with:)` on strings, `localizedStandardContains`
    /// (which ignores case and diacritics), `constants.contains($0.property)` and `(low...high).contains($0.property)`.
    /// Executing a request with any other expression throws an error; such expressions are never evaluated in memory.
    public init<Object: ManagedObject>(_ predicate: Predicate<Object>) {
        let walker = PredicateWalker(variables: [predicate.variable.key: .init(type: Object.self, path: "")])
        do throws(StoreError) {
            self.init(.success(try walker.condition(predicate.expression)))
        } catch {
            self.init(.failure(error))
        }
    }
}

/// The SQL counterpart of an expression: a condition, an attribute, or a constant.
enum PredicateTerm {
    case condition(FetchPredicate.Node)
    /// An attribute or relationship, possibly of a related object.
    case attribute(String)
    /// The number of objects of a to-many relationship.
    case count(String)
    /// A condition on what the to-one relationship `of` leads to; nil, neither true nor false, if it leads nowhere.
    case optionalCondition(FetchPredicate.Node, of: String)
    /// The number of objects of a to-many relationship of what `of` leads to; nil if it leads nowhere.
    case optionalCount(String, of: String)
    case value(StoredValue)
    case values([StoredValue])
}

/// An expression of the macro's tree that has an SQL counterpart.
protocol SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm
}

/// Converts expressions into terms, given the class of the predicate.
struct PredicateWalker {
    /// The meaning of a variable: an object of a class, at the end of `path`, which ends in a dot.
    struct Meaning {
        let type: ManagedObject.Type
        let path: String
    }

    let variables: [PredicateExpressions.VariableID: Meaning]
    /// The number of expressions around the current one.
    var depth = 0

    /// The maximum depth. Walking the tree needs a nested call for each level, since every expression has a type of its
    /// own.
    static let depthLimit = 50

    func term(_ expression: Any) throws(StoreError) -> PredicateTerm {
        var walker = self
        walker.depth += 1
        if walker.depth > Self.depthLimit {
            throw StoreError(
                .invalidRequest,
                "a #Predicate is nested deeper than \(Self.depthLimit) expressions; split it, and combine the parts "
                    + "with &&, || and ! of FetchPredicate")
        }
        guard let expressible = expression as? any SQLExpressible else {
            let name = "\(Swift.type(of: expression))".prefix { $0 != "<" }
            throw StoreError(
                .invalidRequest,
                "a predicate with \(name) cannot be translated to SQL; FetchPredicate.init(_:) lists what can be")
        }
        return try expressible.term(walker)
    }

    func condition(_ expression: Any) throws(StoreError) -> FetchPredicate.Node {
        switch try term(expression) {
        case .condition(let node): return node
        case .attribute(let key): return .compare(key: key, .equal, .boolean(true))
        case .value(.boolean(let value)): return .constant(value)
        case .value(let value):
            throw StoreError(.invalidRequest, "\(value) is not a condition; compare it with a property")
        case .values: throw StoreError(.invalidRequest, "a list is not a condition; ask whether it contains a property")
        case .count, .optionalCount:
            throw StoreError(.invalidRequest, "a count is not a condition; compare it with a number")
        case .optionalCondition:
            throw StoreError(.invalidRequest, "a condition after \"?.\" may be nil; compare it with true or with false")
        }
    }

    /// Converts a comparison of an attribute with a constant, on either side.
    func comparison(
        _ left: Any, _ comparison: FetchPredicate.Comparison, _ right: Any
    ) throws(StoreError) -> PredicateTerm {
        switch (try term(left), try term(right)) {
        case (.attribute(let key), .value(let value)): return .condition(.compare(key: key, comparison, value))
        case (.value(let value), .attribute(let key)): return .condition(.compare(key: key, comparison.mirrored, value))
        case (.count(let key), .value(let value)): return .condition(try count(key, comparison, value))
        case (.value(let value), .count(let key)): return .condition(try count(key, comparison.mirrored, value))
        case (.condition(let node), .value(.boolean(let value))), (.value(.boolean(let value)), .condition(let node)):
            return .condition((comparison == .equal) == value ? node : .not(node))
        case (.optionalCondition(_, let owner), .value(.null)), (.value(.null), .optionalCondition(_, let owner)),
            (.optionalCount(_, let owner), .value(.null)), (.value(.null), .optionalCount(_, let owner)):
            return .condition(.compare(key: owner, comparison, .null))
        case (.optionalCondition(let node, let owner), .value(.boolean(let value))),
            (.value(.boolean(let value)), .optionalCondition(let node, let owner)):
            return optional(value ? node : .not(node), owner, comparison)
        case (.optionalCount(let key, let owner), .value(let value)),
            (.value(let value), .optionalCount(let key, let owner)):
            return optional(try count(key, .equal, value), owner, comparison)
        default: throw StoreError(.invalidRequest, "a predicate can only compare a property with a constant")
        }
    }

    /// A condition after `?.`, compared with what makes it `node`. Nil equals neither true nor false nor any number.
    private func optional(
        _ node: FetchPredicate.Node, _ owner: String, _ comparison: FetchPredicate.Comparison
    ) -> PredicateTerm {
        let isEqual = FetchPredicate.Node.and([.compare(key: owner, .notEqual, .null), node])
        return .condition(comparison == .equal ? isEqual : .not(isEqual))
    }

    func match(
        _ base: Any, _ match: FetchPredicate.StringMatch, _ other: Any, _ options: FetchPredicate.StringOptions = []
    ) throws(StoreError) -> PredicateTerm {
        guard case .attribute(let key) = try term(base), case .value(.string(let text)) = try term(other) else {
            throw StoreError(.invalidRequest, "\(match.rawValue) needs a string property and a constant string")
        }
        return .condition(.match(key: key, match, text, options))
    }
}

extension FetchPredicate.Comparison {
    /// The same comparison with the operands exchanged.
    var mirrored: FetchPredicate.Comparison {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}

extension PredicateExpressions.Variable: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        throw StoreError(.invalidRequest, "a predicate can compare an object's properties, not the object itself")
    }
}

extension PredicateExpressions.KeyPath: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        if let variable = root as? PredicateExpressions.Variable<Root.Output> {
            guard let meaning = walker.variables[variable.key] else {
                throw StoreError(
                    .invalidRequest,
                    "a condition on related objects cannot use \(keyPath) of another object; combine two "
                        + "conditions instead"
                )
            }
            return .attribute(meaning.path + (try meaning.type.propertyName(of: keyPath).get()))
        }
        return try walker.collection(root, keyPath)
    }
}

extension PredicateExpressions.Value: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        if let value = StoredValue(any: value) { return .value(value) }
        guard let list = value as? any Sequence else {
            throw StoreError(.invalidRequest, "\(value) (\(Output.self)) is not of a type that an attribute can have")
        }
        let values = list.map { StoredValue(any: $0) }
        if values.contains(nil) {
            throw StoreError(
                .invalidRequest, "\(Output.self) does not hold values of a type that an attribute can have")
        }
        return .values(values.compactMap { $0 })
    }
}

extension PredicateExpressions.NilLiteral: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm { .value(.null) }
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
        .condition(.and([try walker.condition(lhs), try walker.condition(rhs)]))
    }
}

extension PredicateExpressions.Disjunction: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        .condition(.or([try walker.condition(lhs), try walker.condition(rhs)]))
    }
}

extension PredicateExpressions.Negation: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        .condition(.not(try walker.condition(wrapped)))
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
        guard case .values(let values) = try walker.term(sequence), case .attribute(let key) = try walker.term(element)
        else { throw StoreError(.invalidRequest, "contains needs a constant list and a property") }
        return .condition(.in(key: key, values))
    }
}

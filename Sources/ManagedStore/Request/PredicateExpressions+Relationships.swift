import Foundation

/// The parts of `#Predicate` that concern relationships.
extension PredicateWalker {
    /// Converts `count` or `isEmpty` of a to-many relationship.
    func collection<Root: PredicateExpression>(_ root: Root, _ keyPath: AnyKeyPath) throws(StoreError) -> PredicateTerm
    {
        guard let type = Root.Output.self as? any RelationshipValue.Type, type.isToMany,
            case .attribute(let key) = try term(root)
        else {
            throw StoreError(
                .invalidRequest, "\(keyPath) reaches through another property, which cannot be translated to SQL")
        }
        if keyPath == type._countKeyPath { return .count(key) }
        if keyPath == type._isEmptyKeyPath { return .condition(.count(key: key, .equal, 0)) }
        throw StoreError(
            .invalidRequest, "\(keyPath) of a relationship cannot be translated to SQL; use count or isEmpty")
    }

    func count(
        _ key: String, _ comparison: FetchPredicate.Comparison, _ value: StoredValue
    ) throws(StoreError) -> FetchPredicate.Node {
        guard let count = value.whole else {
            throw StoreError(.invalidRequest, "a count can be compared with an integer, not with \(value)")
        }
        return .count(key: key, comparison, Int(clamping: count))
    }

    /// Converts a condition on the objects of a to-many relationship.
    func related<Element>(
        _ sequence: Any, _ quantifier: FetchPredicate.Quantifier, _ variable: PredicateExpressions.Variable<Element>,
        _ test: Any
    ) throws(StoreError) -> PredicateTerm {
        guard case .attribute(let key) = try term(sequence), let type = Element.self as? ManagedObject.Type else {
            throw StoreError(.invalidRequest, "a condition on elements needs a to-many relationship")
        }
        let inner = PredicateWalker(variables: [variable.key: Meaning(type: type, path: "")], depth: depth)
        return .condition(.related(key: key, quantifier, try inner.condition(test)))
    }
}

extension PredicateExpressions.OptionalFlatMap: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        guard case .attribute(let key) = try walker.term(wrapped), let type = Wrapped.self as? ManagedObject.Type else {
            throw StoreError(.invalidRequest, "\"?.\" can be translated to SQL only after a to-one relationship")
        }
        var variables = walker.variables
        variables[variable.key] = PredicateWalker.Meaning(type: type, path: key + ".")
        switch try PredicateWalker(variables: variables, depth: walker.depth).term(transform) {
        case .condition(let node): return .optionalCondition(node, of: key)
        case .count(let count): return .optionalCount(count, of: key)
        case let term: return term
        }
    }
}

extension PredicateExpressions.SequenceContainsWhere: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        try walker.related(sequence, .any, variable, test)
    }
}

extension PredicateExpressions.SequenceAllSatisfy: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        try walker.related(sequence, .all, variable, test)
    }
}

extension ManagedObject {
    /// Returns the name of the attribute or relationship that the property at `keyPath` reads.
    static func propertyName(of keyPath: AnyKeyPath) -> Result<String, StoreError> {
        let relationship = inheritedRelationships.first { ($0.keyPath as AnyKeyPath?) == keyPath }
        if let relationship { return .success(relationship.description.name) }
        return attributeName(of: keyPath)
    }

    /// The checked keys of the relationships of this class and of its superclasses.
    static var inheritedRelationships: [any RelationshipKey] {
        var seen = Set<ObjectIdentifier>()
        return (Array(superclasses).reversed() + [self]).flatMap(\.relationships).filter {
            seen.insert(ObjectIdentifier($0)).inserted
        }
    }
}

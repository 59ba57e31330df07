import Foundation

/// The parts of `#Predicate` that concern relationships.
extension PredicateWalker {
    /// Converts a property of what an expression leads to: of the object of a forced to-one relationship, or `count` or
    /// `isEmpty` of a to-many relationship.
    func property<Root: PredicateExpression>(of root: Root, _ keyPath: AnyKeyPath) throws(StoreError) -> PredicateTerm {
        try term(root).flatMap { outcome throws(StoreError) in
            switch outcome {
            case .value(.key(let key)):
                if let type = Root.Output.self as? ManagedObject.Type {
                    return PredicateTerm(.value(.key("\(key).\(try type.propertyName(of: keyPath).get())")))
                }
                guard let type = Root.Output.self as? any RelationshipValue.Type, type.isToMany else { break }
                if keyPath == type._countKeyPath { return PredicateTerm(.value(.count(key: key, nil))) }
                if keyPath == type._isEmptyKeyPath { return PredicateTerm(.count(key: key, .equal, 0)) }
                throw Self.onlyCounts(keyPath)
            case .filtered(let key, let node):
                guard let type = Root.Output.self as? any FilteredList.Type else { break }
                if keyPath == type.countKeyPath { return PredicateTerm(.value(.count(key: key, node))) }
                if keyPath == type.isEmptyKeyPath { return PredicateTerm(.related(key: key, .none, node)) }
                throw Self.onlyCounts(keyPath)
            default: break
            }
            throw StoreError(
                .invalidRequest, "\(keyPath) reaches through another property, which cannot be translated to SQL")
        }
    }

    private static func onlyCounts(_ keyPath: AnyKeyPath) -> StoreError {
        StoreError(.invalidRequest, "\(keyPath) of a relationship cannot be translated to SQL; use count or isEmpty")
    }

    func count(
        _ key: String, _ comparison: FetchPredicate.Comparison, _ value: StoredValue
    ) throws(StoreError) -> FetchPredicate.Node {
        guard let count = value.whole else {
            throw StoreError(.invalidRequest, "a count can be compared with an integer, not with \(value)")
        }
        return .count(key: key, comparison, Int(clamping: count))
    }

    /// Converts a condition on the objects of a to-many relationship, or on those of them that meet another one.
    fileprivate func related<Element>(
        _ sequence: Any, _ quantifier: FetchPredicate.Quantifier, _ variable: PredicateExpressions.Variable<Element>,
        _ test: Any
    ) throws(StoreError) -> PredicateTerm {
        let condition = try condition(on: variable, test)
        return try term(sequence).flatMap { outcome throws(StoreError) in
            switch outcome {
            case .value(.key(let key)): return PredicateTerm(.related(key: key, quantifier, condition))
            case .filtered(let key, let node):
                let both =
                    quantifier == .all ? .or([.not(node), condition]) : FetchPredicate.Node.and([node, condition])
                return PredicateTerm(.related(key: key, quantifier, both))
            default: throw Self.needsRelationship
            }
        }
    }

    /// Returns the condition that a related object meets; one that forces a missing value does not.
    fileprivate func condition<Element>(
        on variable: PredicateExpressions.Variable<Element>, _ test: Any
    ) throws(StoreError) -> FetchPredicate.Node {
        guard let type = Element.self as? ManagedObject.Type else { throw Self.needsRelationship }
        return try PredicateWalker(variables: [variable.key: .object(type, path: "")], depth: depth).verdict(test).holds
    }

    fileprivate static var needsRelationship: StoreError {
        StoreError(.invalidRequest, "a condition on elements needs a to-many relationship")
    }
}

/// The type of `filter { ... }`.
private protocol FilteredList {
    static var countKeyPath: AnyKeyPath { get }
    static var isEmptyKeyPath: AnyKeyPath { get }
}

extension Array: FilteredList {
    fileprivate static var countKeyPath: AnyKeyPath { \Self.count }
    fileprivate static var isEmptyKeyPath: AnyKeyPath { \Self.isEmpty }
}

extension PredicateExpressions.Filter: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        let condition = try walker.condition(on: variable, filter)
        return try walker.term(sequence).flatMap { outcome throws(StoreError) in
            switch outcome {
            case .value(.key(let key)): return PredicateTerm(.filtered(key: key, condition))
            case .filtered(let key, let node): return PredicateTerm(.filtered(key: key, .and([node, condition])))
            default: throw PredicateWalker.needsRelationship
            }
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

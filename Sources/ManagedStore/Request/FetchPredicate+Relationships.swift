import Foundation

/// Conditions on related objects.
///
/// A key can lead through to-one relationships: `.compare("author.name", .equal, "Woolf")`. If one of them leads
/// nowhere, the value is missing.
///
/// ```swift
/// request.predicate = .any("books", .compare("title", .equal, "Orlando")) && .count("books", .greater, 3)
/// ```
extension FetchPredicate {
    /// How many related objects must meet a condition.
    enum Quantifier: String, Sendable {
        case any = "ANY"
        case all = "ALL"
        case none = "NONE"
    }

    /// Whether `predicate` holds for at least one of the objects of the to-many relationship `key`.
    public static func any(_ key: String, _ predicate: FetchPredicate) -> FetchPredicate {
        FetchPredicate(predicate.node.map { .related(key: key, .any, $0) })
    }

    /// Whether `predicate` holds for all objects of the to-many relationship `key`; true if there are none.
    public static func all(_ key: String, _ predicate: FetchPredicate) -> FetchPredicate {
        FetchPredicate(predicate.node.map { .related(key: key, .all, $0) })
    }

    /// Whether `predicate` holds for none of the objects of the to-many relationship `key`.
    public static func none(_ key: String, _ predicate: FetchPredicate) -> FetchPredicate {
        FetchPredicate(predicate.node.map { .related(key: key, .none, $0) })
    }

    /// Compares the number of objects of the to-many relationship `key`; Core Data's `key.@count`.
    public static func count(_ key: String, _ comparison: Comparison, _ count: Int) -> FetchPredicate {
        FetchPredicate(.count(key: key, comparison, count))
    }
}

extension FetchPredicate.Comparison {
    func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
        switch self {
        case .equal: left == right
        case .notEqual: left != right
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        }
    }
}

/// Keys that lead through relationships.
extension FetchPredicate.Node {
    /// The key of the property in the condition; nil for a condition on several properties or none.
    var key: String? {
        switch self {
        case .compare(let key, _, _, _), .between(let key, _, _, _), .match(let key, _, _, _), .in(let key, _, _),
            .count(let key, _, _):
            return key
        case .branch(let branch):
            if case .related(let key, _) = branch.operation { return key }
            return nil
        case .constant, .objectIDs, .values: return nil
        }
    }

    /// Returns the same condition on the property `key`.
    func with(key: String) -> Self {
        switch self {
        case .compare(_, let comparison, let value, let options): return .compare(key: key, comparison, value, options)
        case .between(_, let low, let high, let options): return .between(key: key, low, high, options)
        case .match(_, let match, let text, let options): return .match(key: key, match, text, options)
        case .in(_, let values, let options): return .in(key: key, values, options)
        case .count(_, let comparison, let count): return .count(key: key, comparison, count)
        case .branch(let branch):
            guard case .related(_, let quantifier) = branch.operation else { return self }
            return .branch(FetchPredicate.Branch(.related(key: key, quantifier), branch.parts))
        case .constant, .objectIDs, .values: return self
        }
    }

    /// Whether the condition holds if the related object is missing.
    var holdsForMissing: Bool {
        switch self {
        case .compare(_, .equal, let value, _): return value == .null
        case .compare(_, .notEqual, let value, _): return value != .null
        case .in(_, let values, _): return values.contains(.null)
        case .count(_, let comparison, let count): return comparison.holds(0, count)
        case .constant(let value): return value
        case .branch(let branch):
            if case .related(_, let quantifier) = branch.operation { return quantifier != .any }
            return false
        case .compare, .between, .match, .objectIDs, .values: return false
        }
    }
}

extension ObjectIDSource {
    /// Returns the relationship `name`.
    ///
    /// - Throws: `StoreError` with `unknownKey`.
    func relationship(named name: String) throws(StoreError) -> ResolvedRelationship {
        let relationships = model.graph.relationships[entityIndex]
        if let relationship = relationships.first(where: { $0.name == name }) { return relationship }
        if entity.attributes.contains(where: { $0.name == name }) {
            throw StoreError(
                .unknownKey, "\(entity.name).\(name) is an attribute; a relationship is required here", key: name)
        }
        throw StoreError.unknownKey(
            name, entity: entity.name, known: entity.attributes.map(\.name) + relationships.map(\.name))
    }

    /// Returns the to-many relationship `name`.
    ///
    /// - Throws: `StoreError` with `unknownKey` or `invalidRequest`.
    func toMany(named name: String, for word: String) throws(StoreError) -> ResolvedRelationship {
        let relationship = try relationship(named: name)
        guard relationship.isToMany else {
            throw StoreError(
                .invalidRequest, "\(word) applies to to-many relationships; \(entity.name).\(name) leads to one object",
                key: name)
        }
        return relationship
    }

    /// Returns the source of another entity of the same store.
    func sibling(_ entity: Int) -> ObjectIDSource {
        entity == entityIndex
            ? self : ObjectIDSource(storeIdentifier: storeIdentifier, model: model, entityIndex: entity)
    }
}

/// Finds the rows of relationships, for conditions evaluated in memory.
protocol RowNavigator {
    /// Calls `body` with the rows that a relationship of `row` leads to.
    func withRelated<Result>(
        _ row: RowReference, _ relationship: ResolvedRelationship, _ body: ([RowReference]) -> Result
    ) -> Result
}

extension RowNavigator {
    /// Calls `body` with the row at the end of a path of to-one relationships; with nil if one leads nowhere.
    func withRow<Result>(
        from row: RowReference, through path: ArraySlice<ResolvedRelationship>, _ body: (RowReference?) -> Result
    ) -> Result {
        guard let step = path.first else { return body(row) }
        return withRelated(row, step) { related in
            guard let next = related.first else { return body(nil) }
            return withRow(from: next, through: path.dropFirst(), body)
        }
    }
}

extension ResolvedPredicate {
    /// Whether the condition reads anything besides the row itself.
    var followsRelationships: Bool {
        switch self {
        case .through, .related, .count: true
        case .values(let left, _, let right): left.followsRelationships || right.followsRelationships
        case .and(let parts), .or(let parts): parts.contains(where: \.followsRelationships)
        case .not(let part): part.followsRelationships
        case .decision(let steps, let otherwise):
            steps.contains(where: \.condition.followsRelationships) || otherwise.followsRelationships
        default: false
        }
    }

    /// Evaluates a condition on related rows.
    func matchesRelated(_ row: RowReference, _ navigator: (any RowNavigator)?) -> Bool {
        guard let navigator else { fatalError("a condition on relationships needs a navigator to follow them") }
        switch self {
        case .through(let relationship, let condition, let ifMissing):
            let layout = Self.layout(relationship, row)
            return navigator.withRelated(row, relationship) { related in
                related.first.map { condition.matches($0, layout, navigator) } ?? ifMissing
            }
        case .related(let quantifier, let relationship, let condition):
            let layout = Self.layout(relationship, row)
            return navigator.withRelated(row, relationship) { related in
                switch quantifier {
                case .any: related.contains { condition.matches($0, layout, navigator) }
                case .all: related.allSatisfy { condition.matches($0, layout, navigator) }
                case .none: !related.contains { condition.matches($0, layout, navigator) }
                }
            }
        case .count(let relationship, let comparison, let count):
            return navigator.withRelated(row, relationship) { comparison.holds($0.count, count) }
        default: return false
        }
    }

    /// Returns the layout for which a condition on related rows was resolved. In a row of a subentity of the
    /// relationship's destination, relationships have other positions.
    private static func layout(_ relationship: ResolvedRelationship, _ row: RowReference) -> RowLayout {
        row.page._withUnsafeGuaranteedRef { $0.source.model.entities[relationship.destination].layout }
    }
}

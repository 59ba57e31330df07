import Foundation

/// Conditions that the server cannot test, and values of related rows that it cannot sort by.
extension PostgreSQLFetch {
    /// Returns the condition with those on related rows that the server cannot test replaced by ones that it can: that
    /// the related row has one of the keys of the rows that meet the condition.
    ///
    /// Small functions, since conditions nest deeply, and threads may have little stack.
    func said(_ predicate: ResolvedPredicate, _ source: ObjectIDSource) throws(StoreError) -> ResolvedPredicate {
        if SQLGenerator(source, store.schema).says(predicate) { return predicate }
        switch predicate {
        case .and(let parts): return .and(try said(parts, source))
        case .or(let parts): return .or(try said(parts, source))
        case .not(let part): return .not(try said(part, source))
        case .decision(let steps, let otherwise): return try said(steps, otherwise, source)
        case .through(let relationship, let condition, let ifMissing):
            return .through(relationship, try met(condition, relationship), ifMissing: ifMissing)
        case .related(let quantifier, let relationship, let condition):
            return .related(quantifier, relationship, try met(condition, relationship))
        case .constant, .compare, .text, .in, .keys, .count, .values: return predicate
        }
    }

    private func said(
        _ parts: [ResolvedPredicate], _ source: ObjectIDSource
    ) throws(StoreError) -> [ResolvedPredicate] {
        var all: [ResolvedPredicate] = []
        for part in parts { all.append(try said(part, source)) }
        return all
    }

    private func said(
        _ steps: [ResolvedPredicate.Step], _ otherwise: ResolvedPredicate, _ source: ObjectIDSource
    ) throws(StoreError) -> ResolvedPredicate {
        var all: [ResolvedPredicate.Step] = []
        for step in steps { all.append(.init(condition: try said(step.condition, source), result: step.result)) }
        return .decision(all, otherwise: try said(otherwise, source))
    }

    private func met(
        _ condition: ResolvedPredicate, _ relationship: ResolvedRelationship
    ) throws(StoreError) -> ResolvedPredicate {
        let destination = store.sources[relationship.destination]
        return try keys(destination, try said(condition, destination))
    }

    /// Returns the condition that the key is one of those of the rows that meet another one, which ``said(_:_:)``
    /// returned.
    private func keys(_ source: ObjectIDSource, _ said: ResolvedPredicate) throws(StoreError) -> ResolvedPredicate {
        // Several queries answer one fetch.
        try connection.beginSnapshot()
        let plan = FetchPlan(source: source, predicate: said)
        return .keys(try keys(try task(said: plan), plan).keys)
    }

    /// Returns a condition, which ``said(_:_:)`` returned, with all those on related rows replaced by the keys that
    /// meet them, so that it can be tested on decoded rows.
    func local(_ predicate: ResolvedPredicate, _ source: ObjectIDSource) throws(StoreError) -> ResolvedPredicate {
        switch predicate {
        case .and(let parts): return .and(try local(parts, source))
        case .or(let parts): return .or(try local(parts, source))
        case .not(let part): return .not(try local(part, source))
        case .decision(let steps, let otherwise): return try local(steps, otherwise, source)
        case .through, .related, .count: return try keys(source, predicate)
        case .values: return predicate.followsRelationships ? try compared(predicate, source) : predicate
        case .constant, .compare, .text, .in, .keys: return predicate
        }
    }

    private func local(
        _ parts: [ResolvedPredicate], _ source: ObjectIDSource
    ) throws(StoreError) -> [ResolvedPredicate] {
        var all: [ResolvedPredicate] = []
        for part in parts { all.append(try local(part, source)) }
        return all
    }

    private func local(
        _ steps: [ResolvedPredicate.Step], _ otherwise: ResolvedPredicate, _ source: ObjectIDSource
    ) throws(StoreError) -> ResolvedPredicate {
        var all: [ResolvedPredicate.Step] = []
        for step in steps { all.append(.init(condition: try local(step.condition, source), result: step.result)) }
        return .decision(all, otherwise: try local(otherwise, source))
    }

    /// Reads the rows at the steps of some paths of to-one relationships from `rows`.
    func navigator(_ paths: [[ResolvedRelationship]], _ rows: FetchedRows) throws(StoreError) -> FetchedNavigator {
        var navigator = FetchedNavigator()
        for path in paths { _ = try follow(path, from: rows, &navigator) }
        return navigator
    }

    /// Reads the rows at the steps of a path of to-one relationships. Returns those at its end.
    func follow(
        _ path: [ResolvedRelationship], from rows: FetchedRows, _ navigator: inout FetchedNavigator
    ) throws(StoreError) -> FetchedRows {
        var current = rows
        for step in path {
            try connection.beginSnapshot()
            let keys = withExtendedLifetime(current) {
                current.references().compactMap { FetchedNavigator.key(of: $0, step) }
            }
            current = try self.rows(
                FetchPlan(source: store.sources[step.destination], predicate: .keys(DistinctKeys.sorted(keys))))
            navigator.add(current, of: step.destination)
        }
        return current
    }
}

/// Follows to-one relationships among rows that were fetched before.
struct FetchedNavigator: RowNavigator {
    private var rows: [Int: [Int64: RowReference]] = [:]
    private var lists: [List: [RowReference]] = [:]
    /// Keeps the rows alive.
    private var kept: [FetchedRows] = []

    mutating func add(_ found: FetchedRows, of entity: Int) {
        kept.append(found)
        for row in found.references() { rows[entity, default: [:]][row.row.key] = row }
    }

    /// The rows that a to-many relationship of an owner leads to.
    private struct List: Hashable {
        let declaring: Int
        let position: Int
        let owner: Int64

        init(_ relationship: ResolvedRelationship, _ owner: Int64) {
            (declaring, position, self.owner) = (relationship.declaring, relationship.position, owner)
        }
    }

    /// Adds the lists of some owners.
    mutating func add(
        _ found: RelatedLists, of relationship: ResolvedRelationship, _ owners: [Int64]
    ) throws(StoreError) {
        var found = found
        let groups = try found.arrange(by: owners)
        let rows = Array(found.rows.references())
        kept.append(found.rows)
        for (place, owner) in owners.enumerated() {
            lists[List(relationship, owner)] = groups[place].map { rows[Int(groups.rows[$0])] }
        }
    }

    /// Returns the key that a to-one relationship of a row leads to.
    static func key(of row: RowReference, _ relationship: ResolvedRelationship) -> Int64? {
        guard case .toOne(let field) = relationship.kind else { return nil }
        let layout = row.page._withUnsafeGuaranteedRef { $0.source.model.entities[relationship.entity].layout }
        return layout.fields[field].reference(in: row.row)?.key
    }

    func withRelated<Result>(
        _ row: RowReference, _ relationship: ResolvedRelationship, _ body: ([RowReference]) -> Result
    ) -> Result {
        if relationship.isToMany { return body(lists[List(relationship, row.row.key)] ?? []) }
        let found = Self.key(of: row, relationship).flatMap { rows[relationship.destination]?[$0] }
        return body(found.map { [$0] } ?? [])
    }
}

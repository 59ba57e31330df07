/// The contents of an in-memory store, as a value: a copy is a snapshot of all rows at one moment.
///
/// Rows are never changed, only replaced, so that the rows of a snapshot stay as they are.
struct InMemoryContents: Sendable {
    /// A row on a page of its own.
    struct StoredRow: Sendable {
        let page: RowPage
        var row: RowPointer { page.row(0) }
        var reference: RowReference { RowReference(row) }
    }

    struct Table {
        private(set) var rows: [Int64: StoredRow] = [:]
        /// The keys of the rows that refer to a key, by the places of their references in a row. Entities that inherit
        /// from the same one may have other references in the same place.
        private var referrers: [Int: [Int64: Set<Int64>]] = [:]
        var nextKey: Int64 = 1

        /// Puts a row, which does not change any more, in the place of the one with its key.
        mutating func put(_ stored: StoredRow) {
            remove(stored.row.key)
            rows[stored.row.key] = stored
            for field in stored.page.layout.toOneFields {
                guard let target = field.reference(in: stored.row) else { continue }
                referrers[field.offset, default: [:]][target.key, default: []].insert(stored.row.key)
            }
        }

        /// Returns the removed row; nil if there is none.
        @discardableResult
        mutating func remove(_ key: Int64) -> StoredRow? {
            guard let removed = rows.removeValue(forKey: key) else { return nil }
            for field in removed.page.layout.toOneFields {
                guard let target = field.reference(in: removed.row) else { continue }
                referrers[field.offset]?.remove(key, from: target.key)
            }
            return removed
        }

        /// Returns the rows of some entities that refer to a key, in no particular order.
        func referrers(to key: Int64, by field: RowField, of entities: [Int]) -> [StoredRow] {
            (referrers[field.offset]?[key] ?? []).compactMap { rows[$0] }.filter { stored in
                entities.contains(stored.page.entityIndex) && field.reference(in: stored.row)?.key == key
            }
        }
    }

    let sources: [ObjectIDSource]
    /// By the position of the entity at the root of a hierarchy; those of other entities stay empty.
    var tables: [Table]
    var relationships: InMemoryRelationships
    var uniqueValues: UniqueValueIndex
    var metadata: [String: StoredValue] = [:]

    init(_ sources: [ObjectIDSource], _ model: ManagedObjectModel) {
        self.sources = sources
        tables = sources.map { _ in Table() }
        relationships = InMemoryRelationships(model)
        uniqueValues = UniqueValueIndex(sources)
    }
}

// MARK: - Reading

extension InMemoryContents {
    /// Returns all rows of the hierarchy of the entity at a position, in no particular order.
    func rows(around entity: Int) -> Dictionary<Int64, StoredRow>.Values {
        tables[sources[entity].rootIndex].rows.values
    }

    /// Returns the row with a key in the hierarchy of the entity at a position.
    func row(_ key: Int64, around entity: Int) -> StoredRow? { tables[sources[entity].rootIndex].rows[key] }

    /// Returns the rows that meet the plan's condition, in no particular order, without its limit and offset.
    ///
    /// - Throws: `StoreError` with `invalidRequest` if a regular expression takes too many steps.
    func matching(_ plan: FetchPlan) throws(StoreError) -> [StoredRow] {
        // Converted once, because each conversion allocates.
        let navigator: any RowNavigator = self
        let matches = { (stored: StoredRow) in
            plan.includes(stored.page.entityIndex)
                && plan.predicate?.matches(stored.reference, plan.source.entity.layout, navigator) ?? true
        }
        let entity = plan.source.entityIndex
        let found: [StoredRow]
        if case .keys(let keys)? = plan.predicate {
            found = keys.compactMap { row($0, around: entity) }.filter(matches)
        } else {
            found = rows(around: entity).filter(matches)
        }
        try plan.predicate?.checkPatterns()
        return found
    }
}

extension InMemoryContents: RowNavigator {
    /// Follows relationships from row to row.
    func withRelated<Result>(
        _ row: RowReference, _ relationship: ResolvedRelationship, _ body: ([RowReference]) -> Result
    ) -> Result {
        if case .toOne(let field) = relationship.kind {
            let layout = row.page._withUnsafeGuaranteedRef { $0.source.model.entities[relationship.entity].layout }
            let key = layout.fields[field].reference(in: row.row)?.key
            return body(key.flatMap { self.row($0, around: relationship.destination) }.map { [$0.reference] } ?? [])
        }
        return body(related(to: row.row.key, by: relationship).map(\.reference))
    }

    /// Returns the rows that a to-many relationship leads to, in no particular order.
    func related(to owner: Int64, by relationship: ResolvedRelationship) -> [StoredRow] {
        switch relationship.kind {
        case .toOne: return []
        case .toMany(let field): return referrers(to: owner, by: field, of: relationship.destination)
        case .manyToMany(let join, let isFirst):
            // The other entities of the hierarchy have other layouts.
            let family = sources[relationship.destination].model.hierarchy.families[relationship.destination]
            return relationships.members(of: owner, in: join, isFirst: isFirst).compactMap { key in
                row(key, around: relationship.destination).flatMap { family.contains($0.page.entityIndex) ? $0 : nil }
            }
        }
    }

    /// Returns the rows of an entity, and of those that inherit from it, whose reference at a position leads to a key.
    func referrers(to key: Int64, by position: Int, of entity: Int) -> [StoredRow] {
        let source = sources[entity]
        return tables[source.rootIndex].referrers(
            to: key, by: source.entity.layout.fields[position], of: source.model.hierarchy.families[entity])
    }
}

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
        var rows: [Int64: StoredRow] = [:]
        var nextKey: Int64 = 1
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
        let found = rows(around: plan.source.entityIndex).filter { stored in
            plan.includes(stored.page.entityIndex)
                && plan.predicate?.matches(stored.reference, plan.source.entity.layout, navigator) ?? true
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

    /// Returns the rows that a relationship leads to, in no particular order.
    func related(to owner: Int64, by relationship: ResolvedRelationship) -> [StoredRow] {
        // The other entities of the hierarchy have other layouts.
        let family = sources[relationship.destination].model.hierarchy.families[relationship.destination]
        return rows(around: relationship.destination).filter {
            family.contains($0.page.entityIndex) && relationships.leads(relationship, from: owner, to: $0.reference)
        }
    }
}

/// Who has which of the values that must be unique, in an in-memory store.
struct UniqueValueIndex {
    private struct Index {
        let constraint: UniquenessConstraint
        /// The entities that are under the constraint.
        let entities: [Int]
        var holders: [ConstraintKey: Int64] = [:]
    }

    /// In the order of ``ConstraintClaims/all(_:_:)``.
    private var indexes: [Index]

    init(_ sources: [ObjectIDSource]) {
        indexes = sources.flatMap { source in
            source.entity.ownUniqueness.map {
                Index(constraint: $0, entities: source.model.hierarchy.families[source.entityIndex])
            }
        }
    }

    /// The key of the row that has a value under the constraint at a position.
    func holder(of key: ConstraintKey, at position: Int) -> Int64? { indexes[position].holders[key] }

    /// Notes what a row has now.
    mutating func insert(_ row: RowReference) {
        forEach(of: row) { index, key in index.holders[key] = row.row.key }
    }

    /// Notes that a row has gone, or is about to be replaced. What another row has got meanwhile stays with that one.
    mutating func remove(_ row: RowReference) {
        forEach(of: row) { index, key in
            if index.holders[key] == row.row.key { index.holders[key] = nil }
        }
    }

    private mutating func forEach(of row: RowReference, _ body: (inout Index, ConstraintKey) -> Void) {
        for position in indexes.indices where indexes[position].entities.contains(row.entityIndex) {
            guard let key = indexes[position].constraint.key(of: row) else { continue }
            body(&indexes[position], key)
        }
    }
}

/// Finds the holders of values that must be unique, in an in-memory store.
struct UniqueValueIndex {
    private struct Index {
        let constraint: UniquenessConstraint
        /// The entities that the constraint covers.
        let entities: [Int]
        var holders: [ConstraintKey: Int64] = [:]
    }

    /// One index per constraint, in the order of ``ConstraintClaims/all(_:_:)``.
    private var indexes: [Index]

    init(_ sources: [ObjectIDSource]) {
        indexes = sources.flatMap { source in
            source.entity.ownUniqueness.map {
                Index(constraint: $0, entities: source.model.hierarchy.families[source.entityIndex])
            }
        }
    }

    /// Returns the key of the row that has a value under the constraint at a position.
    func holder(of key: ConstraintKey, at position: Int) -> Int64? { indexes[position].holders[key] }

    /// Records the current values of a row.
    mutating func insert(_ row: RowReference) {
        forEach(of: row) { index, key in index.holders[key] = row.row.key }
    }

    /// Removes the values of a row that was deleted or is about to be replaced. A value that another row has got
    /// meanwhile stays with that row.
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

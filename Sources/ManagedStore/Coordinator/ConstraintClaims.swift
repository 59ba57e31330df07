import Foundation

/// The values that the rows of a save claim under one uniqueness constraint, for comparison with the stored ones.
struct ConstraintClaims {
    let constraint: UniquenessConstraint
    /// The entity that declares the constraint.
    let source: ObjectIDSource
    /// The rows whose stored values do not count, since this save deletes the rows or changes the values.
    private(set) var leaving: Set<Int64> = []
    private var claimants: [ConstraintKey: [RowReference]] = [:]
    /// The keys in the order of their first occurrence.
    private(set) var keys: [ConstraintKey] = []

    /// Returns the claims under all constraints of a model.
    static func all(_ changes: ChangeSet, _ sources: [ObjectIDSource]) -> [ConstraintClaims] {
        sources.flatMap { source in
            source.entity.ownUniqueness.map { ConstraintClaims($0, source, changes) }
        }
    }

    init(_ constraint: UniquenessConstraint, _ source: ObjectIDSource, _ changes: ChangeSet) {
        self.constraint = constraint
        self.source = source
        let family = source.model.hierarchy.families[source.entityIndex]
        for entity in family {
            for row in changes.entities[entity].inserts { claim(row) }
            for row in changes.entities[entity].updates { claimIfChanged(row) }
            for row in changes.entities[entity].deletes { leaving.insert(row.row.key) }
        }
    }

    private mutating func claimIfChanged(_ row: RowReference) {
        guard let origin = row.origin, constraint.key(of: origin) != constraint.key(of: row) else { return }
        leaving.insert(row.row.key)
        claim(row)
    }

    private mutating func claim(_ row: RowReference) {
        guard let key = constraint.key(of: row) else { return }
        if claimants[key] == nil { keys.append(key) }
        claimants[key, default: []].append(row)
    }

    /// Returns a row that claims `key`.
    func claimant(_ key: ConstraintKey) -> RowReference? { claimants[key]?.first }

    /// Returns the conflicts: values that several rows of the save claim, and values that a row of the save claims
    /// although one of `holders` has them. `holders` are stored objects that the save does not change.
    func conflicts(_ holders: [ConstraintKey: ManagedObjectID]) -> [ConstraintConflict] {
        keys.compactMap { key in
            guard let rows = claimants[key], let first = rows.first, rows.count > 1 || holders[key] != nil else {
                return nil
            }
            return ConstraintConflict(
                constraint: constraint.attributes, constraintValues: constraint.values(of: first),
                databaseObjectID: holders[key],
                conflictingObjectIDs: rows.map { row in
                    row.page._withUnsafeGuaranteedRef { ManagedObjectID(source: $0.source, key: row.row.key) }
                })
        }
    }
}

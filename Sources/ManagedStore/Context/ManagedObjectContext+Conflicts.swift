import Foundation

/// Saving over rows that have changed since this context read them.
extension ManagedObjectContext {
    /// How often a save lets its merge policy settle conflicts before it gives up.
    private static let conflictRounds = 10

    /// Writes all unsaved changes; asks the merge policy to settle conflicts. Returns whether it settled any.
    func commit(to store: any PersistentStore) throws(StoreError) -> (ChangeSet, PermanentKeys, wasSettled: Bool) {
        var round = 0
        while true {
            processPendingChanges()
            // Errors kept while changes were made, reported or settled mean that the changes may be incomplete.
            try checkReadingError()
            // Everything that reads runs before the commit: a save that is done must not throw.
            let changes = try throwingKeptErrors { () throws(StoreError) in try checkedChanges(store) }
            do throws(StoreError) {
                return (changes, try store.commit(changes), round > 0)
            } catch {
                guard error.isConflict else { throw error }
                let conflict = error.code == .mergeConflict ? try describe(error) : error
                guard round < Self.conflictRounds else { throw conflict }
                round += 1
                try resolve(conflict)
            }
        }
    }

    /// Returns the changes to save, after the checks that allow a save.
    private func checkedChanges(_ store: any PersistentStore) throws(StoreError) -> ChangeSet {
        try loadDeletedFaults()
        try validate()
        dropDerivedValues(store)
        try checkArchivedValues(store)
        return changeSet(entities: store.sources.count)
    }

    private func resolve(_ error: StoreError) throws(StoreError) {
        if error.constraintConflicts.isEmpty {
            try mergePolicy.resolve(optimisticLockingConflicts: error.conflicts, in: self)
        } else {
            try mergePolicy.resolve(constraintConflicts: error.constraintConflicts, in: self)
        }
    }

    /// Returns the error with snapshots in its conflicts.
    private func describe(_ error: StoreError) throws(StoreError) -> StoreError {
        StoreError.conflict(try describe(error.conflicts))
    }

    /// Adds snapshots to conflicts; reads all their rows at once.
    private func describe(_ conflicts: [MergeConflict]) throws(StoreError) -> [MergeConflict] {
        var described: [MergeConflict] = []
        let byEntity = Dictionary(grouping: conflicts) { $0.objectID.source.entityIndex }
        for (entity, conflicts) in byEntity.sorted(by: { $0.key < $1.key }) {
            let keys = conflicts.map(\.objectID.key)
            let known = rowCache.knowledge(keys, of: entity)
            described += describe(conflicts, known, try readAnew(keys, of: entity))
        }
        return described
    }

    private func describe(
        _ conflicts: [MergeConflict], _ known: [Int64: RowCache.Knowledge], _ current: [Int64: RowSnapshot]
    ) -> [MergeConflict] {
        guard let source = conflicts.first?.objectID.source else { return [] }
        var copies = RowCopies(source)
        return conflicts.map { conflict in
            let key = conflict.objectID.key
            guard let object = registeredObject(for: conflict.objectID), let base = object.committedRow,
                !object.state.contains(.isHollow)
            else { return conflict }
            var conflict = conflict
            if conflict.cause != .change {
                conflict = MergeConflict(conflict, of: object.objectID, known: Int(base.row.version))
            }
            let mine = copies.copy(object.rowReference)
            switch known[key] {
            case .row(let cached) where cached.reference.row.version != base.row.version:
                return MergeConflict(conflict, object: mine, cached: cached, current: current[key])
            case .version(let version) where version != base.row.version:
                let cached = version == 0 ? nil : current[key]
                return MergeConflict(conflict, object: mine, cached: cached, current: current[key])
            default:
                return MergeConflict(conflict, object: mine, base: copies.copy(base), current: current[key])
            }
        }
    }
}

extension StoreError {
    /// Whether a merge policy may settle the error.
    var isConflict: Bool { code == .mergeConflict || !constraintConflicts.isEmpty }
}

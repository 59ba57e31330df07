/// Saving over rows that have changed since the context read them.
extension SaveTransaction {
    /// How often a save lets its merge policy settle conflicts before it gives up.
    private static let mostSettlements = 10

    /// Asks the merge policy to settle the conflicts that the store met.
    ///
    /// - Throws: `error` if it is none of conflicts, or the policy does not settle them.
    mutating func settle(_ error: StoreError) throws(StoreError) {
        guard error.code == .mergeConflict || !error.constraintConflicts.isEmpty else { throw error }
        let error = error.code == .mergeConflict ? StoreError.conflict(try describe(error.conflicts)) : error
        guard settlements < Self.mostSettlements else { throw error }
        settlements += 1
        if error.constraintConflicts.isEmpty {
            try context.mergePolicy.resolve(optimisticLockingConflicts: error.conflicts, in: context)
        } else {
            try context.mergePolicy.resolve(constraintConflicts: error.constraintConflicts, in: context)
        }
    }

    /// Adds snapshots to conflicts; reads all their rows at once.
    private func describe(_ conflicts: [MergeConflict]) throws(StoreError) -> [MergeConflict] {
        var described: [MergeConflict] = []
        let byEntity = Dictionary(grouping: conflicts) { $0.objectID.source.entityIndex }
        for (entity, conflicts) in byEntity.sorted(by: { $0.key < $1.key }) {
            let keys = conflicts.map(\.objectID.key)
            let known = context.rowCache.knowledge(keys, of: entity)
            described += describe(conflicts, known, try context.readAnew(keys, of: entity))
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
            guard let object = context.registeredObject(for: conflict.objectID), let base = object.committedRow,
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

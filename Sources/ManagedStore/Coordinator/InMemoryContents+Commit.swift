/// Saving.
extension InMemoryContents {
    /// Reserves keys of the entity at a position; returns the first.
    mutating func takeKeys(_ count: Int, _ entity: Int) -> Int64 {
        let root = sources[entity].rootIndex
        defer { tables[root].nextKey += Int64(count) }
        return tables[root].nextKey
    }

    /// Saves all changes or none.
    ///
    /// - Throws: `StoreError` with `mergeConflict` or `constraintConflict`.
    mutating func commit(_ changes: ChangeSet) throws(StoreError) -> PermanentKeys {
        let conflicts = changes.entities.indices.flatMap { entity in
            changes.entities[entity].conflicts(sources[entity]) { row($0, around: entity)?.row.version }
        }
        if !conflicts.isEmpty { throw StoreError.conflict(conflicts) }
        let shared = constraintConflicts(changes)
        if !shared.isEmpty { throw StoreError.constraintConflict(shared) }
        // A save that fails from here on has used up its keys.
        let keys = try PermanentKeys(changes) { takeKeys($0, $1) }
        try checkReferences(changes, keys)
        if let metadata = changes.metadata { self.metadata = metadata }
        for (entity, changes) in changes.entities.enumerated() { apply(changes, entity, keys) }
        relationships.apply(changes, keys)
        return keys
    }

    private func constraintConflicts(_ changes: ChangeSet) -> [ConstraintConflict] {
        ConstraintClaims.all(changes, sources).enumerated().flatMap { position, claims in
            var holders: [ConstraintKey: ManagedObjectID] = [:]
            for key in claims.keys {
                guard let holder = uniqueValues.holder(of: key, at: position), !claims.leaving.contains(holder),
                    let stored = row(holder, around: claims.source.entityIndex)
                else { continue }
                holders[key] = ManagedObjectID(source: stored.page.source, key: holder)
            }
            return claims.conflicts(holders)
        }
    }

    private func checkReferences(_ changes: ChangeSet, _ keys: PermanentKeys) throws(StoreError) {
        guard let model = sources.first?.model, SavedReferences.concern(changes, model) else { return }
        var check = InMemoryReferenceCheck(self, changes, keys, model)
        try check.run()
    }

    private mutating func apply(_ changes: ChangeSet.EntityChanges, _ entity: Int, _ keys: PermanentKeys) {
        var next = keys.firstKeys[entity]
        for insert in changes.inserts {
            let key = insert.row.key < 0 ? next : insert.row.key
            if insert.row.key < 0 { next += 1 }
            uniqueValues.insert(store(insert, key: key, version: 1, entity, keys).reference)
        }
        for update in changes.updates {
            guard let origin = update.changedOrigin(sources[entity].entity.layout) else { continue }
            uniqueValues.remove(origin)
            let version = RowVersion.next(update.row.version)
            uniqueValues.insert(store(update, key: update.row.key, version: version, entity, keys).reference)
        }
        for delete in changes.deletes { remove(delete.row.key, entity) }
    }

    mutating func remove(_ key: Int64, _ entity: Int) {
        guard let removed = tables[sources[entity].rootIndex].remove(key) else { return }
        uniqueValues.remove(removed.reference)
    }

    /// Stores a copy of a row under a key, and replaces the row that has the key. `change` may change the copy before.
    @discardableResult
    mutating func store(
        _ reference: RowReference, key: Int64, version: Int32, _ entity: Int, _ keys: PermanentKeys? = nil,
        _ change: (StoredRow) -> Void = { _ in }
    ) -> StoredRow {
        let stored = StoredRow(page: RowPage(writable: sources[entity], capacity: 1))
        let row = stored.page.appendRow(key: key)
        stored.page.copyRow(reference, to: row)
        row.version = version
        if let keys { stored.page.layout.makePermanent(row, keys) }
        change(stored)
        tables[sources[entity].rootIndex].put(stored)
        return stored
    }
}

extension RowReference {
    /// Returns the row that this changed one replaces; nil if it was set back to the same values, which is neither
    /// saved nor a conflict.
    func changedOrigin(_ layout: RowLayout) -> RowReference? {
        guard let origin, RowPage.areDifferent(origin, self, layout) else { return nil }
        return origin
    }
}

extension ChangeSet.EntityChanges {
    /// Returns the rows that the changes replace or delete, as the context knows them.
    func replaced(_ layout: RowLayout) -> ContiguousArray<RowReference> {
        deletes + updates.compactMap { $0.changedOrigin(layout) }
    }

    /// Returns those of these rows, by their keys, of which the store has another version or none.
    func conflicts(_ source: ObjectIDSource, version: (Int64) -> Int32?) -> [MergeConflict] {
        let outdated = replaced(source.entity.layout).filter { version($0.row.key) != $0.row.version }
        return outdated.sorted { $0.row.key < $1.row.key }.map { old in
            MergeConflict(
                objectID: ManagedObjectID(source: source, key: old.row.key), oldVersion: Int(old.row.version),
                newVersion: Int(version(old.row.key) ?? 0))
        }
    }
}

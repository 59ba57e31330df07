import Foundation

extension ManagedObjectContext {
    /// Saves all unsaved changes, or none of them.
    ///
    /// - Throws: `StoreError`: a validation code that names every object that is not valid; `mergeConflict` if rows in
    ///   the store changed since they were read and the ``mergePolicy`` does not settle it; `busy`, `diskFull` or
    ///   `storeFailure` from the store; the ``readingError`` that a property met, if there is one. After an error the
    ///   context keeps its changes and can be saved again.
    public func save() throws(StoreError) {
        checkQueue()
        guard hasChanges else {
            // New objects that were deleted again are still to be let go.
            if pending.insertedGaps > 0 { processPendingChanges() }
            return
        }
        // A change that could not be made is none that was saved.
        try checkReadingError()
        let store = try requireStore()
        NotificationCenter.default.post(name: Self.willSaveObjectsNotification, object: self)
        let began = rowCache.now()
        let (changes, keys, wasSettled) = try commit(to: store)
        if changes.metadata != nil { persistentStoreCoordinator.didSave(metadata: changes.metadata) }
        didCommit(changes, keys, store, wasSettled: wasSettled, began: began)
    }

    /// Reads faults that are to be deleted: the save checks a deletion against the version that the context knows.
    func loadDeletedFaults() throws(StoreError) {
        let faults = pending.deleted.all.filter { $0.state.contains(.isHollow) }
        guard !faults.isEmpty else { return }
        try reload(Array(faults), anew: true)
    }

    /// Returns the changes to save.
    func changeSet(entities: Int) -> ChangeSet {
        var changes = ChangeSet(entities: .init(repeating: .init(), count: entities))
        changes.metadata = changedMetadata
        let (inserted, updated) = (pending.inserted, pending.updated.all)
        inserted.forEachUncounted { object in
            guard object.isInserted else { return }
            changes.entities[object.entityIndex].inserts.append(object.rowReference, makingRoomFor: inserted.count)
        }
        updated.forEachUncounted { object in
            changes.entities[object.entityIndex].updates.append(object.rowReference, makingRoomFor: updated.count)
        }
        for object in pending.deleted.all {
            guard let known = object.committedRow else { continue }
            changes.entities[object.entityIndex].deletes.append(known)
        }
        addRelationships(to: &changes)
        return changes
    }

    private func didCommit(
        _ changes: ChangeSet, _ keys: PermanentKeys, _ store: any PersistentStore, wasSettled: Bool,
        began: RowCache.Moment
    ) {
        let moment = rowCache.now()
        var message = ContextDidSave(context: self)
        finishRelationships(changes, keys)
        // Where another writer wins a conflict, the known members of the inverses are out of date.
        if wasSettled { relationshipTable.forgetStored() }
        let updated = updatedObjectsToCache()
        finishInserted(keys.firstKeys, &message, store)
        let heirs = finishUpdated(&message, store)
        finishDeleted(&message)
        cacheSaved(updated, &message, began: began, done: moment)
        releaseOrigins(of: heirs)
        rowCache.forget(keys.sideEffects)
        message.note(keys.sideEffects, store.sources)
        let deleted = pending.deleted.all
        pending.removeAll()
        noteChangedKeys(ObjectIDChanges(message))
        message.post(deleted: deleted)
    }

    private func finishInserted(_ firstKeys: [Int64], _ message: inout ContextDidSave, _ store: any PersistentStore) {
        var nextKeys = firstKeys
        var keys = KeysByEntity(expectedCount: pending.inserted.count)
        pending.inserted.forEachUncounted { object in
            guard object.isInserted else { return }
            let entity = object.entityIndex
            if object.row.key < 0 {
                object.row.key = nextKeys[entity]
                nextKeys[entity] += 1
            }
            object.row.version = 1
            object.state.subtract([.inserted, .isWritable, .isReported, .wasReported])
            keys.append(object.row.key, of: entity)
        }
        registerSaved()
        message.insertedObjectIDs.insert(keys, store.sources)
    }

    /// Registers the saved objects under their permanent keys, except those that only the context holds: they are about
    /// to be released.
    private func registerSaved() {
        registry.withTables { tables in
            pending.inserted.withUnsafeMutableBufferPointer { inserted in
                for index in inserted.indices where !isKnownUniquelyReferenced(&inserted[index]) {
                    let object = inserted[index]
                    if !object.state.isDisjoint(with: [.isGone, .registered]) { continue }
                    object.state.insert(.registered)
                    tables[object.rootIndex].insert(object)
                }
            }
        }
    }

    /// Returns the objects whose rows still inherit values.
    private func finishUpdated(_ message: inout ContextDidSave, _ store: any PersistentStore) -> [ManagedObject] {
        var heirs: [ManagedObject] = []
        var keys = KeysByEntity(expectedCount: pending.updated.count)
        pending.updated.all.forEachUncounted { object in
            object.unmanagedPage._withUnsafeGuaranteedRef { page in
                guard let origin = page.origin(of: object.row) else { return }
                let isChanged = RowPage.differences(origin, object.rowReference, page.layout) != 0
                object.row.version = isChanged ? RowVersion.next(origin.row.version) : origin.row.version
                let base = page.base(of: object.row)
                page.setOrigin(base, of: object.row)
                if base != nil { heirs.append(object) }
            }
            object.state.subtract([.updated, .isWritable, .isReported])
            keys.append(object.row.key, of: object.entityIndex)
        }
        message.updatedObjectIDs.insert(keys, store.sources)
        return heirs
    }

    /// Copies the inherited values of saved objects where they would keep alive far more than themselves.
    private func releaseOrigins(of heirs: [ManagedObject]) {
        var inherited = InheritedBytes()
        // The other objects have moved to rows in the cache.
        let heirs = heirs.filter { $0.page.isWritable }
        for heir in heirs {
            guard let count = heir.page.inheritedByteCount(of: heir.row), let origin = heir.page.origin(of: heir.row)
            else { continue }
            inherited.add(count, on: origin.page.takeUnretainedValue())
        }
        inherited.finish()
        for heir in heirs {
            guard let origin = heir.page.origin(of: heir.row)?.page.takeUnretainedValue() else { continue }
            if !inherited.areWorthKeeping(origin, origin.keptByteCount) { heir.page.copyInheritedValues(of: heir.row) }
        }
    }

    private func finishDeleted(_ message: inout ContextDidSave) {
        message.deletedObjectIDs = ObjectIDSet(pending.deleted.all.lazy.map(\.objectID))
        for object in pending.deleted.all { leave(object) }
    }

    /// Records, for asynchronous fetches in progress, which objects' rows they may have read before this save or merge.
    func noteChangedKeys(_ changes: ObjectIDChanges) {
        for changed in fetchesUnderWay.values {
            for ids in changes.stale + [changes.inserted] { changed.insert(ids) }
        }
    }
}

extension ContiguousArray<RowReference> {
    /// Appends a row, if it is the first one with room for `count` rows.
    @inline(__always) fileprivate mutating func append(_ row: RowReference, makingRoomFor count: Int) {
        if isEmpty { reserveCapacity(count) }
        append(row)
    }
}

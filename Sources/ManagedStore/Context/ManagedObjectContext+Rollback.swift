import Foundation

/// Dropping unsaved changes.
extension ManagedObjectContext {
    /// Drops all unsaved changes: new objects leave the context, changed ones show their last saved values, deleted
    /// ones are back.
    public func rollback() {
        checkQueue()
        processPendingChanges()
        let inserted = pending.inserted.filter(\.isInserted)
        for object in inserted { leave(object) }
        for object in pending.updated.all { revert(object) }
        for object in pending.deleted.all {
            object.state.remove(.deleted)
            revert(object)
        }
        pending.refreshed += pending.updated.all + pending.deleted.all
        pending.removeAll()
        relationshipTable.removeAll()
        followed.removeAll()
        undoManager?.removeAllActions()
        forgetKeptErrors()
        pending.changedAgain = []
        pending.discarded = Array(inserted)
        processPendingChanges()
    }

    func revert(_ object: ManagedObject) {
        if object.state.contains(.isWritable), let origin = object.committedRow {
            adoptCommitted(origin, object)
        }
        object.state.subtract([.updated, .isWritable, .isReported])
    }

    /// Forgets all objects and all unsaved changes. Objects that are still held no longer belong to a context.
    public func reset() {
        checkQueue()
        for object in registry.objects() { leave(object) }
        for object in pending.inserted where object.isInserted { leave(object) }
        pending.removeAll()
        relationshipTable.removeAll()
        followed.removeAll()
        prefetched.removeAll()
        undoManager?.removeAllActions()
        forgetKeptErrors()
        pending.changedAgain = []
        pending.refreshed = []
        pending.discarded = []
        forgetStore()
        for changed in fetchesUnderWay.values { changed.noteReset() }
        ContextObjectsDidChange(context: self, invalidatedAll: true).post()
    }
}

extension ManagedObjectContext {
    /// Forgets which store the context uses, and what it prepared for the next objects of that store.
    func forgetStore() {
        newObjectPages.removeAll()
        writablePages.removeAll()
        (lastInserted, knownSource, storeIdentifier) = (nil, nil, nil)
    }
}

// MARK: - Forgetting objects

extension ManagedObjectContext {
    /// Lets go of an object whose row is one of another entity by now. What it had unsaved is lost, and the next save
    /// says so.
    func forgetStray(_ object: ManagedObject) {
        if object.hasChanges, keptLoss == nil {
            let version = Int(object.committedRow?.row.version ?? 0)
            let conflict = MergeConflict(objectID: object.objectID, oldVersion: version, newVersion: 0)
            keptLoss = StoreError(
                .mergeConflict,
                "unsaved changes of \(object.objectID) were dropped, since another writer replaced its row by one of "
                    + "another entity; nothing is saved until you call rollback(), or clearReadingError() to save the "
                    + "other changes",
                conflicts: [conflict])
        }
        forget(object)
    }

    /// Takes an object out of the context and of its unsaved changes.
    func forget(_ object: ManagedObject) {
        if object.state.contains(.updated) { pending.updated.remove(object) }
        if object.state.contains(.deleted) { pending.deleted.remove(object) }
        for changed in fetchesUnderWay.values { changed.insert(object) }
        dropUnsavedLinks(of: object)
        relationshipsWillVanish(of: object)
        leave(object)
    }
}

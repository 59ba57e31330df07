import Foundation

/// Loading, refreshing and forgetting the values of objects.
extension ManagedObjectContext {
    /// Reads an object's row, from the cache if it is there; false, and the object has left the context, if there is
    /// none.
    func load(_ object: ManagedObject) throws(StoreError) -> Bool {
        checkQueue()
        if object.page.isBatch {
            let isThere = try FaultBatch(of: object, in: self).load()
            if isThere { object.state.remove(.isFault) } else { leave(object) }
            return isThere
        }
        let rows = try readThroughCache([object], of: object.entityIndex)
        guard let row = rows[object.row.key] else {
            leave(object)
            return false
        }
        adoptCommitted(row.reference, object)
        object.state.subtract([.isFault, .isHollow])
        if !object.state.contains(.registered) { registerInPlaceOfAnother(object) }
        return true
    }

    /// Registers an object whose row turned out to be of its entity, while one of another entity was known by its key.
    private func registerInPlaceOfAnother(_ object: ManagedObject) {
        if let other = registry.object(object.rootIndex, object.row.key) { forget(other) }
        object.state.insert(.registered)
        registry.insert(object, object.rootIndex)
    }

    /// Makes ready for writing: gives the object a row of its own, and remembers that it changed. The object has
    /// checked the queue.
    func willChange(_ object: ManagedObject) {
        undoManager?.willChange(object)
        if object.isArenaFull || !object.state.contains(.isWritable) { moveToWritableRow(object) }
        if object.state.contains(.deleted) {
            // The deletion is what will be saved; taking it back drops the change.
        } else if !object.state.contains(.inserted), !object.state.contains(.updated) {
            object.state.insert(.updated)
            pending.updated.append(object)
        } else if !object.state.contains(.isReported) {
            pending.changedAgain.append(object)
        }
        object.state.insert([.isWritable, .isReported])
    }

    private func moveToWritableRow(_ object: ManagedObject) {
        writablePage(like: object)._withUnsafeGuaranteedRef { page in
            let row = page.appendCopy(of: object.rowReference)
            // A row that was never saved replaces none, and one that is written to already replaces what that one did.
            guard object.state.isDisjoint(with: [.inserted, .isWritable]) else {
                page.setOrigin(object.committedRow, of: row)
                return object.adopt(page, row)
            }
            object.adopt(page, replacement: row)
        }
    }

    /// Turns `object` into a fault and drops its unsaved changes; or, with `mergeChanges`, reads its row again and
    /// keeps unsaved changes on top of the fresh values. A new object stays as it is.
    ///
    /// - Throws: any error of reading the store.
    public func refresh(_ object: ManagedObject, mergeChanges: Bool) throws(StoreError) {
        checkQueue()
        guard object.managedObjectContext === self, !object.isInserted else { return }
        if mergeChanges {
            try reload([object])
        } else {
            turnIntoFault(object)
        }
        pending.refreshed.append(object)
    }

    /// Turns every registered object without unsaved changes into a fault; those with changes keep them over fresh
    /// values.
    public func refreshAllObjects() throws(StoreError) {
        checkQueue()
        let objects = registry.objects().filter { !$0.isInserted }
        for object in objects where !object.hasChanges { turnIntoFault(object) }
        try reload(objects.filter(\.hasChanges))
        pending.refreshed += objects
    }

    func turnIntoFault(_ object: ManagedObject) {
        relationshipsWillRevert(of: object)
        dropUnsavedLinks(of: object)
        forgetRelated(to: object)
        let shared = object.sharedRow
        if object.state.contains(.updated) { pending.updated.remove(object) }
        if object.state.contains(.deleted) { pending.deleted.remove(object) }
        object.state.subtract([.updated, .deleted, .isWritable, .isReported])
        let (page, row) = writableRow(object.page.source, key: object.row.key)
        // The object has no unsaved changes any more, and so its own row is the committed one.
        page.setOrigin(shared, of: row)
        object.leaveRow()
        object.adopt(page, row)
        object.state.insert([.isFault, .isHollow])
    }

    /// Reads the rows of `objects` again, all at once, from the cache where it has them and `anew` does not say
    /// otherwise; unsaved changes stay on top, objects without a row leave the context.
    ///
    /// Returns the objects that left.
    @discardableResult
    func reload(_ objects: [ManagedObject], anew: Bool = false) throws(StoreError) -> [ManagedObject] {
        if !objects.isEmpty { relationshipTable.forgetStored() }
        var gone: [ManagedObject] = []
        let byEntity = Dictionary(grouping: objects) { $0.entityIndex }
        for (entity, objects) in byEntity {
            let rows =
                anew ? try readAnew(objects.map(\.row.key), of: entity) : try readThroughCache(objects, of: entity)
            for object in objects {
                if let fresh = rows[object.row.key] {
                    withExtendedLifetime(fresh) { adopt(fresh.reference, object) }
                } else {
                    forget(object)
                    gone.append(object)
                }
            }
        }
        return gone
    }

    /// Gives an object its fresh row, under its unsaved changes if it has any.
    private func adopt(_ fresh: RowReference, _ object: ManagedObject) {
        guard object.state.contains(.updated), let origin = object.committedRow else {
            adoptCommitted(fresh, object)
            object.state.subtract([.isFault, .isHollow, .isWritable])
            return
        }
        let mine = object.rowReference
        let unsaved = object.entity.layout.fields.filter { !RowPage.areEqual(origin, mine, $0) }
        relationshipsWillRevert(of: object)
        rebase(object, on: fresh, keeping: unsaved)
        relationshipsDidRebase(of: object)
    }

    /// Puts an object's unsaved values of `fields` over a fresh row.
    func rebase(_ object: ManagedObject, on fresh: RowReference, keeping fields: [RowField]) {
        let mine = object.rowReference
        let values = fields.map { mine.value($0) }
        let (page, row) = writableRow(object.page.source, key: object.row.key)
        page.copyRow(fresh, to: row)
        page.setOrigin(fresh, of: row)
        for (field, value) in zip(fields, values) { page.setValue(value, of: field, of: row) }
        object.adopt(page, row)
    }

    /// Lets go of an object whose row is one of another entity by now. What it had unsaved is lost, and the next save
    /// says so.
    func forgetStray(_ object: ManagedObject) {
        if object.hasChanges, keptLoss == nil {
            let version = Int(object.committedRow?.row.version ?? 0)
            let conflict = MergeConflict(objectID: object.objectID, oldVersion: version, newVersion: 0)
            keptLoss = StoreError(
                .mergeConflict,
                "unsaved changes of \(object.objectID) were dropped, since another writer made its row one of another entity; nothing is saved "
                    + "until you call rollback(), or clearReadingError() to save the other changes",
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
        leave(object)
    }

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
        undoManager?.removeAllActions()
        forgetKeptErrors()
        pending.changedAgain = []
        pending.refreshed = []
        pending.discarded = []
        writablePages = writablePages.map { _ in nil }
        lastInserted = nil
        for changed in fetchesUnderWay.values { changed.noteReset() }
        ContextObjectsDidChange(context: self, invalidatedAll: true).post()
    }
}

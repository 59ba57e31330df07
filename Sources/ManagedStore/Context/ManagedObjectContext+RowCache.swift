import Foundation

/// Reading through the coordinator's row cache, and renewing it.
extension ManagedObjectContext {
    /// Reads rows from the store, marked with the moment before.
    func read(
        _ body: (any PersistentStore) throws(StoreError) -> FetchedRows
    ) throws(StoreError) -> FetchedRows {
        let moment = rowCache.now()
        var rows = try body(try requireStore())
        rows.moment = moment
        return rows
    }

    /// Makes rows that were read part of this context, and renews the cache.
    func take(_ rows: FetchedRows) {
        for page in rows.pages { page.registry = registry }
        if let moment = rows.moment { rowCache.enter(rows.pages, at: moment) }
    }

    /// Reads rows from the store, past the cache, and renews it. Those that the store does not have are
    /// forgotten.
    func readAnew(_ keys: [Int64], of entity: Int) throws(StoreError) -> [Int64: RowSnapshot] {
        let rows = try read { store throws(StoreError) in try store.rows(withKeys: keys, of: entity) }
        take(rows)
        let found = rows.snapshotsByKey()
        if found.count < keys.count, let moment = rows.moment {
            rowCache.forget(keys.filter { found[$0] == nil }, of: entity, at: moment)
        }
        return found
    }

    /// Rows of `objects` from the cache, where it has them and they are not too stale for this context, and from the
    /// store.
    func readThroughCache(_ objects: [ManagedObject], of entity: Int) throws(StoreError) -> [Int64: RowSnapshot] {
        let keys = objects.map(\.row.key)
        var cached = rowCache.rows(keys, of: entity, maximumAge: parent == nil ? stalenessInterval : 0)
        // A save is visible in the store before the cache hears of it: an object may know a newer row than the cache
        // does.
        for object in objects {
            guard let row = cached[object.row.key], let known = object.committedRow else { continue }
            if row.reference.row.version < known.row.version { cached[object.row.key] = nil }
        }
        if cached.isEmpty { return try readAnew(keys, of: entity) }
        let missing = keys.filter { cached[$0] == nil }
        if missing.isEmpty { return cached }
        return try readAnew(missing, of: entity).merging(cached) { fresh, _ in fresh }
    }

    /// Gives an object without unsaved changes a row that the store has: the page itself when it is this context's, or
    /// else a copy, which keeps the row in the cache.
    func adoptCommitted(_ fresh: RowReference, _ object: ManagedObject) {
        let page = fresh.page.takeUnretainedValue()
        if page.registry === registry {
            object.leaveRow()
            return object.adopt(page, fresh.row)
        }
        let (ownPage, ownRow) = writableRow(object.page.source, key: object.row.key)
        ownPage.copyRow(fresh, to: ownRow)
        ownPage.setOrigin(fresh, of: ownRow)
        object.leaveRow()
        object.adopt(ownPage, ownRow)
    }
}

/// Forgetting what a batch request changed.
extension ManagedObjectContext {
    /// To be called when `outcome` is in the store: so a request for a row from now on gets one that was read
    /// afterwards.
    func forgetCachedRows(of plan: FetchPlan, changedBy outcome: BatchOutcome) {
        // A child's batch request reaches the store through its parents, all of which are on one coordinator.
        let cache = persistentStoreCoordinator.rowCache
        cache.forget(outcome.sideEffects)
        guard outcome.count > 0 else { return }
        cache.forgetAll(of: plan.entities, at: cache.now())
    }
}

/// Entering what was saved.
extension ManagedObjectContext {
    /// The changed objects of a save that is small enough for its rows to be cached; to be asked before they are
    /// finished.
    func updatedObjectsToCache() -> [ManagedObject] {
        guard pending.updated.count + pending.inserted.count <= RowPage.rows else { return [] }
        return pending.updated.all.filter { object in
            // One that was set to what it was before was not saved, and its row may not be the newest.
            object.page.origin(of: object.row).map {
                RowPage.differences($0, object.rowReference, object.page.layout) != 0
            } ?? false
        }
    }

    /// Renews the cache after a save: by the saved rows if they are few, or else by forgetting what was there before.
    ///
    /// The copies live as long as the message, and the objects, which move to them.
    func cacheSaved(
        _ updated: [ManagedObject], _ message: inout ContextDidSave, began: RowCache.Moment,
        done moment: RowCache.Moment
    ) {
        for group in message.deletedObjectIDs.groups {
            rowCache.forget(group.keys, of: group.source.entityIndex, at: moment, version: 0)
        }
        guard pending.updated.count + pending.inserted.count <= RowPage.rows else {
            for group in message.updatedObjectIDs.groups {
                rowCache.forget(group.keys, of: group.source.entityIndex, at: moment)
            }
            return
        }
        for object in updated {
            rowCache.forget([object.row.key], of: object.entityIndex, at: moment, version: object.row.version)
        }
        let saved = pending.inserted.filter { !$0.state.contains(.isGone) } + updated
        for objects in Dictionary(grouping: saved, by: \.entityIndex).values {
            message.savedRows += moveToSharedPage(objects, began: began)
        }
    }

    private func moveToSharedPage(_ objects: [ManagedObject], began: RowCache.Moment) -> [RowPage] {
        var copies = RowCopies(objects[0].page.source)
        let snapshots = objects.map { copies.copy($0.rowReference) }
        for page in copies.pages {
            page.trim()
            page.registry = registry
        }
        for (object, snapshot) in zip(objects, snapshots) {
            object.leaveRow()
            object.adopt(snapshot.page, snapshot.reference.row)
        }
        rowCache.enter(copies.pages, at: began)
        return copies.pages
    }
}

extension ManagedObject {
    /// The row that the cache may have handed out for this object, or got from it.
    ///
    /// A fault holds on to it, so that the cache does not forget what is about to be asked for again.
    var sharedRow: RowReference? {
        guard let row = committedRow else { return nil }
        return row.page._withUnsafeGuaranteedRef { $0.isWritable ? $0.origin(of: row.row) : row }
    }

    /// Lets go of the shared row, because the object is about to move to another.
    func leaveRow() {
        if page.isWritable, !state.contains(.isWritable) { page.setOrigin(nil, of: row) }
    }
}

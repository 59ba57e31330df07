import Foundation

/// Reading through the coordinator's row cache, and updating it.
extension ManagedObjectContext {
    /// Reads rows from the store, and marks them with the moment before the read.
    func read(
        _ body: (any PersistentStore) throws(StoreError) -> FetchedRows
    ) throws(StoreError) -> FetchedRows {
        let store = try requireStore()
        return try rowCache.reading { () throws(StoreError) in try body(store) }
    }

    /// Hands read rows over to this context and updates the cache with them.
    func take(_ rows: FetchedRows) {
        for page in rows.pages { page.registry = registry }
        if let moment = rows.moment { rowCache.enter(rows.pages, at: moment) }
    }

    /// Reads rows from the store, bypassing the cache, and updates the cache. Removes the rows that the store does not
    /// have.
    func readAnew(_ keys: [Int64], of entity: Int) throws(StoreError) -> [Int64: RowSnapshot] {
        let rows = try read { store throws(StoreError) in try store.rows(withKeys: keys, of: entity) }
        take(rows)
        let found = rows.snapshotsByKey()
        if found.count < keys.count, let moment = rows.moment {
            rowCache.forget(keys.filter { found[$0] == nil }, of: entity, at: moment)
        }
        return found
    }

    /// Returns the row of an object as ``readThroughCache(_:of:)`` does those of several, without a dictionary of them.
    func readThroughCache(_ object: ManagedObject) throws(StoreError) -> RowSnapshot? {
        let (key, entity) = (object.row.key, object.entityIndex)
        let cached = rowCache.row(key, of: entity, maximumAge: parent == nil ? stalenessInterval : 0)
        if let cached, cached.reference.row.version >= object.committedRow?.row.version ?? .min { return cached }
        let rows = try read { store throws(StoreError) in try store.rows(withKeys: [key], of: entity) }
        take(rows)
        for page in rows.pages {
            for index in 0..<page.count where page.row(index).key == key {
                return RowSnapshot(page: page, index: index)
            }
        }
        if let moment = rows.moment { rowCache.forget([key], of: entity, at: moment) }
        return nil
    }

    /// Returns rows of `objects` from the cache if it has them fresh enough for this context, otherwise from the store.
    func readThroughCache(_ objects: [ManagedObject], of entity: Int) throws(StoreError) -> [Int64: RowSnapshot] {
        let keys = objects.map(\.row.key)
        var cached = rowCache.rows(keys, of: entity, maximumAge: parent == nil ? stalenessInterval : 0)
        // A save is visible in the store before it reaches the cache, so an object may know a newer row than the cache.
        for object in objects {
            guard let row = cached[object.row.key], let known = object.committedRow else { continue }
            if row.reference.row.version < known.row.version { cached[object.row.key] = nil }
        }
        if cached.isEmpty { return try readAnew(keys, of: entity) }
        let missing = keys.filter { cached[$0] == nil }
        if missing.isEmpty { return cached }
        return try readAnew(missing, of: entity).merging(cached) { fresh, _ in fresh }
    }

    /// Lets new faults keep their rows in the cache, if it has them, so that the values of a save that has just been
    /// merged need no read later.
    func keepCachedRows(of objects: [ManagedObject]) {
        guard parent == nil else { return }
        let faults = objects.filter { $0.state.contains(.isHollow) && $0.page.isWritable && $0.sharedRow == nil }
        for (entity, faults) in faults.groups(by: \.entityIndex) {
            let rows = rowCache.rows(faults.map(\.row.key), of: entity, maximumAge: stalenessInterval)
            for fault in faults {
                guard let row = rows[fault.row.key] else { continue }
                withExtendedLifetime(row) { fault.page.setOrigin(row.reference, of: fault.row) }
            }
        }
    }

    /// Gives an object without unsaved changes a row of the store. The object uses the page itself if the page belongs
    /// to this context, otherwise a copy that keeps the row in the cache.
    func adoptCommitted(_ fresh: RowReference, _ object: ManagedObject) {
        let page = fresh.page.takeUnretainedValue()
        if page.registry === registry {
            object.leaveRow()
            return object.adopt(page, fresh.row)
        }
        let (ownPage, ownRow) = writableRow(object.page.source, key: object.row.key)
        ownPage.inheritRow(fresh, to: ownRow)
        ownPage.setOrigin(fresh, of: ownRow)
        object.leaveRow()
        object.adopt(ownPage, ownRow)
    }
}

/// Removing rows from the cache that a batch request changed.
extension ManagedObjectContext {
    /// Removes rows from the cache. The caller calls it once `outcome` is in the store, so that every later request for
    /// a row gets one that was read afterwards.
    func forgetCachedRows(of plan: FetchPlan, changedBy outcome: BatchOutcome) {
        // A child's batch request reaches the store through its parents, all of which share one coordinator.
        let cache = persistentStoreCoordinator.rowCache
        cache.forget(outcome.sideEffects)
        guard outcome.count > 0 else { return }
        cache.forgetAll(of: plan.entities, at: cache.now())
    }
}

extension ManagedObject {
    /// The row that this object shares with the cache.
    ///
    /// A fault keeps the row alive, so that the cache still has it for the next use. An origin of another version only
    /// keeps inherited values alive.
    var sharedRow: RowReference? {
        guard let row = committedRow else { return nil }
        guard row.page._withUnsafeGuaranteedRef({ $0.isWritable }) else { return row }
        guard let origin = row.origin, state.contains(.isHollow) || origin.row.version == row.row.version else {
            return nil
        }
        return origin
    }

    /// Releases the shared row before the object moves to another one.
    func leaveRow() {
        if page.isWritable, !state.contains(.isWritable) { page.abandon(row) }
    }
}

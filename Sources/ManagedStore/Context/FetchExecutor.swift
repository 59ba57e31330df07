/// Executes a context's fetch: reads the store, makes the objects, and merges unsaved changes into the result.
struct FetchExecutor {
    let context: ManagedObjectContext
    let fetch: ResolvedFetch
    let store: any PersistentStore
    /// Receives the number of rows found so far, and can stop the fetch.
    let control: FetchControl

    /// - Throws: `StoreError` with `noStore`.
    init(
        _ context: ManagedObjectContext, _ fetch: ResolvedFetch, _ control: FetchControl = .uncontrolled
    ) throws(StoreError) {
        self.context = context
        self.fetch = fetch
        self.control = control
        store = try context.requireStore()
    }

    /// Returns the objects, in order. The context keeps errors of properties that this reads: call it within
    /// ``ManagedObjectContext/throwingKeptErrors(_:)``.
    func objects() throws(StoreError) -> [ManagedObject] {
        let stored = fetch.batchSize > 0 ? try batchedFaults() : try wholeObjects()
        var overlay = PendingChangesOverlay(context, fetch, stored)
        return try overlay.finish()
    }

    /// Returns the objects, in order, after it read the related objects that the request asks for.
    func objectsWithRelated() throws(StoreError) -> [ManagedObject] {
        context.releaseUnusedPrefetches()
        let objects = try objects()
        try prefetch(for: objects)
        return objects
    }

    /// Reads the related objects that the request asks for. Those of faults in batches come with their batch.
    func prefetch(for objects: [ManagedObject]) throws(StoreError) {
        if fetch.prefetches.isEmpty { return }
        let read = fetch.batchSize > 0 ? objects.filter { !$0.state.contains(.isHollow) } : objects
        var prefetcher = try Prefetcher(context, refreshes: fetch.refreshes)
        let found = try prefetcher.read(fetch.prefetches, of: read, areAll: fetch.plan.isWholeHierarchy)
        context.prefetched.hold(found, fetch.prefetches, for: read)
    }

    /// Returns the number of objects.
    func count() throws(StoreError) -> Int {
        fetch.mindsPendingChanges ? try objects().count : try storedCount()
    }

    /// Returns the IDs of the objects, in order.
    func objectIDs() throws(StoreError) -> [ManagedObjectID] {
        if fetch.mindsPendingChanges { return try objects().map(\.objectID) }
        return try store.keys(fetch.plan, control).ids(fetch.plan.source, among: store.sources)
    }
}

// MARK: - Reading the store

extension FetchExecutor {
    /// Returns the number of objects without unsaved changes. May be called on any thread.
    func storedCount() throws(StoreError) -> Int { try store.count(fetch.plan) }

    /// Returns the rows to make the objects of. May be called on any thread.
    func rows() throws(StoreError) -> FetchedRows {
        try context.rowCache.reading { () throws(StoreError) in try store.rows(fetch.storePlan, control) }
    }

    private func wholeObjects() throws(StoreError) -> [ManagedObject] {
        var collector = ObjectCollector(context, fetch, try rows())
        collector.collectAll()
        return collector.objects
    }

    /// Returns the objects; those that the context does not know yet are faults in batches.
    private func batchedFaults() throws(StoreError) -> [ManagedObject] {
        let found = try store.keys(fetch.storePlan, control)
        if fetch.refreshes { try renewKnown(found) }
        var builder = FaultBatchBuilder(
            context, size: min(fetch.batchSize, RowPage.rows, max(found.count, 1)), fetch.prefetches)
        return builder.objects(found, of: fetch.plan.source, among: store.sources)
    }

    /// Gives known objects without unsaved changes the store's current values.
    private func renewKnown(_ found: FoundKeys) throws(StoreError) {
        let root = fetch.plan.source.rootIndex
        let known = found.keys.compactMap { context.registry.object(root, $0) }
        try context.reload(known.filter { !$0.hasChanges && !$0.state.contains(.isHollow) }, anew: true)
    }
}

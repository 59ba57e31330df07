/// Executes a context's batch requests in its store, without registering or changing any object.
struct BatchExecutor {
    let context: ManagedObjectContext

    init(_ context: ManagedObjectContext) {
        context.checkQueue()
        self.context = context
    }

    func execute(_ request: BatchUpdateRequest) throws(StoreError) -> BatchUpdateResult {
        let (source, store) = (try source(of: request.entityName), try context.requireStore())
        let plan = try request.resolved(for: source)
        let outcome = try store.update(plan)
        context.forgetCachedRows(of: plan.rows, changedBy: outcome)
        switch request.resultType {
        case .statusOnly: return .statusOnly
        case .updatedObjectsCount: return .updatedObjectsCount(outcome.count)
        case .updatedObjectIDs: return .updatedObjectIDs(outcome.keys.ids(source, among: store.sources))
        }
    }

    func execute(_ request: BatchInsertRequest) throws(StoreError) -> BatchInsertResult {
        let source = try source(of: request.entityName)
        let store = try savedStore()
        let policy = context.mergePolicy.mergeType
        let mayMerge = policy == .mergeByPropertyObjectTrump && !source.entity.uniqueness.isEmpty
        var inserted = BatchInsertRows(source, context.registry, keepsNames: mayMerge)
        try inserted.fill(request.values)
        inserted.rows.dropDerivedValues(store)
        let ids = inserted.rows.isEmpty ? [] : try commit(BatchInsertion(inserted, by: policy, in: store))
        switch request.resultType {
        case .statusOnly: return .statusOnly
        case .count: return .count(ids.count)
        case .objectIDs: return .objectIDs(ids)
        }
    }

    /// Returns the store below all contexts: a batch request bypasses parents.
    private func savedStore() throws(StoreError) -> any PersistentStore {
        if let parentStore = context.parentStore { return try parentStore.savedStore() }
        return try context.requireStore()
    }

    /// Returns the IDs of the inserted and changed objects.
    private func commit(_ insertion: consuming BatchInsertion) throws(StoreError) -> [ManagedObjectID] {
        var insertion = insertion
        let (keys, ids) = try insertion.run()
        let cache = context.persistentStoreCoordinator.rowCache
        cache.forget(keys.sideEffects)
        for group in insertion.changedIDs.groups {
            cache.forget(group.keys, of: group.source.entityIndex, at: cache.now())
        }
        return ids
    }

    func execute(_ request: BatchDeleteRequest) throws(StoreError) -> BatchDeleteResult {
        let (store, plan) = (try context.requireStore(), try plan(request.objects))
        let outcome = try plan.map { plan throws(StoreError) in
            let outcome = try store.delete(plan, wantsKeys: request.resultType == .objectIDs)
            context.forgetCachedRows(of: plan, changedBy: outcome)
            return outcome
        }
        switch request.resultType {
        case .statusOnly: return .statusOnly
        case .count: return .count(outcome?.count ?? 0)
        case .objectIDs:
            guard let outcome, let source = plan?.source else { return .objectIDs([]) }
            return .objectIDs(outcome.keys.ids(source, among: store.sources))
        }
    }

    private func source(of entityName: String) throws(StoreError) -> ObjectIDSource {
        try context.source(of: try context.model.entity(named: entityName))
    }

    /// Returns the rows to delete; nil if the request names no object.
    private func plan(_ objects: BatchDeleteRequest.Objects) throws(StoreError) -> FetchPlan? {
        switch objects {
        case .found(let request): return try ResolvedFetch(request, in: context).plan
        case .identified(let ids):
            guard let first = ids.first else { return nil }
            guard let own = context.local(first) else { throw Self.foreign(first) }
            let (entity, identifier) = (own.entity, own.source.storeIdentifier)
            for id in ids where id.isTemporaryID || id.source.storeIdentifier != identifier { throw Self.foreign(id) }
            if let other = ids.first(where: { $0.entity.name != entity.name }) {
                throw StoreError(
                    .invalidRequest,
                    "a batch delete takes IDs of one entity: \(first) is of \(entity.name), \(other) is not; send "
                        + "one request per entity"
                )
            }
            let keys = ObjectIDSet.sortedUnique(ids.map(\.key))
            return FetchPlan(source: try context.source(of: entity), includesSubentities: false, predicate: .keys(keys))
        }
    }

    private static func foreign(_ id: ManagedObjectID) -> StoreError {
        StoreError(
            .invalidRequest,
            "\(id) is not a saved object of this context's store; save it first, or delete it through a context of "
                + "its own store"
        )
    }
}

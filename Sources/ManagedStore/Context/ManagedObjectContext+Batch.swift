import Foundation

/// Batch inserts and deletes: past the context, straight into the store.
extension ManagedObjectContext {
    /// Inserts objects into the store itself, in one transaction. This context does not hold them.
    ///
    /// Takes memory for all rows until it is done: about as much as the context would for unsaved objects, less the
    /// objects.
    ///
    /// - Throws: `StoreError` with `unknownEntity`, `unknownKey` or `wrongType`; with
    ///   `validationMissingMandatoryProperty` and its like for a missing required value and for NaN; errors of the
    ///   store. Nothing was inserted then.
    public func execute(_ request: BatchInsertRequest) throws(StoreError) -> BatchInsertResult {
        checkQueue()
        let source = try source(of: try model.entity(named: request.entityName))
        let store = try requireStore()
        var inserted = BatchInsertRows(source, registry)
        try inserted.fill(request.values)
        inserted.rows.dropDerivedValues(store)
        let count = inserted.rows.count
        var firstKey: Int64 = 0
        if count > 0 {
            var changes = ChangeSet(entities: .init(repeating: .init(), count: store.sources.count))
            changes.entities[source.entityIndex].inserts = inserted.rows
            firstKey = try withExtendedLifetime(inserted) { () throws(StoreError) in
                let keys = try store.commit(changes)
                persistentStoreCoordinator.rowCache.forget(keys.sideEffects)
                return keys.firstKeys[source.entityIndex]
            }
        }
        switch request.resultType {
        case .statusOnly: return .statusOnly
        case .count: return .count(count)
        case .objectIDs:
            return .objectIDs((0..<count).map { ManagedObjectID(source: source, key: firstKey + Int64($0)) })
        }
    }

    /// Deletes objects in the store itself. Objects of this context stay as they are.
    ///
    /// - Throws: `StoreError` with `unknownEntity`, `unknownKey`, `wrongType` or `invalidRequest` for a request that
    ///   makes no sense, such as IDs of several entities; errors of the store.
    public func execute(_ request: BatchDeleteRequest) throws(StoreError) -> BatchDeleteResult {
        checkQueue()
        let (store, plan) = (try requireStore(), try plan(request.objects))
        let wantsKeys = request.resultType == .objectIDs
        let outcome = try plan.map { plan throws(StoreError) in
            let outcome = try store.delete(plan, wantsKeys: wantsKeys)
            forgetCachedRows(of: plan, changedBy: outcome)
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

    /// Which rows to delete; nil when no object was named.
    private func plan(_ objects: BatchDeleteRequest.Objects) throws(StoreError) -> FetchPlan? {
        switch objects {
        case .found(let request): return try resolve(request).plan
        case .identified(let ids):
            guard let first = ids.first else { return nil }
            guard let own = local(first) else { throw Self.foreign(first) }
            let (entity, identifier) = (own.entity, own.source.storeIdentifier)
            for id in ids where id.isTemporaryID || id.source.storeIdentifier != identifier { throw Self.foreign(id) }
            if let other = ids.first(where: { $0.entity.name != entity.name }) {
                throw StoreError(
                    .invalidRequest,
                    "a batch delete takes IDs of one entity; \(first) is of \(entity.name), \(other) is not")
            }
            let keys = ObjectIDSet.sortedUnique(ids.map(\.key))
            return FetchPlan(source: try source(of: entity), includesSubentities: false, predicate: .keys(keys))
        }
    }

    private static func foreign(_ id: ManagedObjectID) -> StoreError {
        StoreError(.invalidRequest, "\(id) is not in this context's store, and cannot be deleted there")
    }
}

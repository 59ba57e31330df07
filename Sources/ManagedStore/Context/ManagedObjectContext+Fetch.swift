import Foundation

/// Fetching, and batch updates.
extension ManagedObjectContext {
    /// The objects that `request` asks for, unsaved changes taken into account.
    ///
    /// - Throws: `StoreError` with `unknownEntity`, `unknownKey`, `wrongType` or `invalidRequest` for a request that
    ///   makes no sense; `storeFailure` when the store cannot be read.
    public func fetch<Object: ManagedObject>(_ request: FetchRequest<Object>) throws(StoreError) -> [Object] {
        checkQueue()
        return try throwingKeptErrors { () throws(StoreError) in
            let resolved = try resolve(request)
            if request.fetchBatchSize > 0 { return try fetchInBatches(resolved, of: request.fetchBatchSize) }
            let rows = try read { store throws(StoreError) in try store.rows(resolved.storePlan, FetchControl()) }
            var collector = ObjectCollector(self, resolved, rows)
            collector.collectAll()
            return try collector.finished(changed: []).asserting(Object.self)
        }
    }

    /// How many objects `request` asks for, unsaved changes taken into account.
    public func count<Object: ManagedObject>(for request: FetchRequest<Object>) throws(StoreError) -> Int {
        checkQueue()
        let resolved = try resolve(request)
        return resolved.mindsPendingChanges ? try fetch(request).count : try requireStore().count(resolved.plan)
    }

    /// The IDs of the objects that `request` asks for, unsaved changes taken into account. Reads no rows unless there
    /// are some.
    public func fetchObjectIDs<Object: ManagedObject>(
        _ request: FetchRequest<Object>
    ) throws(StoreError) -> [ManagedObjectID] {
        checkQueue()
        let resolved = try resolve(request)
        if resolved.mindsPendingChanges { return try fetch(request).map(\.objectID) }
        let store = try requireStore()
        return try store.keys(resolved.plan, FetchControl()).ids(resolved.plan.source, among: store.sources)
    }

    /// Carries out `request` and hands back what its `resultType` asks for.
    public func execute<Object: ManagedObject>(
        _ request: FetchRequest<Object>
    ) throws(StoreError) -> FetchResult<Object> {
        switch request.resultType {
        case .managedObject: .objects(try fetch(request))
        case .managedObjectID: .objectIDs(try fetchObjectIDs(request))
        case .count: .count(try count(for: request))
        case .dictionary: .dictionaries(try fetchDictionaries(request))
        }
    }

    /// Finds the request's entity and attributes, and sees whether unsaved changes matter to it.
    func resolve<Object: ManagedObject>(_ request: FetchRequest<Object>) throws(StoreError) -> ResolvedFetch {
        let entity = try model.entity(named: request.entityName)
        guard entity.managedObjectClass is Object.Type else {
            throw StoreError(
                .invalidRequest,
                "entity \(entity.name) is represented by \(entity.managedObjectClass), which is not a \(Object.self)")
        }
        try request.checkLimits()
        let source = try source(of: entity)
        var plan = FetchPlan(
            source: source, includesSubentities: request.includesSubentities, limit: request.fetchLimit,
            offset: request.fetchOffset)
        plan.predicate = try request.predicate?.resolved(for: source)
        for descriptor in request.sortDescriptors { plan.sort.append(try descriptor.resolved(for: source)) }
        let affected = request.includesPendingChanges ? try affected(by: plan) : []
        return ResolvedFetch(
            plan: plan, pendingCount: request.includesPendingChanges ? pendingCount(plan) + affected.count : 0,
            includesPendingChanges: request.includesPendingChanges, affected: affected,
            state: request.returnsObjectsAsFaults ? [.registered, .isFault] : .registered,
            refreshes: request.shouldRefreshRefetchedObjects)
    }

    /// How many unsaved changes there are to objects of the entities that `plan` is about.
    func pendingCount(_ plan: FetchPlan) -> Int {
        if pending.isEmpty { return 0 }
        return pending.inserted.count { $0.isInserted && plan.includes($0.entityIndex) }
            + pending.updated.all.count { plan.includes($0.entityIndex) }
            + pending.deleted.all.count { plan.includes($0.entityIndex) }
    }
}

/// A fetch request whose entity and attributes were found.
struct ResolvedFetch: Sendable {
    let plan: FetchPlan
    let pendingCount: Int
    let includesPendingChanges: Bool
    /// The keys of objects that may match or not because of unsaved changes in objects that they are related to.
    var affected: Set<Int64> = []
    /// What new objects start with.
    let state: ObjectState
    let refreshes: Bool

    var mindsPendingChanges: Bool { pendingCount > 0 }

    /// What the store is asked for: with unsaved changes, enough rows that the limit can be applied after.
    var storePlan: FetchPlan {
        guard mindsPendingChanges else { return plan }
        var store = plan
        store.offset = 0
        if plan.limit > 0 {
            let (end, isBeyond) = plan.offset.addingReportingOverflow(plan.limit)
            let (rows, isUnlimited) = end.addingReportingOverflow(pendingCount)
            store.limit = isBeyond || isUnlimited ? 0 : rows
        }
        return store
    }
}

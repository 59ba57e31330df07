/// A fetch request after the lookup of its entity and attributes, with the unsaved changes that may affect it.
struct ResolvedFetch: Sendable {
    let plan: FetchPlan
    let includesPendingChanges: Bool
    /// The initial state of new objects.
    let state: ObjectState
    /// Whether known objects without unsaved changes take the fetched values.
    let refreshes: Bool
    /// The number of rows to read at a time; 0 means all at once.
    let batchSize: Int
    /// The relationships whose destinations are read as well.
    let prefetches: [PrefetchBranch]
    /// The keys of objects that unsaved changes of related objects may add to the result or remove from it.
    var affected: Set<Int64>
    /// The number of unsaved changes that may affect the result.
    let pendingCount: Int

    /// Looks up the request's entity and attributes, and determines which unsaved changes of `context` may affect it.
    init<Object: ManagedObject>(
        _ request: FetchRequest<Object>, in context: ManagedObjectContext
    ) throws(StoreError) {
        let plan = try request.plan(in: context)
        includesPendingChanges = request.includesPendingChanges
        affected = includesPendingChanges ? try AffectedObjects(context).keys(of: plan) : []
        pendingCount = includesPendingChanges ? context.pendingCount(plan) + affected.count : 0
        state = request.returnsObjectsAsFaults ? [.registered, .isFault] : .registered
        refreshes = request.shouldRefreshRefetchedObjects
        batchSize = request.fetchBatchSize
        prefetches = try PrefetchBranch.branches(
            of: request.relationshipKeyPathsForPrefetching, from: plan.source)
        self.plan = plan
    }

    /// Makes a fetch of what `plan` asks for, with unsaved changes of `context` taken into account.
    init(_ plan: FetchPlan, in context: ManagedObjectContext) throws(StoreError) {
        includesPendingChanges = true
        affected = try AffectedObjects(context).keys(of: plan)
        pendingCount = context.pendingCount(plan) + affected.count
        state = [.registered, .isFault]
        (refreshes, batchSize, prefetches) = (false, 0, [])
        self.plan = plan
    }

    /// Makes a fetch that reads related objects in advance. Unsaved changes do not matter to it.
    init(prefetching plan: FetchPlan, refreshes: Bool) {
        (includesPendingChanges, affected, pendingCount) = (false, [], 0)
        state = [.registered, .isFault]
        (batchSize, prefetches) = (0, [])
        self.refreshes = refreshes
        self.plan = plan
    }

    var mindsPendingChanges: Bool { pendingCount > 0 }

    /// The plan that the store receives. With unsaved changes, it asks for enough rows to apply the limit afterwards.
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

extension FetchRequest {
    /// Returns the plan of the request for the model and the store of `context`.
    fileprivate func plan(in context: ManagedObjectContext) throws(StoreError) -> FetchPlan {
        let entity = try context.model.entity(named: entityName)
        guard entity.managedObjectClass is Object.Type else {
            throw StoreError(
                .invalidRequest,
                "entity \(entity.name) is represented by \(entity.managedObjectClass), which is not a \(Object.self)")
        }
        try checkLimits()
        let source = try context.source(of: entity)
        var plan = FetchPlan(
            source: source, includesSubentities: includesSubentities, limit: fetchLimit, offset: fetchOffset)
        plan.predicate = try predicate?.resolved(for: source)
        for descriptor in sortDescriptors { plan.sort.append(try descriptor.resolved(for: source)) }
        return plan
    }
}

extension ManagedObjectContext {
    /// Returns the number of unsaved changes to objects of the entities of `plan`.
    fileprivate func pendingCount(_ plan: FetchPlan) -> Int {
        if pending.isEmpty { return 0 }
        return pending.inserted.count { $0.isInserted && plan.includes($0.entityIndex) }
            + pending.updated.all.count { plan.includes($0.entityIndex) }
            + pending.deleted.all.count { plan.includes($0.entityIndex) }
    }
}

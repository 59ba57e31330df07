/// Executes a context's fetch of dictionaries. The store computes them, without unsaved changes.
struct DictionaryFetch {
    private let plan: DictionaryPlan
    private let store: any PersistentStore

    /// - Throws: `StoreError` for an invalid request; with `invalidRequest` if the request includes unsaved changes and
    ///   there are any.
    init<Object: ManagedObject>(
        _ request: FetchRequest<Object>, in context: ManagedObjectContext
    ) throws(StoreError) {
        // Order, limit and offset apply to the dictionaries, not to the objects.
        var unordered = request
        unordered.sortDescriptors = []
        (unordered.fetchLimit, unordered.fetchOffset) = (0, 0)
        let resolved = try ResolvedFetch(unordered, in: context)
        try request.checkLimits()
        plan = try request.dictionaryPlan(resolved.plan)
        if request.includesPendingChanges {
            let related = try AffectedObjects(context).references(along: plan.columns.map(\.path))
            let unseen = resolved.pendingCount + related.count
            if unseen > 0 { throw Self.unseenChanges(unseen, to: request.entityName) }
        }
        store = try context.requireStore()
    }

    func dictionaries() throws(StoreError) -> [[String: StoredValue]] {
        let found = try store.dictionaries(plan, .uncontrolled)
        return withExtendedLifetime(found) { plan.dictionaries(found) }
    }

    private static func unseenChanges(_ count: Int, to entity: String) -> StoreError {
        StoreError(
            .invalidRequest,
            "a fetch of dictionaries does not see the \(count) unsaved changes to \(entity); save first, or set "
                + "includesPendingChanges to false")
    }
}

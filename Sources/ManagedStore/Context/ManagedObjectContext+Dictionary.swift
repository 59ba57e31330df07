import Foundation

/// Fetching values rather than objects.
extension ManagedObjectContext {
    /// The values that `request` asks for: those of its `propertiesToFetch` for each object, or for each group of
    /// objects, under their names. A missing value is `.null`.
    ///
    /// Values come from the store: unsaved changes do not count, and a request that wants them to is refused while
    /// there are any.
    ///
    /// - Throws: `StoreError` with `unknownEntity`, `unknownKey`, `wrongType` or `invalidRequest` for a request that
    ///   makes no sense; with `invalidRequest` while the context has unsaved changes to objects of the entity, unless
    ///   the request's `includesPendingChanges` is false; `storeFailure` when the store cannot be read.
    public func fetchDictionaries<Object: ManagedObject>(
        _ request: FetchRequest<Object>
    ) throws(StoreError) -> [[String: StoredValue]] {
        checkQueue()
        var unordered = request
        unordered.sortDescriptors = []
        (unordered.fetchLimit, unordered.fetchOffset) = (0, 0)
        let resolved = try resolve(unordered)
        try request.checkLimits()
        let plan = try request.dictionaryPlan(resolved.plan)
        if request.includesPendingChanges {
            let unseen = try resolved.pendingCount + affected(by: plan.columns.map(\.path)).count
            if unseen > 0 { throw unseenChanges(unseen, to: request.entityName) }
        }
        let found = try requireStore().dictionaries(plan, FetchControl())
        return withExtendedLifetime(found) { plan.dictionaries(found) }
    }

    private func unseenChanges(_ count: Int, to entity: String) -> StoreError {
        StoreError(
            .invalidRequest,
            "a fetch of dictionaries does not see the \(count) unsaved changes to \(entity); save first, or set "
                + "includesPendingChanges to false")
    }
}

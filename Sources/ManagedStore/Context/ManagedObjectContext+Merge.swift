import Foundation

/// Merging what another context, another process or a batch request saved.
extension ManagedObjectContext {
    /// Merges the save that another context's did-save notification describes; ignores any other notification.
    ///
    /// - Throws: any error of reading the store.
    public func mergeChanges(fromContextDidSave notification: Notification) throws(StoreError) {
        guard let message = ContextDidSave(notification) else { return }
        try mergeChanges(fromContextDidSave: message)
    }

    /// Merges what another context saved. The saves of a child change nothing: its parent has them already.
    ///
    /// Registered objects that were updated take on the saved values, under their own unsaved changes. Inserted objects
    /// become faults; deleted ones leave the context. Objects that this context does not hold, and objects in the row
    /// cache, cost no read.
    ///
    /// - Throws: any error of reading the store.
    public func mergeChanges(fromContextDidSave message: ContextDidSave) throws(StoreError) {
        checkQueue()
        guard message.context !== self, message.context.parent !== self else { return }
        let changes = ObjectIDChanges(message)
        // The row cache does not see saves through another coordinator.
        if message.context.persistentStoreCoordinator !== persistentStoreCoordinator {
            persistentStoreCoordinator.forgetCachedRows(changes)
        }
        try merge(changes)
    }

    /// Merges changes that no did-save notification describes: those of a batch request or of another process.
    ///
    /// Callable from any thread. Each context merges on its own queue, one after another, and all are done when this
    /// returns. The contexts read the values from the store anew and ignore IDs of other stores.
    ///
    /// - Throws: `StoreError` with `concurrency` for a confinement context of another thread; any error of reading the
    ///   store.
    public static func mergeChanges(
        _ changes: ObjectIDChanges, into contexts: [ManagedObjectContext]
    ) throws(StoreError) {
        var coordinators: [PersistentStoreCoordinator] = []
        for context in contexts where !coordinators.contains(where: { $0 === context.persistentStoreCoordinator }) {
            coordinators.append(context.persistentStoreCoordinator)
            context.persistentStoreCoordinator.forgetCachedRows(changes)
        }
        for context in contexts { try context.mergeOnQueue(changes) }
    }

    /// Merges changes in Core Data's form, as ``mergeChanges(_:into:)`` does.
    ///
    /// The keys are those of ``NotificationKey``, with or without `_objectIDs`; the values are sequences of
    /// `ManagedObjectID`s or of their URIs. URIs of unknown objects and other keys are ignored.
    ///
    /// - Throws: `StoreError` with `invalidRequest` for other values; as ``mergeChanges(_:into:)``.
    public static func mergeChanges(
        fromRemoteContextSave changes: [String: Any], into contexts: [ManagedObjectContext]
    ) throws(StoreError) {
        try mergeChanges(try ObjectIDChanges(changes, contexts), into: contexts)
    }

    private func mergeOnQueue(_ changes: ObjectIDChanges) throws(StoreError) {
        if executor.queue == nil {
            guard executor.isCurrent else {
                throw StoreError(
                    .concurrency,
                    "\(self) is a confinement context, which merges only on its own thread; call "
                        + "mergeChanges(_:into:) there"
                )
            }
            return try merge(changes)
        }
        let result: Result<Void, StoreError> = performAndWait {
            Result { () throws(StoreError) in try merge(changes) }
        }
        try result.get()
    }
}

extension ManagedObjectContext {
    /// Merges changes of rows that the cache, if it holds them, holds in their current version.
    func merge(_ changes: ObjectIDChanges) throws(StoreError) {
        processPendingChanges()
        relationshipTable.forgetStored()
        var change = ContextObjectsDidChange(context: self)
        var updated = changes.updated
        updated.formUnion(changes.refreshed)
        let known = updated.compactMap { savedObject(for: $0) }
        let gone = try reload(known.filter { !$0.state.contains(.isHollow) })
        change.refreshed = known.filter { !$0.state.contains(.isGone) }
        if known.count < updated.count { change.mergedUpdates = updated }
        change.invalidated = changes.invalidated.compactMap { savedObject(for: $0) }
        for object in change.invalidated { turnIntoFault(object) }
        let deleted = changes.deleted.compactMap { savedObject(for: $0) }
        for object in deleted { forget(object) }
        change.deleted = ContiguousArray(deleted + gone)[...]
        let inserted = changes.inserted.compactMap { local($0).map { object(with: $0) } }
        keepCachedRows(of: inserted)
        change.inserted = ContiguousArray(inserted)[...]
        noteChangedKeys(changes)
        change.post()
    }

    /// Records, for asynchronous fetches in progress, which objects' rows they may have read before this save or merge.
    func noteChangedKeys(_ changes: ObjectIDChanges) {
        if fetchesUnderWay.isEmpty { return }
        for changed in fetchesUnderWay.values {
            for ids in changes.stale + [changes.inserted] { changed.insert(ids) }
        }
    }

    /// Returns the registered object for an ID, except a new one: no other context can have saved that.
    private func savedObject(for id: ManagedObjectID) -> ManagedObject? {
        registeredObject(for: id).flatMap { $0.isInserted ? nil : $0 }
    }
}

import Foundation

/// Taking in what another context saved.
extension ManagedObjectContext {
    /// Merges what the did-save notification of another context tells of; any other notification is ignored.
    ///
    /// - Throws: whatever reading the store throws.
    public func mergeChanges(fromContextDidSave notification: Notification) throws(StoreError) {
        guard let message = ContextDidSave(notification) else { return }
        try mergeChanges(fromContextDidSave: message)
    }

    /// Merges what another context saved: registered objects that were updated take on the saved values, under their own
    /// unsaved changes; inserted ones become known as faults; deleted ones leave the context. Nothing is read for objects that
    /// this context does not have.
    ///
    /// - Throws: whatever reading the store throws.
    public func mergeChanges(fromContextDidSave message: ContextDidSave) throws(StoreError) {
        checkQueue()
        guard message.context !== self else { return }
        processPendingChanges()
        relationshipTable.forgetStored()
        var change = ContextObjectsDidChange(context: self)
        let isForeign = message.context.persistentStoreCoordinator !== persistentStoreCoordinator
        if isForeign { forgetCachedRows(message) }
        let known = message.updatedObjectIDs.compactMap { registeredObject(for: $0) }
        let gone = try reload(known.filter { !$0.state.contains(.isHollow) }, anew: isForeign)
        change.refreshed = known.filter { !$0.state.contains(.isGone) }
        if known.count < message.updatedObjectIDs.count { change.mergedUpdates = message.updatedObjectIDs }
        let deleted = message.deletedObjectIDs.compactMap { registeredObject(for: $0) }
        for object in deleted { forget(object) }
        change.deleted = ContiguousArray(deleted + gone)[...]
        let inserted = message.insertedObjectIDs.compactMap { local($0).map { object(with: $0) } }
        change.inserted = ContiguousArray(inserted)[...]
        noteChangedKeys(message)
        change.post()
    }

    /// The row cache does not know what went through another coordinator.
    private func forgetCachedRows(_ message: ContextDidSave) {
        let moment = rowCache.now()
        for group in message.updatedObjectIDs.groups + message.deletedObjectIDs.groups {
            guard let first = group.keys.first, let own = local(ManagedObjectID(source: group.source, key: first))
            else { continue }
            rowCache.forget(group.keys, of: own.source.entityIndex, at: moment)
        }
    }
}

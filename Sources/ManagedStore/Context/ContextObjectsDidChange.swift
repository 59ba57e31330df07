import Foundation

/// What changed in a context, saved or not, since its last objects-did-change notification.
struct ContextObjectsDidChange {
    let context: ManagedObjectContext
    var inserted: ArraySlice<ManagedObject> = []
    var updated: ArraySlice<ManagedObject> = []
    var deleted: ArraySlice<ManagedObject> = []
    var refreshed: [ManagedObject] = []
    var invalidated: [ManagedObject] = []
    var invalidatedAll = false
    /// The merged updates of objects that are not all in the context. Such an object may now belong in a list that did
    /// not hold it.
    var mergedUpdates: ObjectIDSet?

    func post() {
        let info = userInfo
        guard !info.isEmpty else { return }
        NotificationCenter.default.post(
            name: ManagedObjectContext.didChangeObjectsNotification, object: context, userInfo: info)
    }

    /// Returns the part that most notifications have alone.
    private func ordinaryInfo() -> [AnyHashable: Any] {
        var (template, values) = (0, [] as [Any])
        func add(_ objects: ArraySlice<ManagedObject>, _ key: Int) {
            if objects.isEmpty { return }
            template |= 1 << key
            values.append(ManagedObjectSet(objects))
        }
        add(inserted, 0)
        add(updated, 1)
        add(deleted, 2)
        return Self.templates[template].filled(values)
    }

    /// The templates of ordinary notifications, by which of the three keys they have: a bit each.
    private static let templates = (0..<8).map { template in
        typealias Key = ManagedObjectContext.NotificationKey
        let keys = [Key.inserted, Key.updated, Key.deleted]
        return UserInfoTemplate(keys.indices.filter { template & 1 << $0 != 0 }.map { keys[$0] })
    }

    private var userInfo: [AnyHashable: Any] {
        typealias Key = ManagedObjectContext.NotificationKey
        var info = ordinaryInfo()
        if !refreshed.isEmpty {
            info[Key.refreshed] = ManagedObjectSet(refreshed[...])
            info[Key.refreshedObjectIDs] = ObjectIDSet(refreshed.lazy.map(\.objectID))
        }
        if !invalidated.isEmpty {
            info[Key.invalidated] = ManagedObjectSet(invalidated[...])
            info[Key.invalidatedObjectIDs] = ObjectIDSet(invalidated.lazy.map(\.objectID))
        }
        if invalidatedAll { info[Key.invalidatedAll] = true }
        if let mergedUpdates { info[Key.mergedUpdates] = mergedUpdates }
        return info
    }
}

extension ManagedObjectContext {
    /// Posts what changed since the last time. The context calls it at the end of each block and before a save.
    public func processPendingChanges() {
        defer { undoManager?.didProcessChanges() }
        var inserted = pending.inserted[pending.reportedInserted...]
        if pending.insertedGaps > 0 { inserted = ContiguousArray(inserted.filter(\.isInserted))[...] }
        if !pending.reinserted.isEmpty { inserted += pending.reinserted.filter(\.isInserted) }
        var deleted = pending.deleted.unreported
        if !pending.discarded.isEmpty { deleted += pending.discarded }
        // An object deleted or refreshed since its change has no pending change any more.
        let changedAgain = pending.changedAgain.filter { $0.isInserted || $0.isUpdated }
        var updated = pending.updated.unreported
        if !changedAgain.isEmpty { updated += changedAgain }
        let refreshed = pending.refreshed
        pending.reportedInserted = pending.inserted.count
        if inserted.isEmpty, deleted.isEmpty, updated.isEmpty, refreshed.isEmpty { return releaseDiscarded() }
        pending.updated.noteReported()
        pending.deleted.noteReported()
        pending.changedAgain = []
        pending.discarded = []
        pending.reinserted = []
        pending.refreshed = []
        inserted.forEachUncounted { object in
            object.state.remove(.isReported)
            object.state.insert(.wasReported)
        }
        updated.forEachUncounted { $0.state.remove(.isReported) }
        ContextObjectsDidChange(
            context: self, inserted: inserted, updated: updated, deleted: deleted, refreshed: refreshed
        ).post()
        releaseDiscarded()
    }

    /// Lets go of new objects that were deleted again, if nothing else is unsaved. An undo may still bring them back.
    private func releaseDiscarded() {
        guard pending.insertedGaps > 0, pending.isEmpty, pending.discarded.isEmpty, undoManager == nil else { return }
        pending.removeAll()
    }
}

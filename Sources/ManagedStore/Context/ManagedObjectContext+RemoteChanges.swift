/// Changes of other processes, which post no notification here.
extension ManagedObjectContext {
    /// Asks the store what became of the context's objects, and merges what other processes, or contexts of other
    /// coordinators, saved: changed objects take on the saved values, under their unsaved changes, and deleted ones
    /// leave the context.
    ///
    /// New objects are found by ``mergeRemoteChanges(matching:)``. Complexity: one query for each entity of the
    /// registered objects, for the rows of all of them.
    ///
    /// - Returns: The changes that were merged.
    /// - Throws: `StoreError` with `invalidRequest` for a child context: its parent has to ask. Any error of reading
    ///   the store.
    @discardableResult
    public func mergeRemoteChanges() throws(StoreError) -> ObjectIDChanges {
        try mergeRemoteChanges(inserted: ObjectIDSet())
    }

    /// Merges what other processes saved, as ``mergeRemoteChanges()`` does, and the objects that a request finds and
    /// the context does not have, as new ones: a fetched results controller of the same request lists them.
    ///
    /// - Throws: as ``mergeRemoteChanges()``; any error of the fetch.
    @discardableResult
    public func mergeRemoteChanges<Object: ManagedObject>(
        matching request: FetchRequest<Object>
    ) throws(StoreError) -> ObjectIDChanges {
        let found = try fetchObjectIDs(request)
        return try mergeRemoteChanges(inserted: ObjectIDSet(found.filter { registeredObject(for: $0) == nil }))
    }

    private func mergeRemoteChanges(inserted: ObjectIDSet) throws(StoreError) -> ObjectIDChanges {
        checkQueue()
        guard parent == nil else {
            throw StoreError(
                .invalidRequest, "\(self) is a child context; call mergeRemoteChanges() of the context at the root")
        }
        var changes = ObjectIDChanges(inserted: inserted)
        let objects = registry.objects().filter { !$0.isInserted && !$0.state.contains(.isGone) }
        for (entity, objects) in objects.groups(by: \.entityIndex) {
            // What is a fault is read when it is needed; until then it must not come from the cache.
            let hollow = objects.filter { $0.state.contains(.isHollow) }
            rowCache.forget(hollow.map(\.row.key), of: entity, at: rowCache.now())
            try findChanges(of: objects.filter { !$0.state.contains(.isHollow) }, entity, &changes)
        }
        try merge(changes)
        processPendingChanges()
        return changes
    }

    private func findChanges(
        of objects: [ManagedObject], _ entity: Int, _ changes: inout ObjectIDChanges
    ) throws(StoreError) {
        guard let source = objects.first?.page.source else { return }
        let rows = try readAnew(objects.map(\.row.key), of: entity)
        let gone = objects.filter { rows[$0.row.key] == nil }
        let changed = objects.filter { object in
            rows[object.row.key].map { $0.reference.row.version != object.committedRow?.row.version } ?? false
        }
        changes.deleted.insert(gone.map(\.row.key), of: source)
        changes.updated.insert(changed.map(\.row.key), of: source)
    }
}

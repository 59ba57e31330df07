/// The saved rows in the row cache, where other contexts find them.
extension SaveTransaction {
    /// Whether the save is small enough for its rows to be cached.
    var areRowsCached: Bool { context.pending.updated.count + context.pending.inserted.count <= RowPage.rows }

    /// Adds the saved rows to the cache if they are few, otherwise removes their previous versions.
    ///
    /// The copies live as long as the message and the objects, which move to them.
    mutating func cacheRows() {
        let cache = context.rowCache
        for group in message.deletedObjectIDs.groups {
            cache.forget(group.keys, of: group.source.entityIndex, at: committed, version: 0)
        }
        guard areRowsCached else {
            for group in message.updatedObjectIDs.groups {
                cache.forget(group.keys, of: group.source.entityIndex, at: committed)
            }
            return
        }
        for (entity, objects) in rewritten.groups(by: \.entityIndex) {
            cache.forget(versionsBefore: objects.map(\.rowReference), of: entity, at: committed)
        }
        let inserted = context.pending.inserted.filter { !$0.state.contains(.isGone) }
        let saved = inserted.isEmpty ? rewritten : inserted + rewritten
        // What triggers made of a derived attribute, only the store knows.
        for (entity, objects) in saved.groups(by: \.entityIndex) where store.derivedAttributes[entity] == nil {
            moveToSharedPages(objects)
        }
    }

    private mutating func moveToSharedPages(_ objects: [ManagedObject]) {
        var copies = RowCopies(objects[0].page.source, expectedCount: objects.count)
        let snapshots = copies.copySaved(objects.map(\.rowReference))
        for page in copies.pages {
            page.trim()
            page.registry = context.registry
        }
        for (object, snapshot) in zip(objects, snapshots) {
            object.leaveRow()
            object.adopt(snapshot.page, snapshot.reference.row)
        }
        context.rowCache.enter(copies.pages, at: began)
        message.savedRows += copies.pages
    }
}

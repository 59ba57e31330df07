/// Refreshing the values of objects.
extension ManagedObjectContext {
    /// Turns `object` into a fault and drops its unsaved changes; or, with `mergeChanges`, reads its row again and
    /// keeps unsaved changes on top of the fresh values. A new object stays as it is.
    ///
    /// - Throws: any error of reading the store.
    public func refresh(_ object: ManagedObject, mergeChanges: Bool) throws(StoreError) {
        checkQueue()
        guard object.managedObjectContext === self, !object.isInserted else { return }
        if mergeChanges {
            try reload([object])
        } else {
            turnIntoFault(object)
        }
        pending.refreshed.append(object)
    }

    /// Turns every registered object without unsaved changes into a fault; those with changes keep them over fresh
    /// values.
    public func refreshAllObjects() throws(StoreError) {
        checkQueue()
        let objects = registry.objects().filter { !$0.isInserted }
        // What was read in advance has to be read again, and may no longer be related.
        prefetched.removeAll()
        for object in objects where !object.hasChanges { turnIntoFault(object) }
        try reload(objects.filter(\.hasChanges))
        pending.refreshed += objects
    }

    func turnIntoFault(_ object: ManagedObject) {
        relationshipsWillRevert(of: object)
        dropUnsavedLinks(of: object)
        forgetRelated(to: object)
        let shared = object.sharedRow
        if object.state.contains(.updated) { pending.updated.remove(object) }
        if object.state.contains(.deleted) { pending.deleted.remove(object) }
        object.state.subtract([.updated, .deleted, .isWritable, .isReported])
        let (page, row) = writableRow(object.page.source, key: object.row.key)
        // The object has no unsaved changes any more, and so its own row is the committed one.
        page.setOrigin(shared, of: row)
        object.leaveRow()
        object.adopt(page, row)
        object.state.insert([.isFault, .isHollow])
    }

    /// Reads the rows of `objects` again, all at once, from the cache where it has them and `anew` does not say
    /// otherwise; unsaved changes stay on top, objects without a row leave the context.
    ///
    /// Returns the objects that left.
    @discardableResult
    func reload(_ objects: [ManagedObject], anew: Bool = false) throws(StoreError) -> [ManagedObject] {
        if !objects.isEmpty { relationshipTable.forgetStored() }
        var gone: [ManagedObject] = []
        for (entity, objects) in objects.groups(by: \.entityIndex) {
            let rows =
                anew ? try readAnew(objects.map(\.row.key), of: entity) : try readThroughCache(objects, of: entity)
            for object in objects {
                if let fresh = rows[object.row.key] {
                    withExtendedLifetime(fresh) { adopt(fresh.reference, object) }
                } else {
                    forget(object)
                    gone.append(object)
                }
            }
        }
        return gone
    }

    /// Gives an object its fresh row, under its unsaved changes if it has any.
    private func adopt(_ fresh: RowReference, _ object: ManagedObject) {
        relationshipsWillMove(of: object, to: fresh)
        guard object.state.contains(.updated), let origin = object.committedRow else {
            adoptCommitted(fresh, object)
            object.state.subtract([.isFault, .isHollow, .isWritable])
            return
        }
        let mine = object.rowReference
        let unsaved = object.entity.layout.fields.filter { !RowPage.areEqual(origin, mine, $0) }
        let steady = steadyReferences(of: object, over: fresh)
        relationshipsWillRevert(of: object, keeping: steady)
        rebase(object, on: fresh, keeping: unsaved)
        relationshipsDidRebase(of: object, keeping: steady)
    }

    /// Puts an object's unsaved values of `fields` over a fresh row.
    func rebase(_ object: ManagedObject, on fresh: RowReference, keeping fields: [RowField]) {
        let mine = object.rowReference
        let values = fields.map { mine.value($0) }
        let (page, row) = writableRow(object.page.source, key: object.row.key)
        page.inheritRow(fresh, to: row)
        page.setOrigin(fresh, of: row)
        for (field, value) in zip(fields, values) { page.setValue(value, of: field, of: row) }
        object.adopt(page, row)
    }
}

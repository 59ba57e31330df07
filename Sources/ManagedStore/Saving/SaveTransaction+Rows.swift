/// The rows of a save: what the store is to write, and what becomes of the objects when it has.
extension SaveTransaction {
    /// Reads faults that are to be deleted: the save checks a deletion against the version that the context knows.
    func loadDeletedFaults() throws(StoreError) {
        let faults = context.pending.deleted.all.filter { $0.state.contains(.isHollow) }
        guard !faults.isEmpty else { return }
        try context.reload(Array(faults), anew: true)
    }

    mutating func collectRows() {
        var changes = ChangeSet(entities: .init(repeating: .init(), count: store.sources.count))
        changes.metadata = context.changedMetadata
        let (inserted, updated) = (context.pending.inserted, context.pending.updated.all)
        inserted.forEachUncounted { object in
            guard object.isInserted else { return }
            changes.entities[object.entityIndex].inserts.append(object.rowReference, makingRoomFor: inserted.count)
        }
        updated.forEachUncounted { object in
            changes.entities[object.entityIndex].updates.append(object.rowReference, makingRoomFor: updated.count)
        }
        for object in context.pending.deleted.all {
            guard let known = object.committedRow else { continue }
            changes.entities[object.entityIndex].deletes.append(known)
        }
        self.changes = changes
    }

    mutating func finishInserted() {
        var nextKeys = keys.firstKeys
        var keys = KeysByEntity(expectedCount: context.pending.inserted.count)
        context.pending.inserted.forEachUncounted { object in
            guard object.isInserted else { return }
            let entity = object.entityIndex
            if object.row.key < 0 {
                object.row.key = nextKeys[entity]
                nextKeys[entity] += 1
            }
            object.row.version = 1
            object.state.subtract([.inserted, .isWritable, .isReported, .wasReported])
            keys.append(object.row.key, of: entity)
        }
        registerSaved()
        message.insertedObjectIDs.insert(keys, store.sources)
    }

    /// Registers the saved objects under their permanent keys, except those that only the context holds: they are about
    /// to be released.
    private func registerSaved() {
        context.registry.withTables { tables in
            context.pending.inserted.withUnsafeMutableBufferPointer { inserted in
                for index in inserted.indices where !isKnownUniquelyReferenced(&inserted[index]) {
                    let object = inserted[index]
                    if !object.state.isDisjoint(with: [.isGone, .registered]) { continue }
                    object.state.insert(.registered)
                    tables[object.rootIndex].insert(object)
                }
            }
        }
    }

    mutating func finishUpdated() {
        let areCached = areRowsCached
        var (rewritten, heirs): ([ManagedObject], [ManagedObject]) = ([], [])
        var keys = KeysByEntity(expectedCount: context.pending.updated.count)
        context.pending.updated.all.forEachUncounted { object in
            object.unmanagedPage._withUnsafeGuaranteedRef { page in
                guard let origin = page.origin(of: object.row) else { return }
                let isChanged = RowPage.areDifferent(origin, object.rowReference, page.layout)
                object.row.version = isChanged ? RowVersion.next(origin.row.version) : origin.row.version
                // An object set back to its previous values was not saved, and its row may not be the newest.
                if isChanged, areCached { rewritten.append(object) }
                let base = page.base(of: object.row)
                page.setOrigin(base, of: object.row)
                if base != nil { heirs.append(object) }
            }
            object.state.subtract([.updated, .isWritable, .isReported])
            keys.append(object.row.key, of: object.entityIndex)
        }
        (self.rewritten, self.heirs) = (rewritten, heirs)
        message.updatedObjectIDs.insert(keys, store.sources)
    }

    mutating func finishDeleted() {
        let deleted = context.pending.deleted.all
        message.deletedObjectIDs = ObjectIDSet(deleted.lazy.map(\.objectID))
        for object in deleted { context.leave(object) }
    }

    /// Copies the inherited values of saved objects where they would keep alive far more than themselves.
    func releaseOrigins() {
        // The other objects have moved to rows in the cache.
        let heirs = heirs.filter { $0.page.isWritable }
        if heirs.isEmpty { return }
        var inherited = InheritedBytes()
        for heir in heirs {
            guard let count = heir.page.inheritedByteCount(of: heir.row), let origin = heir.page.origin(of: heir.row)
            else { continue }
            inherited.add(count, on: origin.page.takeUnretainedValue())
        }
        for heir in heirs {
            guard let origin = heir.page.origin(of: heir.row)?.page.takeUnretainedValue() else { continue }
            if !inherited.areWorthKeeping(origin, origin.keptByteCount) { heir.page.copyInheritedValues(of: heir.row) }
        }
    }
}

extension ContiguousArray<RowReference> {
    /// Appends a row, if it is the first one with room for `count` rows.
    @inline(__always) fileprivate mutating func append(_ row: RowReference, makingRoomFor count: Int) {
        if isEmpty { reserveCapacity(count) }
        append(row)
    }
}

import Foundation

/// Loading the values of objects, and making objects ready for changes.
extension ManagedObjectContext {
    /// Reads an object's row, from the cache if it holds the row. Returns false, and the object leaves the context, if
    /// there is no such row.
    func load(_ object: ManagedObject) throws(StoreError) -> Bool {
        checkQueue()
        if object.page.isBatch {
            let isThere = try FaultBatch(of: object, in: self).load()
            if isThere { object.state.remove(.isFault) } else { leave(object) }
            return isThere
        }
        let rows = try readThroughCache([object], of: object.entityIndex)
        guard let row = rows[object.row.key] else {
            leave(object)
            return false
        }
        adoptCommitted(row.reference, object)
        object.state.subtract([.isFault, .isHollow])
        if !object.state.contains(.registered) { registerInPlaceOfAnother(object) }
        return true
    }

    /// Registers an object whose row turned out to be of its entity, in place of an object of another entity with its
    /// key.
    private func registerInPlaceOfAnother(_ object: ManagedObject) {
        if let other = registry.object(object.rootIndex, object.row.key) { forget(other) }
        object.state.insert(.registered)
        registry.insert(object, object.rootIndex)
    }

    /// Prepares an object for a change: gives it a row of its own, and records that it changed. The object has checked
    /// the queue.
    func willChange(_ object: ManagedObject) {
        undoManager?.willChange(object)
        if object.isArenaFull || !object.state.contains(.isWritable) { moveToWritableRow(object) }
        if object.state.contains(.deleted) {
            // The save will carry out the deletion. Undoing the deletion drops the change.
        } else if !object.state.contains(.inserted), !object.state.contains(.updated) {
            object.state.insert(.updated)
            pending.updated.append(object)
        } else if !object.state.contains(.isReported) {
            pending.changedAgain.append(object)
        }
        object.state.insert([.isWritable, .isReported])
    }

    private func moveToWritableRow(_ object: ManagedObject) {
        writablePage(like: object)._withUnsafeGuaranteedRef { page in
            let row = page.appendHeir(of: object.rowReference)
            // An inserted row replaces no committed row. A row that is writable already keeps the committed row that it
            // replaced.
            guard object.state.isDisjoint(with: [.inserted, .isWritable]) else {
                page.setOrigin(object.committedRow, of: row)
                return object.adopt(page, row)
            }
            object.adopt(page, replacement: row)
        }
    }
}

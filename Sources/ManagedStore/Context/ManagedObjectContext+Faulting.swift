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
        guard let row = try readThroughCache(object) else {
            leave(object)
            return false
        }
        complete(object, row)
        return true
    }

    /// Reads the rows of different faults, all at once. One without a row stays as it is, and detects that when it is
    /// read itself.
    func load(all faults: [ManagedObject]) throws(StoreError) {
        for (entity, faults) in faults.groups(by: \.entityIndex) {
            let rows = try readThroughCache(faults, of: entity)
            for fault in faults {
                if let row = rows[fault.row.key] { complete(fault, row) }
            }
        }
    }

    /// Gives a fault its row.
    private func complete(_ fault: ManagedObject, _ row: RowSnapshot) {
        adoptCommitted(row.reference, fault)
        fault.state.subtract([.isFault, .isHollow])
        if !fault.state.contains(.registered) { registerInPlaceOfAnother(fault) }
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

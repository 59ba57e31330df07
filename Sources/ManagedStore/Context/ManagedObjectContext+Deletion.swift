/// Deleting objects.
extension ManagedObjectContext {
    /// Marks `object` to be deleted by the next save; one that was never saved just goes. Delete rules are followed at
    /// once.
    public func delete(_ object: ManagedObject) {
        checkQueue()
        withExtendedLifetime(cascades(object) ? readForDeletion(of: [object]) : []) { follow(object) }
    }

    /// Marks `objects` to be deleted by the next save, as ``delete(_:)`` does with one after the other.
    ///
    /// What their delete rules look at is read for all of them together: for each relationship of each level of a
    /// cascade a statement or a few, however many objects there are.
    public func delete<Objects: Sequence>(allOf objects: Objects) where Objects.Element: ManagedObject {
        checkQueue()
        let objects: [ManagedObject] = objects.map { $0 }
        withExtendedLifetime(readForDeletion(of: objects)) {
            for object in objects { follow(object) }
        }
    }

    /// Whether other objects may be deleted with an object.
    private func cascades(_ object: ManagedObject) -> Bool {
        !object.state.contains(.isGone) && isHome(of: object)
            && relationships(of: object).contains { $0.description.deleteRule == .cascade }
    }

    /// Returns what the deletion of objects looks at.
    private func readForDeletion(of objects: [ManagedObject]) -> [[ManagedObject]] {
        guard var reader = try? DeletionReader(self) else { return [] }
        // What it fails to read is read again while the rules are followed, and the context keeps the error then.
        try? reader.read(objects)
        return reader.found
    }

    /// Deletes an object and what its rules delete with it.
    private func follow(_ object: ManagedObject) {
        var objects = [object]
        while let next = objects.popLast() { objects += deleteAlone(next) }
    }

    /// Deletes one object; returns what is to be deleted with it.
    private func deleteAlone(_ object: ManagedObject) -> [ManagedObject] {
        guard belongsHere(object), !object.state.contains(.deleted) else { return [] }
        if undoManager != nil || !relationships(of: object).isEmpty {
            // One that the store no longer has needs no deletion; one that cannot be read cannot be deleted, and the
            // context keeps the error.
            if object.isFault { object.fireFault() }
            if !object.state.isDisjoint(with: [.isGone, .isHollow]) { return [] }
        }
        undoManager?.willDelete(object)
        guard !relationships(of: object).isEmpty else {
            markDeleted(object)
            return []
        }
        let wasUpdated = object.state.contains(.updated)
        // So that nothing tries to keep it in step with the others.
        object.state.insert(.deleted)
        let others = relationshipsWillEnd(of: object)
        object.state.remove(.deleted)
        if !wasUpdated, object.state.contains(.updated) {
            assertionFailure("\(object) was changed while it was deleted")
        }
        markDeleted(object)
        return others
    }

    private func markDeleted(_ object: ManagedObject) {
        if object.state.contains(.inserted) {
            if object.state.contains(.wasReported) { pending.discarded.append(object) }
            leave(object)
            pending.insertedGaps += 1
            return
        }
        if object.state.contains(.updated) {
            object.state.remove(.updated)
            pending.updated.remove(object)
        }
        object.state.insert(.deleted)
        pending.deleted.append(object)
    }

    /// Whether the object is part of this context. Traps when it is part of another.
    private func belongsHere(_ object: ManagedObject) -> Bool {
        guard let context = object.managedObjectContext else { return false }
        precondition(context === self, "\(object) belongs to \(context), not to \(self); pass its objectID instead")
        return true
    }

    /// Cuts an object off from the context.
    func leave(_ object: ManagedObject) {
        object.state.subtract(.pending)
        object.state.insert(.isGone)
        if object.state.contains(.registered) {
            registry.remove(object, object.rootIndex)
            object.state.remove(.registered)
        }
    }
}

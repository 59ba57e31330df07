/// Leaves values that must be unique to one object each, as a merge policy demands.
struct ConstraintSettlement {
    let context: ManagedObjectContext
    let type: MergePolicy.MergeType

    /// - Throws: any error of reading the stored objects.
    func settle(_ conflicts: [ConstraintConflict]) throws(StoreError) {
        context.checkQueue()
        for conflict in conflicts {
            // Settling an earlier conflict may have dropped some of the objects.
            var objects = conflict.conflictingObjectIDs.compactMap { context.registeredObject(for: $0) }
            objects.removeAll { !$0.isInserted && !$0.isUpdated }
            switch type {
            case .mergeByPropertyStoreTrump, .rollback: settleForStore(conflict, objects)
            case .error, .mergeByPropertyObjectTrump, .overwrite: try settleForContext(conflict, objects)
            }
        }
        context.pending.removeSettled()
        if type == .rollback { context.relationshipTable.forgetStored() }
    }

    /// The stored object keeps the values; without one, an object that was stored before keeps them, or else the first
    /// new one.
    private func settleForStore(_ conflict: ConstraintConflict, _ objects: [ManagedObject]) {
        let keeper = conflict.databaseObjectID == nil ? objects.first { !$0.isInserted } ?? objects.first : nil
        for object in objects where object !== keeper { withdraw(object, conflict) }
    }

    /// The last object keeps the values. A new object hands its values to the stored object and leaves the context; a
    /// changed object displaces the stored one.
    private func settleForContext(_ conflict: ConstraintConflict, _ objects: [ManagedObject]) throws(StoreError) {
        guard let winner = objects.last else { return }
        for object in objects.dropLast() { withdraw(object, conflict) }
        // Where the stored object is gone by now, its values are free: the next attempt of the save takes them.
        guard let id = conflict.databaseObjectID, let stored = try context.objectIfThere(id) else { return }
        if winner.isInserted {
            try handOver(winner, to: stored)
            context.delete(winner)
        } else {
            context.delete(stored)
        }
    }

    /// Takes the shared values from an object: a new one leaves the context, a changed one gets its previous values
    /// back.
    private func withdraw(_ object: ManagedObject, _ conflict: ConstraintConflict) {
        if object.isInserted { return context.delete(object) }
        guard let committed = object.committedRow else { return }
        if type == .rollback {
            context.relationshipsWillRevert(of: object)
            context.dropUnsavedLinks(of: object)
            context.revert(object)
        } else {
            for (attribute, field) in zip(object.entity.attributes, object.entity.layout.fields)
            where conflict.constraint.contains(attribute.name) {
                object.prepareForWritingIfNeeded()
                object.page.setValue(committed.value(field), of: field, of: object.row)
            }
        }
        context.pending.refreshed.append(object)
    }

    private func handOver(_ new: ManagedObject, to stored: ManagedObject) throws(StoreError) {
        for attribute in new.entity.attributes where stored.entity.attributesByName[attribute.name] != nil {
            let value = try new.storedValue(forKey: attribute.name)
            if value == .null, type != .overwrite { continue }
            try stored.setValue(value, forKey: attribute.name)
        }
        for relationship in context.relationships(of: new) { handOver(new, to: stored, relationship) }
    }

    /// Moves what the new object leads to over to the stored one, so that no delete rule affects it.
    private func handOver(_ new: ManagedObject, to stored: ManagedObject, _ relationship: ResolvedRelationship) {
        let others = context.related(to: new, by: relationship)
        guard !others.isEmpty,
            let own = context.relationships(of: stored).first(where: { $0.name == relationship.name })
        else { return }
        if own.isToMany {
            for other in others { context.addRelated(other, to: stored, by: own) }
        } else {
            context.setRelated(others, of: stored, by: own)
        }
    }
}

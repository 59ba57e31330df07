import Foundation

/// The effects of an object's deletion on its related objects.
extension ManagedObjectContext {
    /// Follows the delete rules of an object that is about to be deleted. Returns the objects to delete with it.
    func relationshipsWillEnd(of object: ManagedObject) -> [ManagedObject] {
        var cascade: [ManagedObject] = []
        for relationship in relationships(of: object) {
            switch relationship.description.deleteRule {
            case .noAction, .deny: continue
            case .nullify: detach(object, relationship)
            case .cascade:
                cascade += related(to: object, by: relationship).filter { !$0.isDeleted && $0 !== object }
                detach(object, relationship)
            }
        }
        return cascade
    }

    /// Takes an object out of the inverses of one relationship. The object's own end keeps its value for code that
    /// reads it before the save.
    private func detach(_ object: ManagedObject, _ relationship: ResolvedRelationship) {
        var saved: ObjectReference?
        if case .toOne(let position) = relationship.kind { saved = object.committedReference(at: position) }
        for other in related(to: object, by: relationship) where other === object || !other.isDeleted {
            guard let back = inverse(of: relationship, at: other) else { continue }
            if other === object {
                undoManager?.willChange(back, of: object)
                continue
            }
            switch back.kind {
            case .toOne: setToOne(nil, of: other, back)
            case .toMany:
                undoManager?.willChange(back, of: other)
                let slot = Slot(owner: ObjectReference(other), relationship: back.position)
                relationshipTable.remove(ObjectReference(object), from: slot, isStored: saved == slot.owner)
                noteChange(of: other)
            case .manyToMany: removeRelated(object, from: other, by: back)
            }
        }
    }

    /// Takes an object that comes back out of its own lists, which kept it while it was deleted.
    func leaveOwnLists(_ object: ManagedObject) {
        let own = ObjectReference(object)
        for (position, field, inverse) in invertedReferences(of: object)
        where field.reference(in: object.row) == own && isToMany(inverse, of: own) {
            let isStored = object.committedReference(at: position) == own
            relationshipTable.remove(own, from: Slot(owner: own, relationship: inverse), isStored: isStored)
        }
    }

    /// The to-one references in an object's row whose relationships have an inverse: each with its position among the
    /// fields of the row, its field, and the inverse.
    private func invertedReferences(
        of object: ManagedObject
    ) -> some Sequence<(position: Int, field: RowField, inverse: Int)> {
        let fields = object.page.layout.fields
        return relationships(of: object).lazy.compactMap { relationship in
            guard case .toOne(let position) = relationship.kind, let inverse = relationship.inverse else { return nil }
            return (position, fields[position], inverse)
        }
    }

    /// Reverts the inverses of an object's own unsaved to-one references, before the object drops these. A deleted
    /// object returns to its place in them. References at the positions `kept` stay as they are.
    func relationshipsWillRevert(of object: ManagedObject, keeping kept: Set<Int> = []) {
        guard let committed = object.committedRow, !model.graph.isEmpty, !object.state.contains(.isHollow) else {
            return
        }
        let wasDeleted = object.state.contains(.deleted)
        for (position, field, inverse) in invertedReferences(of: object) where !kept.contains(position) {
            let (old, new) = (field.reference(in: committed.row), field.reference(in: object.row))
            let own = ObjectReference(object)
            if let new, new != old, isToMany(inverse, of: new) {
                // No removal: the store may have come to hold the object there.
                relationshipTable.revert(own, in: Slot(owner: new, relationship: inverse))
            }
            guard let old, isToMany(inverse, of: old) else { continue }
            let slot = Slot(owner: old, relationship: inverse)
            if new != old || wasDeleted {
                relationshipTable.restore(own, to: slot)
            } else {
                relationshipTable.keepSaved(own, in: slot)
            }
        }
    }

    /// Drops an object's unsaved many-to-many links, at both ends, and the unsaved order of its lists.
    func dropUnsavedLinks(of object: ManagedObject) {
        guard !relationshipTable.isEmpty else { return }
        let own = ObjectReference(object)
        for relationship in relationships(of: object) where relationship.isToMany {
            let slot = Slot(owner: own, relationship: relationship.position)
            guard let related = relationshipTable[slot], related.isChanged else { continue }
            if relationship.isManyToMany, let inverse = relationship.inverse {
                for other in related.added + related.removed {
                    relationshipTable.revert(own, in: Slot(owner: other, relationship: inverse))
                }
            }
            relationshipTable.revert(slot, keepsMembers: !relationship.isManyToMany)
        }
    }

    /// Takes an object that the store no longer has out of the inverses of its to-one references, saved and unsaved.
    func relationshipsWillVanish(of object: ManagedObject) {
        guard let committed = object.committedRow, !relationshipTable.isEmpty, !object.state.contains(.isHollow) else {
            return
        }
        for (_, field, inverse) in invertedReferences(of: object) {
            for row in [committed.row, object.row] {
                guard let other = field.reference(in: row), isToMany(inverse, of: other) else { continue }
                relationshipTable.forget(ObjectReference(object), in: Slot(owner: other, relationship: inverse))
            }
        }
    }

    /// Has the inverses follow an object to where a fresh row leads, unless it has an unsaved reference of its own. One
    /// with an unsaved deletion leaves the old inverse, and does not reach the new one.
    func relationshipsWillMove(of object: ManagedObject, to fresh: RowReference) {
        guard !relationshipTable.isEmpty || object.isDeleted, !object.state.contains(.isHollow),
            let committed = object.committedRow
        else { return }
        let own = ObjectReference(object)
        for (_, field, inverse) in invertedReferences(of: object) {
            let (old, new) = (field.reference(in: committed.row), field.reference(in: fresh.row))
            guard old != new, object.isDeleted || field.reference(in: object.row) == old else { continue }
            if let old, isToMany(inverse, of: old) {
                // The object may have left and come back, which looks like an addition.
                relationshipTable.forget(own, in: Slot(owner: old, relationship: inverse))
            }
            if let new, isToMany(inverse, of: new) {
                let slot = Slot(owner: new, relationship: inverse)
                if object.isDeleted {
                    relationshipTable.remove(own, from: slot, isStored: true)
                } else {
                    relationshipTable.revert(own, in: slot)
                }
            }
        }
    }

    /// Returns the positions of the to-one references whose saved value is the same in a fresh row: neither end
    /// changes, and the object keeps its place in an order that is not saved yet.
    func steadyReferences(of object: ManagedObject, over fresh: RowReference) -> Set<Int> {
        guard let committed = object.committedRow, !model.graph.isEmpty else { return [] }
        var steady = Set<Int>()
        for (position, field, _) in invertedReferences(of: object) {
            if field.reference(in: fresh.row) == field.reference(in: committed.row) { steady.insert(position) }
        }
        return steady
    }

    /// Applies an object's own unsaved to-one references to the inverses again, after the object got a fresh row; but
    /// for those at the positions `kept`.
    func relationshipsDidRebase(of object: ManagedObject, keeping kept: Set<Int> = []) {
        guard let committed = object.committedRow, !model.graph.isEmpty else { return }
        let own = ObjectReference(object)
        for (position, field, inverse) in invertedReferences(of: object) where !kept.contains(position) {
            let (old, new) = (field.reference(in: committed.row), field.reference(in: object.row))
            if old == new { continue }
            if let old, isToMany(inverse, of: old) {
                relationshipTable.remove(own, from: Slot(owner: old, relationship: inverse), isStored: true)
            }
            if let new, isToMany(inverse, of: new) {
                relationshipTable.add(own, to: Slot(owner: new, relationship: inverse), isStored: false)
            }
        }
    }

    func isToMany(_ relationship: Int, of reference: ObjectReference) -> Bool {
        model.graph.relationships[Int(reference.entity)][relationship].isToMany
    }

    /// Forgets the members read for an object's to-many relationships, so that the context reads them again.
    func forgetRelated(to object: ManagedObject) {
        guard !relationshipTable.isEmpty else { return }
        for relationship in relationships(of: object) where relationship.isToMany {
            relationshipTable.forgetStored(Slot(owner: ObjectReference(object), relationship: relationship.position))
        }
    }
}

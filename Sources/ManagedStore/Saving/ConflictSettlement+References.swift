/// Targets that are gone.
extension ConflictSettlement {
    /// Reverts unsaved references and links to objects that no longer exist.
    func settleReferences(_ conflicts: [MergeConflict]) {
        guard !conflicts.isEmpty else { return }
        let gone = Set(conflicts.map { Place($0.objectID) })
        for conflict in conflicts {
            if let object = context.registeredObject(for: conflict.objectID), !object.isInserted { drop(object) }
        }
        dropLinks(to: gone)
        for object in context.pending.inserted.filter(\.isInserted) + context.pending.updated.all
        where object.isInserted || object.isUpdated {
            for relationship in context.relationships(of: object) {
                guard case .toOne(let position) = relationship.kind else { continue }
                guard let reference = object.reference(at: position), gone.contains(place(reference)),
                    object.isInserted || reference != object.committedReference(at: position)
                else { continue }
                if type.keepsUnsavedLinks {
                    context.setToOne(nil, of: object, relationship)
                } else {
                    withdraw(relationship, of: object)
                }
            }
        }
        for place in gone { forgetSlots(of: place) }
    }

    /// The identity of an object, independent of the entity of the hierarchy that a reference names.
    private struct Place: Hashable {
        let root: Int
        let key: Int64

        init(root: Int, key: Int64) {
            (self.root, self.key) = (root, key)
        }

        init(_ id: ManagedObjectID) {
            self.init(root: id.source.rootIndex, key: id.key)
        }
    }

    private func place(_ reference: ObjectReference) -> Place {
        Place(root: context.model.hierarchy.roots[Int(reference.entity)], key: reference.key)
    }

    private func dropLinks(to gone: Set<Place>) {
        for (slot, related) in context.relationshipTable.changes() {
            for other in related.added where gone.contains(place(other)) {
                context.relationshipTable.revert(other, in: slot)
            }
        }
    }

    private func forgetSlots(of place: Place) {
        for entity in context.model.hierarchy.families[place.root] {
            context.relationshipTable.forget(
                ObjectReference(entity: entity, key: place.key),
                relationships: context.model.graph.relationships[entity].count)
        }
    }
}

/// Deleted objects that others refer to.
extension ConflictSettlement {
    /// Applies the delete rules of deleted objects to the objects that refer to them by now. The next validation
    /// enforces the `deny` rules.
    func followDeleteRules(_ conflicts: [MergeConflict]) throws(StoreError) {
        for conflict in conflicts {
            guard let object = context.registeredObject(for: conflict.objectID), object.isDeleted else { continue }
            for relationship in context.relationships(of: object) {
                let rule = relationship.description.deleteRule
                guard rule == .nullify || rule == .cascade else { continue }
                for (other, back) in try referring(to: object, by: relationship) where isUsable(other) {
                    if rule == .cascade { context.delete(other) } else { context.setToOne(nil, of: other, back) }
                }
            }
            context.pending.refreshed.append(object)
        }
    }

    /// Returns the objects that refer to another one in the store, by the inverse of a relationship, with fresh values.
    private func referring(
        to object: ManagedObject, by relationship: ResolvedRelationship
    ) throws(StoreError) -> [(ManagedObject, ResolvedRelationship)] {
        if relationship.isManyToMany { return linked(to: object, by: relationship) }
        guard let inverse = relationship.inverse,
            case .toOne(let field) = context.model.graph.relationships[relationship.destination][inverse].kind
        else { return [] }
        let store = try context.requireStore()
        let source = store.sources[relationship.destination]
        let plan = FetchPlan(source: source, predicate: .in(field, [.objectID(object.objectID)]))
        let others = try store.keys(plan, .uncontrolled).ids(source, among: store.sources).map {
            context.object(with: $0)
        }
        try context.reload(others.filter { !$0.isInserted }, anew: true)
        return others.compactMap { other in
            guard let back = context.inverse(of: relationship, at: other), isUsable(other),
                other.reference(at: field) == ObjectReference(object)
            else { return nil }
            return (other, back)
        }
    }

    private func linked(
        to object: ManagedObject, by relationship: ResolvedRelationship
    ) -> [(ManagedObject, ResolvedRelationship)] {
        // Deleting an object deletes its links.
        if relationship.description.deleteRule == .nullify { return [] }
        context.relationshipTable.forgetStored(
            RelationshipTable.Slot(owner: ObjectReference(object), relationship: relationship.position))
        return context.related(to: object, by: relationship).compactMap { other in
            context.inverse(of: relationship, at: other).map { (other, $0) }
        }
    }
}

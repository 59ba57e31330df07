import Foundation

/// Settling conflicts over rows that a save does not change, but relies on.
extension ManagedObjectContext {
    // MARK: Targets that are gone

    /// Takes unsaved references and links to objects that are gone back.
    func settleReferences(_ conflicts: [MergeConflict], as type: MergePolicy.MergeType) {
        guard !conflicts.isEmpty else { return }
        let gone = Set(conflicts.map { Place($0.objectID) })
        for conflict in conflicts {
            if let object = registeredObject(for: conflict.objectID), !object.isInserted { drop(object) }
        }
        dropLinks(to: gone)
        for object in pending.inserted.filter(\.isInserted) + pending.updated.all
        where object.isInserted || object.isUpdated {
            for relationship in relationships(of: object) {
                guard case .toOne(let position) = relationship.kind else { continue }
                let field = object.page.layout.fields[position]
                guard let reference = field.reference(in: object.row), gone.contains(place(reference)),
                    object.isInserted || reference != committed(field, of: object)
                else { continue }
                if type.keepsUnsavedLinks {
                    setToOne(nil, of: object, relationship)
                } else {
                    withdrawReference(of: object, relationship)
                }
            }
        }
        for place in gone { forgetSlots(of: place) }
    }

    /// Where an object stands, whichever entity of the hierarchy it is thought to be of.
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
        Place(root: model.hierarchy.roots[Int(reference.entity)], key: reference.key)
    }

    private func dropLinks(to gone: Set<Place>) {
        for (slot, related) in relationshipTable.changes() {
            for other in related.added where gone.contains(place(other)) { relationshipTable.revert(other, in: slot) }
        }
    }

    private func forgetSlots(of place: Place) {
        for entity in model.hierarchy.families[place.root] {
            relationshipTable.forget(
                ObjectReference(entity: entity, key: place.key), relationships: model.graph.relationships[entity].count)
        }
    }

    /// What a reference of an object is in the store, as far as this context knows.
    func committed(_ field: RowField, of object: ManagedObject) -> ObjectReference? {
        object.isInserted ? nil : object.committedRow.flatMap { field.reference(in: $0.row) }
    }

    /// Gives a reference its saved value again, and the inverses theirs; of a one-to-one relationship, all those that
    /// were changed along with it: a partner that one gets back, another one loses.
    func withdrawReference(of object: ManagedObject, _ relationship: ResolvedRelationship) {
        var open = [(object, relationship)]
        while let (object, relationship) = open.popLast() {
            guard case .toOne(let position) = relationship.kind, isUsable(object) else { continue }
            let field = object.page.layout.fields[position]
            let new = field.reference(in: object.row)
            var old = committed(field, of: object)
            if old.flatMap(knownObject)?.isDeleted == true { old = nil }
            if old == new { continue }
            setReference(old, at: position, of: object)
            guard let inverse = relationship.inverse else { continue }
            if let new, isToMany(inverse, of: new) {
                relationshipTable.remove(ObjectReference(object), from: Slot(owner: new, relationship: inverse))
            }
            if let old, isToMany(inverse, of: old) {
                relationshipTable.restore(ObjectReference(object), to: Slot(owner: old, relationship: inverse))
            }
            for partner in [old, new].compactMap({ $0.flatMap(knownObject) }) {
                if let back = self.inverse(of: relationship, at: partner), !back.isToMany {
                    open.append((partner, back))
                }
            }
        }
    }

    /// Whether an object's references can be read without asking the store.
    func isUsable(_ object: ManagedObject) -> Bool {
        object.state.isDisjoint(with: [.isHollow, .isGone, .deleted])
    }

    // MARK: Deleted objects that others refer to

    /// Follows the rules of deleted objects for those that refer to them by now. Whether they deny it, the next
    /// validation finds.
    func followDeleteRules(_ conflicts: [MergeConflict]) throws(StoreError) {
        for conflict in conflicts {
            guard let object = registeredObject(for: conflict.objectID), object.isDeleted else { continue }
            for relationship in relationships(of: object) {
                let rule = relationship.description.deleteRule
                guard rule == .nullify || rule == .cascade else { continue }
                for (other, back) in try referring(to: object, by: relationship) where isUsable(other) {
                    if rule == .cascade { delete(other) } else { setToOne(nil, of: other, back) }
                }
            }
            pending.refreshed.append(object)
        }
    }

    /// The objects that the store has referring to another one by the inverse of a relationship, as they are now.
    private func referring(
        to object: ManagedObject, by relationship: ResolvedRelationship
    ) throws(StoreError) -> [(ManagedObject, ResolvedRelationship)] {
        if relationship.isManyToMany { return linked(to: object, by: relationship) }
        guard let inverse = relationship.inverse,
            case .toOne(let field) = model.graph.relationships[relationship.destination][inverse].kind
        else { return [] }
        let store = try requireStore()
        let source = store.sources[relationship.destination]
        let plan = FetchPlan(source: source, predicate: .in(field, [.objectID(object.objectID)]))
        let others = try store.keys(plan, FetchControl()).ids(source, among: store.sources).map {
            self.object(with: $0)
        }
        try reload(others.filter { !$0.isInserted }, anew: true)
        return others.compactMap { other in
            guard let back = self.inverse(of: relationship, at: other), isUsable(other),
                other.page.layout.fields[field].reference(in: other.row) == ObjectReference(object)
            else { return nil }
            return (other, back)
        }
    }

    private func linked(
        to object: ManagedObject, by relationship: ResolvedRelationship
    ) -> [(ManagedObject, ResolvedRelationship)] {
        // The links of a deleted object go with it.
        if relationship.description.deleteRule == .nullify { return [] }
        relationshipTable.forgetStored(Slot(owner: ObjectReference(object), relationship: relationship.position))
        return related(to: object, by: relationship).compactMap { other in
            inverse(of: relationship, at: other).map { (other, $0) }
        }
    }
}

/// Reverting unsaved references.
extension ConflictSettlement {
    /// Reverts a reference and its inverses to their saved values. In a one-to-one relationship, reverts all references
    /// that changed along with it: a partner that one object regains is one that another object loses.
    func withdraw(_ relationship: ResolvedRelationship, of object: ManagedObject) {
        var open = [(object, relationship)]
        while let (object, relationship) = open.popLast() {
            guard case .toOne(let position) = relationship.kind, isUsable(object) else { continue }
            let new = object.reference(at: position)
            var old = object.committedReference(at: position)
            if old.flatMap(context.knownObject)?.isDeleted == true { old = nil }
            if old == new { continue }
            context.setReference(old, at: position, of: object)
            guard let inverse = relationship.inverse else { continue }
            if let new, context.isToMany(inverse, of: new) {
                context.relationshipTable.revert(
                    ObjectReference(object), in: RelationshipTable.Slot(owner: new, relationship: inverse))
            }
            if let old, context.isToMany(inverse, of: old) {
                context.relationshipTable.restore(
                    ObjectReference(object), to: RelationshipTable.Slot(owner: old, relationship: inverse))
            }
            for partner in [old, new].compactMap({ $0.flatMap(context.knownObject) }) {
                if let back = context.inverse(of: relationship, at: partner), !back.isToMany {
                    open.append((partner, back))
                }
            }
        }
    }

    /// Whether an object's references can be read without a request to the store.
    func isUsable(_ object: ManagedObject) -> Bool {
        object.state.isDisjoint(with: [.isHollow, .isGone, .deleted])
    }
}

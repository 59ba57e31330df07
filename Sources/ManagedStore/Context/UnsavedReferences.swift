/// A context's unsaved references, and how to revert them.
struct UnsavedReferences {
    let context: ManagedObjectContext

    /// Returns the reference's value in the store, as far as the context knows it.
    func committed(_ field: RowField, of object: ManagedObject) -> ObjectReference? {
        object.isInserted ? nil : object.committedRow.flatMap { field.reference(in: $0.row) }
    }

    /// Reverts a reference and its inverses to their saved values. In a one-to-one relationship, reverts all references
    /// that changed along with it: a partner that one object regains is one that another object loses.
    func withdraw(of object: ManagedObject, _ relationship: ResolvedRelationship) {
        var open = [(object, relationship)]
        while let (object, relationship) = open.popLast() {
            guard case .toOne(let position) = relationship.kind, isUsable(object) else { continue }
            let field = object.page.layout.fields[position]
            let new = field.reference(in: object.row)
            var old = committed(field, of: object)
            if old.flatMap(context.knownObject)?.isDeleted == true { old = nil }
            if old == new { continue }
            context.setReference(old, at: position, of: object)
            guard let inverse = relationship.inverse else { continue }
            if let new, context.isToMany(inverse, of: new) {
                context.relationshipTable.remove(
                    ObjectReference(object), from: RelationshipTable.Slot(owner: new, relationship: inverse))
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

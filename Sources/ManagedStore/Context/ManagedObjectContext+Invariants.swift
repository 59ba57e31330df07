/// The invariants of a context's own structures between calls. For tests, on the context's queue.
extension ManagedObjectContext {
    /// Checks the tables of objects and of relationships, the cache, and every page that holds an object.
    func _checkInvariants() {
        registry._checkInvariants()
        relationshipTable._checkInvariants()
        checkLinks()
        rowCache._checkInvariants()
        var checked: Set<ObjectIdentifier> = []
        for object in registry.objects() where checked.insert(ObjectIdentifier(object.page)).inserted {
            object.page._checkInvariants()
        }
        for object in registry.objects() {
            object.page.checkHomes(of: object.row)
            if let row = object.committedRow { row.page.takeUnretainedValue().checkHomes(of: row.row) }
        }
    }

    /// Checks that the two ends of a link agree on what is unsaved.
    private func checkLinks() {
        for (slot, related) in relationshipTable.changes() {
            let relationship = model.graph.relationships[Int(slot.owner.entity)][slot.relationship]
            guard relationship.isManyToMany, let inverse = relationship.inverse else { continue }
            func other(_ member: ObjectReference) -> RelationshipTable.Related? {
                relationshipTable[Slot(owner: member, relationship: inverse)]
            }
            for member in related.linked {
                precondition(other(member)?.linked.contains(slot.owner) == true, "a link was added at one end")
            }
            for member in related.removed {
                precondition(other(member)?.removed.contains(slot.owner) == true, "a link was removed at one end")
            }
        }
    }
}

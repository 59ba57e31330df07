/// The invariants of the table between calls. For tests.
extension RelationshipTable {
    /// Checks every slot.
    func _checkInvariants() {
        for (slot, related) in slots {
            precondition(!related.isChanged || changed.contains(slot), "a changed slot is not among the changed ones")
            precondition(
                slot.owner.key >= 0 || changed.contains(slot), "a save would not find the slot of a new object")
            related.checkInvariants()
        }
    }
}

extension RelationshipTable.Related {
    fileprivate func checkInvariants() {
        let isAdded = Set(added)
        additions._checkInvariants()
        precondition(isAdded.isDisjoint(with: removed), "an object is added and removed")
        precondition(returned.isSubset(of: isAdded), "an object came back that is not added")
        precondition(isOrdered || returned.isEmpty, "an object came back where there is no order")
        if let storedSet {
            precondition(storedSet == Set(stored ?? []), "the set of stored objects differs from their list")
        }
        precondition(
            storedOrder.isEmpty || storedOrder.count == stored?.count, "the order's length differs from the list's")
        guard let arranged else { return }
        precondition(Set(arranged).count == arranged.count, "a list has an object twice")
        precondition(isAdded.isSubset(of: arranged), "a list lacks what was added")
        precondition(removed.isDisjoint(with: arranged), "a list has what was removed")
    }
}

/// What must hold of the table between calls. For tests.
extension RelationshipTable {
    /// Checks every slot.
    func _checkInvariants() {
        for (slot, related) in slots {
            precondition(!related.isChanged || changed.contains(slot), "a change will not be saved")
            related.checkInvariants()
        }
    }
}

extension RelationshipTable.Related {
    fileprivate func checkInvariants() {
        precondition(isAdded == Set(added) && isAdded.count == added.count, "what is added is counted wrongly")
        precondition(isAdded.isDisjoint(with: removed), "an object is added and removed")
        if let isStored { precondition(isStored == Set(stored ?? []), "what is stored is known wrongly") }
        precondition(storedOrder.isEmpty || storedOrder.count == stored?.count, "the order is of another list")
        guard let arranged else { return }
        precondition(Set(arranged).count == arranged.count, "a list has an object twice")
        precondition(isAdded.isSubset(of: arranged), "a list lacks what was added")
        precondition(removed.isDisjoint(with: arranged), "a list has what was removed")
    }
}

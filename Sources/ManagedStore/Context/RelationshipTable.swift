/// What a context knows of to-many relationships: the objects that the store has, where these were read, and what was
/// added and removed since.
///
/// By reference, not by object: nothing here keeps an object alive, and changes are remembered whether or not the
/// objects at either end are in memory.
struct RelationshipTable {
    /// One to-many relationship of one object.
    struct Slot: Hashable {
        let owner: ObjectReference
        /// The relationship's position among the owner's.
        let relationship: Int
    }

    /// The related objects of one slot.
    struct Related {
        /// As the store has them; nil if that was not read, or is not to be relied upon any more.
        private(set) var stored: [ObjectReference]?
        /// For an ordered relationship, the numbers that the store orders `stored` by.
        private(set) var storedOrder: [Int64] = []
        /// Those that are to be there, in the order in which they were added. Without `stored`, they may be there
        /// already.
        private(set) var added: [ObjectReference] = []
        /// Those that are not to be there.
        private(set) var removed: Set<ObjectReference> = []
        /// The whole list, where an order was set.
        private(set) var arranged: [ObjectReference]?
        /// As `added` and `stored`, which may be long.
        private(set) var isAdded: Set<ObjectReference> = []
        private(set) var isStored: Set<ObjectReference>?

        var isChanged: Bool { !added.isEmpty || !removed.isEmpty || arranged != nil }

        /// The objects as of now; nil if the store has to be asked first.
        var current: [ObjectReference]? {
            if let arranged { return arranged }
            guard let stored else { return nil }
            if !isChanged { return stored }
            return stored.filter { !removed.contains($0) && !isAdded.contains($0) } + added
        }

        fileprivate mutating func setStored(_ references: [ObjectReference]?, order: [Int64] = []) {
            (stored, storedOrder, isStored) = (references, order, nil)
        }

        fileprivate mutating func add(_ reference: ObjectReference) {
            if let arranged, !arranged.contains(reference) { self.arranged = arranged + [reference] }
            // What comes back comes back at the end.
            let wasRemoved = removed.remove(reference) != nil
            if wasRemoved || stored(reference) != true, isAdded.insert(reference).inserted { added.append(reference) }
        }

        /// Undoes a removal.
        fileprivate mutating func restore(_ reference: ObjectReference) {
            removed.remove(reference)
            if stored(reference) == false { add(reference) }
        }

        fileprivate mutating func remove(_ reference: ObjectReference) {
            arranged?.removeAll { $0 == reference }
            if isAdded.remove(reference) != nil { added.removeAll { $0 == reference } }
            if stored(reference) != false { removed.insert(reference) }
        }

        fileprivate mutating func arrange(_ references: [ObjectReference]) {
            arranged = references
        }

        /// Drops what is unsaved of one object.
        fileprivate mutating func revert(_ reference: ObjectReference) {
            if isAdded.remove(reference) != nil {
                added.removeAll { $0 == reference }
                arranged?.removeAll { $0 == reference }
            }
            if removed.remove(reference) != nil { arranged?.append(reference) }
        }

        /// Drops an order that was set, and what was added and removed too unless that follows from rows.
        fileprivate mutating func revert(keepsMembers: Bool) {
            arranged = nil
            if !keepsMembers { (added, removed, isAdded) = ([], [], []) }
        }

        /// Whether the store has the object; nil if that is not known.
        private mutating func stored(_ reference: ObjectReference) -> Bool? {
            guard let stored else { return nil }
            let isStored = isStored ?? Set(stored)
            self.isStored = isStored
            return isStored.contains(reference)
        }

        fileprivate mutating func rename(_ permanent: (ObjectReference) -> ObjectReference) {
            setStored(stored?.map(permanent), order: storedOrder)
            added = added.map(permanent)
            removed = Set(removed.map(permanent))
            arranged = arranged?.map(permanent)
            isAdded = Set(added)
        }

        fileprivate mutating func didSave(order: [Int64]?) {
            setStored(current, order: order ?? storedOrder)
            (added, removed, arranged, isAdded) = ([], [], nil, [])
        }
    }

    private(set) var slots: [Slot: Related] = [:]
    /// Those that are changed, at some time at least.
    private(set) var changed: Set<Slot> = []

    var isEmpty: Bool { slots.isEmpty }
    var hasChanges: Bool { changed.contains { slots[$0]?.isChanged == true } }

    subscript(slot: Slot) -> Related? { slots[slot] }

    /// Whether the object has changed slots.
    func isChanged(_ slot: Slot) -> Bool { slots[slot]?.isChanged == true }

    /// The changed slots.
    func changes() -> [(slot: Slot, related: Related)] {
        changed.compactMap { slot in slots[slot].flatMap { $0.isChanged ? (slot, $0) : nil } }
    }

    /// Takes in what the store has.
    mutating func load(_ stored: [ObjectReference], order: [Int64], into slot: Slot) {
        slots[slot, default: Related()].setStored(stored, order: order)
    }

    mutating func add(_ reference: ObjectReference, to slot: Slot) {
        slots[slot, default: Related()].add(reference)
        changed.insert(slot)
    }

    /// Undoes a removal.
    mutating func restore(_ reference: ObjectReference, to slot: Slot) {
        slots[slot, default: Related()].restore(reference)
        changed.insert(slot)
    }

    mutating func remove(_ reference: ObjectReference, from slot: Slot) {
        slots[slot, default: Related()].remove(reference)
        changed.insert(slot)
    }

    /// Sets the order of a slot, which has just these objects.
    mutating func arrange(_ references: [ObjectReference], in slot: Slot) {
        if slots[slot]?.current == references { return }
        slots[slot, default: Related()].arrange(references)
        changed.insert(slot)
    }

    /// Drops what is unsaved of one object in a slot.
    mutating func revert(_ reference: ObjectReference, in slot: Slot) {
        slots[slot]?.revert(reference)
    }

    /// Drops what is unsaved in a slot: all of it, or only the order.
    mutating func revert(_ slot: Slot, keepsMembers: Bool) {
        slots[slot]?.revert(keepsMembers: keepsMembers)
    }

    /// Forgets what the store had, so that it will be read again. What was added and removed stays.
    mutating func forgetStored() {
        slots = slots.filter { $1.isChanged }
        for slot in slots.keys { slots[slot]?.setStored(nil) }
    }

    /// Forgets what the store had in one slot.
    mutating func forgetStored(_ slot: Slot) {
        guard let related = slots[slot] else { return }
        if related.isChanged { slots[slot]?.setStored(nil) } else { slots[slot] = nil }
    }

    /// Forgets an object's slots altogether.
    mutating func forget(_ owner: ObjectReference, relationships: Int) {
        for relationship in 0..<relationships {
            let slot = Slot(owner: owner, relationship: relationship)
            slots[slot] = nil
            changed.remove(slot)
        }
    }

    mutating func removeAll() {
        self = RelationshipTable()
    }

    /// Gives objects their permanent keys.
    mutating func rename(_ permanent: (ObjectReference) -> ObjectReference) {
        var renamed: [Slot: Related] = [:]
        for (slot, var related) in slots {
            // Only what was changed can refer to something new.
            if changed.contains(slot) { related.rename(permanent) }
            renamed[Slot(owner: permanent(slot.owner), relationship: slot.relationship)] = related
        }
        changed = Set(
            changed.filter { slots[$0]?.isChanged == true }
                .map { Slot(owner: permanent($0.owner), relationship: $0.relationship) })
        slots = renamed
    }

    /// Takes what was changed as saved; `orders` are the numbers that lists were saved with. To be followed by
    /// ``rename(_:)``.
    mutating func didSave(orders: [Slot: [Int64]]) {
        for slot in changed { slots[slot]?.didSave(order: orders[slot]) }
    }
}

/// Changes that wait until the members of a relationship matter.
///
/// The reference in a member's row holds an unordered one-to-many relationship, and a save writes that row. A program
/// often never reads the members on the other side: it makes a hundred thousand items, each in its list, and saves
/// them. To enter each in the sets of its list would take more time than to set its reference.
extension RelationshipTable {
    /// An object that comes to an unordered one-to-many relationship, or leaves it.
    struct Note {
        let slot: Slot
        let reference: ObjectReference
        let isAddition: Bool
        /// Whether the store has the object there, as its row tells.
        let isStored: Bool
    }

    /// Noted changes in their order, in 24 bytes each: there may be many, and their array grows. What most of them
    /// have in common is kept once.
    struct Notes {
        private struct Kind: Equatable {
            let owner: Int32
            let relationship: Int
            let member: Int32
            let isAddition: Bool
            let isStored: Bool
        }

        private struct Element {
            let owner: Int64
            let member: Int64
            let kind: Int32
        }

        private var kinds: [Kind] = []
        private var elements: [Element] = []

        var isEmpty: Bool { elements.isEmpty }
        var count: Int { elements.count }

        mutating func append(_ note: Note) {
            let kind = Kind(
                owner: note.slot.owner.entity, relationship: note.slot.relationship, member: note.reference.entity,
                isAddition: note.isAddition, isStored: note.isStored)
            elements.append(
                Element(owner: note.slot.owner.key, member: note.reference.key, kind: Int32(index(of: kind))))
        }

        private mutating func index(of kind: Kind) -> Int {
            if let known = kinds.firstIndex(of: kind) { return known }
            kinds.append(kind)
            return kinds.count - 1
        }

        func forEach(_ body: (Note) -> Void) {
            for element in elements {
                let kind = kinds[Int(element.kind)]
                let owner = ObjectReference(entity: Int(kind.owner), key: element.owner)
                let member = ObjectReference(entity: Int(kind.member), key: element.member)
                body(
                    Note(
                        slot: Slot(owner: owner, relationship: kind.relationship), reference: member,
                        isAddition: kind.isAddition, isStored: kind.isStored))
            }
        }
    }

    /// Notes a change. More than `limit` notes are settled, since an object may come and go many times before a save.
    @inline(__always) mutating func note(_ change: Note, limit: Int) {
        notes.append(change)
        if notes.count > limit { settle() }
    }

    /// Makes the noted changes. Code that reads or changes the members of any relationship calls this first.
    @inline(__always) mutating func settle() {
        if !notes.isEmpty { settleNotes() }
    }

    /// Makes the noted changes if the members of a slot may be among them. Code that reads or changes those members
    /// calls this first.
    @inline(__always) mutating func settle(_ slot: Slot) {
        if !notes.isEmpty, relationships[Int(slot.owner.entity)][slot.relationship].isNoted { settleNotes() }
    }

    private mutating func settleNotes() {
        let noted = notes
        notes = Notes()
        noted.forEach { make($0) }
    }

    /// Makes the noted changes of slots that the table knows. The others are forgotten: the store has them now.
    mutating func settleSaved() {
        if notes.isEmpty { return }
        let noted = notes
        notes = Notes()
        if slots.isEmpty { return }
        noted.forEach { if slots[$0.slot] != nil { make($0) } }
    }

    private mutating func make(_ change: Note) {
        if change.isAddition {
            add(change.reference, to: change.slot, isStored: change.isStored)
        } else {
            remove(change.reference, from: change.slot, isStored: change.isStored)
        }
    }
}

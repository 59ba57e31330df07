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
    }

    /// Notes a change. More than `limit` notes are settled, since an object may come and go many times before a save.
    @inline(__always) mutating func note(_ change: Note, limit: Int) {
        notes.append(change)
        if notes.count > limit { settle() }
    }

    /// Makes the noted changes. Code that reads or changes the members of a relationship calls this first.
    @inline(__always) mutating func settle() {
        if !notes.isEmpty { settleNotes() }
    }

    private mutating func settleNotes() {
        let noted = notes
        notes = []
        for note in noted { make(note) }
    }

    /// Makes the noted changes of slots that the table knows. The others are forgotten: the store has them now.
    mutating func settleSaved() {
        if notes.isEmpty { return }
        let noted = notes
        notes = []
        if slots.isEmpty { return }
        for note in noted where slots[note.slot] != nil { make(note) }
    }

    private mutating func make(_ change: Note) {
        if change.isAddition {
            add(change.reference, to: change.slot)
        } else {
            remove(change.reference, from: change.slot)
        }
    }
}

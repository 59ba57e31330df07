/// A context's knowledge of to-many relationships: the store's members, where the context read them, and the objects
/// added and removed since.
///
/// The table holds references rather than objects: it keeps no object alive, and records changes whether or not the
/// objects at either end are in memory.
struct RelationshipTable {
    /// One to-many relationship of one object.
    struct Slot: Hashable {
        let owner: ObjectReference
        /// The relationship's position among those of the owner's entity.
        let relationship: Int

        /// Tells the relationship among those of all entities.
        var relationshipNumber: Int { Int(owner.entity) << 16 ^ relationship }

        func _rawHashValue(seed: Int) -> Int {
            QuickHash.value(of: UInt64(bitPattern: owner.key), relationshipNumber, seed: seed)
        }
    }

    /// The related objects of one slot. A class, so that they stay where they are while the table looks slots up, lists
    /// and renames them.
    ///
    /// What is added or removed is told apart from what the store has, so that changes that cancel out leave nothing
    /// to save: a removal that undoes an addition must not take away what another context adds meanwhile.
    ///
    /// Only the table changes it, with calls that call nothing back, so no two of its accesses overlap.
    final class Related {
        let isOrdered: Bool
        /// The store's members; nil if they were not read or are out of date.
        @exclusivity(unchecked) private(set) var stored: [ObjectReference]?
        /// The numbers that order `stored` in the store, for an ordered relationship.
        @exclusivity(unchecked) private(set) var storedOrder: [Int64] = []
        /// The added objects, in the order of their addition. If `stored` is nil, the store may have them already.
        var added: [ObjectReference] { additions.all }
        @exclusivity(unchecked) private(set) var additions = AddedReferences()
        /// Those added objects that the store has: they were removed, and came back at the end of the list.
        @exclusivity(unchecked) private(set) var returned: Set<ObjectReference> = []
        /// The removed objects.
        @exclusivity(unchecked) private(set) var removed: Set<ObjectReference> = []
        /// The whole list, if an order was set.
        @exclusivity(unchecked) private(set) var arranged: [ObjectReference]?
        /// Whether the store's members were forgotten since the order was set, which then has to be adapted to them.
        @exclusivity(unchecked) private var isOutdated = false
        /// The members of `stored` as a set, once one was needed.
        @exclusivity(unchecked) private(set) var storedSet: Set<ObjectReference>?
        /// Whether the table lists the slot among the changed ones.
        @exclusivity(unchecked) fileprivate var isListed = false

        fileprivate init(isOrdered: Bool) {
            self.isOrdered = isOrdered
        }

        /// The added objects that the store does not have, as far as the context knows.
        var linked: [ObjectReference] { returned.isEmpty ? added : added.filter { !returned.contains($0) } }

        /// The added objects that turned out to be the store's, and did not leave it since.
        fileprivate var storedAdditions: [ObjectReference] {
            additions.isEmpty ? [] : linked.filter { stored($0) == true }
        }

        var isChanged: Bool { !additions.isEmpty || !removed.isEmpty || arranged != nil }

        /// Whether nothing but new objects was added, which no store has yet.
        fileprivate var isExtended: Bool {
            removed.isEmpty && arranged == nil && !additions.isEmpty && added.allSatisfy { $0.key < 0 }
        }

        /// Whether the current members are known.
        var isKnown: Bool { stored != nil || arranged != nil && !isOutdated }

        /// The current members; nil if the store has to be asked first.
        var current: [ObjectReference]? {
            if isOutdated { return nil }
            if let arranged { return arranged }
            guard let stored else { return nil }
            if !isChanged { return stored }
            if isExtended { return stored + added }
            return stored.filter { !removed.contains($0) && !additions.contains($0) } + added
        }

        fileprivate func setStored(_ references: [ObjectReference]?, order: [Int64] = []) {
            dropChangesThatCancelOut()
            (stored, storedOrder, storedSet) = (references, order, nil)
            // What another context removed meanwhile has no place that could have changed.
            if stored != nil { for reference in returned where stored(reference) == false { revert(reference) } }
            guard let arranged else { return }
            isOutdated = references == nil
            if let references { self.arranged = adapted(arranged, to: references) }
        }

        /// Drops changes after which the list is the store's own again, in its order.
        private func dropChangesThatCancelOut() {
            if isChanged, removed.isEmpty, linked.isEmpty, stored != nil, current == stored {
                revert(keepsMembers: false)
            }
        }

        /// Returns an order without the members that the store no longer has, and with its new ones at the end.
        private func adapted(_ arranged: [ObjectReference], to stored: [ObjectReference]) -> [ObjectReference] {
            let (isStored, isArranged) = (Set(stored), Set(arranged))
            return arranged.filter { isStored.contains($0) || additions.contains($0) }
                + stored.filter { !isArranged.contains($0) && !removed.contains($0) }
        }

        /// Adds an object. `isStored` says whether the store has it according to the other end; nil if unknown. Where
        /// the ends disagree, one is out of date: then the addition is recorded.
        fileprivate func add(_ reference: ObjectReference, isStored: Bool?) {
            if arranged?.contains(reference) == false { arranged?.append(reference) }
            let wasRemoved = !removed.isEmpty && removed.remove(reference) != nil
            let own = stored(reference)
            if own ?? isStored == true, isStored ?? own == true {
                // A removed object that is added again goes to the end.
                guard wasRemoved, isOrdered else { return }
                returned.insert(reference)
            }
            if !additions.contains(reference) { additions.append(reference) }
        }

        /// Undoes a removal.
        fileprivate func restore(_ reference: ObjectReference) {
            if removed.remove(reference) != nil, arranged?.contains(reference) == false { arranged?.append(reference) }
            if stored(reference) == false { add(reference, isStored: nil) }
        }

        /// Removes an object. `isStored` says whether the store has it according to the other end; nil if unknown.
        /// Where the ends disagree, one is out of date: then the removal is recorded.
        fileprivate func remove(_ reference: ObjectReference, isStored: Bool?) {
            arranged?.removeAll { $0 == reference }
            let wasReturned = returned.contains(reference)
            dropAddition(of: reference)
            let own = stored(reference)
            if wasReturned || own ?? isStored != false || isStored == true { removed.insert(reference) }
        }

        fileprivate func arrange(_ references: [ObjectReference]) {
            (arranged, isOutdated) = (references, false)
        }

        /// Drops an object that the store no longer has.
        fileprivate func forget(_ reference: ObjectReference) {
            removed.remove(reference)
            arranged?.removeAll { $0 == reference }
            dropAddition(of: reference)
        }

        /// Returns whether the object had been added.
        @discardableResult fileprivate func dropAddition(of reference: ObjectReference) -> Bool {
            if !returned.isEmpty { returned.remove(reference) }
            return additions.remove(reference)
        }

        /// Whether the object was added or removed.
        func isPending(_ reference: ObjectReference) -> Bool {
            removed.contains(reference) || additions.contains(reference)
        }

        /// Drops the unsaved changes that concern one object.
        fileprivate func revert(_ reference: ObjectReference) {
            let wasReturned = returned.contains(reference) && stored(reference) != false
            if dropAddition(of: reference), !wasReturned { arranged?.removeAll { $0 == reference } }
            if removed.remove(reference) != nil { arranged?.append(reference) }
        }

        /// Drops an unsaved order; drops additions and removals as well unless these follow from rows.
        fileprivate func revert(keepsMembers: Bool) {
            (arranged, isOutdated) = (nil, false)
            if keepsMembers { return }
            additions.removeAll()
            (returned, removed) = ([], [])
        }

        /// Whether the store has the object; nil if unknown.
        func stored(_ reference: ObjectReference) -> Bool? {
            guard let stored else { return nil }
            let storedSet = storedSet ?? Set(stored)
            self.storedSet = storedSet
            return storedSet.contains(reference)
        }

        fileprivate func rename(_ permanent: (ObjectReference) -> ObjectReference) {
            (stored, storedSet) = (stored?.map(permanent), nil)
            additions.rename(permanent)
            if !removed.isEmpty { removed = Set(removed.map(permanent)) }
            if !returned.isEmpty { returned = Set(returned.map(permanent)) }
            arranged = arranged?.map(permanent)
        }

        fileprivate func didSave() {
            let saved = current
            let order = isOrdered ? savedNumbers(of: saved) : []
            revert(keepsMembers: false)
            setStored(saved, order: order)
        }
    }

    /// The relationships, by the entity's position and their own.
    let relationships: [[ResolvedRelationship]]
    private(set) var slots: [Slot: Related] = [:]
    /// The slots with many members that the last save did not read although it added some. If the next one does so
    /// again, it reads them: the store looks at all members for each last place.
    var lastAppended: Set<Slot> = []
    /// The changes that are not in `slots` yet.
    var notes = Notes()
    /// The slots that have changes, or had some, or belong to new objects: all that a save may have to rename.
    private(set) var changed: Set<Slot> = []

    init(_ relationships: [[ResolvedRelationship]]) {
        self.relationships = relationships
    }

    var isEmpty: Bool { slots.isEmpty && notes.isEmpty }

    subscript(slot: Slot) -> Related? {
        mutating get {
            settle(slot)
            return slots[slot]
        }
    }

    /// Whether the current members of a slot are known.
    func isKnown(_ slot: Slot) -> Bool { slots[slot]?.isKnown ?? false }

    /// Whether the slot has changes.
    mutating func isChanged(_ slot: Slot) -> Bool { self[slot]?.isChanged == true }

    /// The changed slots.
    mutating func changes() -> [(slot: Slot, related: Related)] {
        settle()
        return changesBesidesNotes()
    }

    /// The changed slots, without what is noted: that concerns no links and no orders.
    func changesBesidesNotes() -> [(slot: Slot, related: Related)] {
        changed.compactMap { slot in slots[slot].flatMap { $0.isChanged ? (slot, $0) : nil } }
    }

    /// Sets the store's members of a slot.
    mutating func load(_ stored: [ObjectReference], order: [Int64], into slot: Slot) {
        let related = related(in: slot)
        related.setStored(stored, order: order)
        if slot.owner.key < 0 { changed.insert(slot) }
        dropAdditions(of: related.storedAdditions, to: slot)
    }

    /// Drops additions of objects that were there already, at both ends.
    private mutating func dropAdditions(of references: [ObjectReference], to slot: Slot) {
        if references.isEmpty { return }
        let relationship = relationships[Int(slot.owner.entity)][slot.relationship]
        for reference in references {
            slots[slot]?.dropAddition(of: reference)
            guard relationship.isManyToMany, let inverse = relationship.inverse else { continue }
            slots[Slot(owner: reference, relationship: inverse)]?.dropAddition(of: slot.owner)
        }
    }

    /// Adds an object to a slot. `isStored` says whether the store has it there, as far as the other end tells; nil if
    /// it does not.
    mutating func add(_ reference: ObjectReference, to slot: Slot, isStored: Bool?) {
        change(slot) { $0.add(reference, isStored: isStored) }
    }

    /// Returns what the table knows of a slot, which may be nothing yet.
    private mutating func related(in slot: Slot) -> Related {
        func related(_ place: inout Related) -> Related { place }
        let relationships = relationships
        return related(
            &slots[
                slot,
                default: Related(
                    isOrdered: relationships[Int(slot.owner.entity)][slot.relationship].isOrdered)])
    }

    /// Changes a slot, and lists it once.
    @inline(__always) private mutating func change(_ slot: Slot, _ body: (Related) -> Void) {
        settle(slot)
        let related = related(in: slot)
        body(related)
        if !related.isListed { changed.insert(slot) }
        related.isListed = true
    }

    /// Undoes a removal.
    mutating func restore(_ reference: ObjectReference, to slot: Slot) {
        change(slot) { $0.restore(reference) }
    }

    /// Removes an object from a slot. `isStored` says whether the store has it there, as far as the other end tells;
    /// nil if it does not.
    mutating func remove(_ reference: ObjectReference, from slot: Slot, isStored: Bool?) {
        change(slot) { $0.remove(reference, isStored: isStored) }
    }

    /// Sets the order of a slot, whose members are exactly these objects.
    mutating func arrange(_ references: [ObjectReference], in slot: Slot) {
        if self[slot]?.current == references { return }
        change(slot) { $0.arrange(references) }
    }

    /// Drops an object that the store no longer has from a slot.
    mutating func forget(_ reference: ObjectReference, in slot: Slot) {
        settle(slot)
        slots[slot]?.forget(reference)
    }

    /// Has a saved member of a slot that left and came back count as one that stayed: it returns to its saved place.
    mutating func keepSaved(_ reference: ObjectReference, in slot: Slot) {
        settle(slot)
        if changed.contains(slot) { slots[slot]?.dropAddition(of: reference) }
    }

    /// Drops the unsaved changes that concern one object in a slot.
    mutating func revert(_ reference: ObjectReference, in slot: Slot) {
        settle(slot)
        slots[slot]?.revert(reference)
    }

    /// Drops the unsaved changes of a slot: all of them, or only the order.
    mutating func revert(_ slot: Slot, keepsMembers: Bool) {
        settle(slot)
        slots[slot]?.revert(keepsMembers: keepsMembers)
    }

    /// Forgets the store's members of all slots, so that the context reads them again. Additions and removals stay.
    mutating func forgetStored() {
        slots = slots.filter { $1.isChanged }
        for related in slots.values { related.setStored(nil) }
    }

    /// Forgets the store's members of one slot.
    mutating func forgetStored(_ slot: Slot) {
        guard let related = slots[slot] else { return }
        if related.isChanged { related.setStored(nil) } else { slots[slot] = nil }
    }

    /// Forgets all slots of an object.
    mutating func forget(_ owner: ObjectReference, relationships: Int) {
        settle()
        for relationship in 0..<relationships {
            let slot = Slot(owner: owner, relationship: relationship)
            slots[slot] = nil
            changed.remove(slot)
        }
    }

    mutating func removeAll() {
        self = RelationshipTable(relationships)
    }

    /// Replaces the objects' temporary keys by their permanent ones, where there may be any: only changed slots refer
    /// to new objects. A context may know many others, and saves often.
    ///
    /// - Parameter permanentKey: Returns the permanent key for a temporary one, or 0 if it has none.
    mutating func rename(_ permanentKey: (Int64) -> Int64) {
        func permanent(_ reference: ObjectReference) -> ObjectReference {
            let key = reference.key >= 0 ? 0 : permanentKey(reference.key)
            return key == 0 ? reference : ObjectReference(entity: Int(reference.entity), key: key)
        }
        settle()
        let concerned = changed
        changed = []
        for slot in concerned {
            guard let related = slots[slot] else { continue }
            if related.isListed { related.rename(permanent) }
            related.isListed = related.isListed && related.isChanged
            // Where the members were never read, a save leaves nothing to know.
            if related.stored == nil, !related.isChanged {
                slots[slot] = nil
                continue
            }
            let renamed = Slot(owner: permanent(slot.owner), relationship: slot.relationship)
            if related.isListed || renamed.owner.key < 0 { changed.insert(renamed) }
            if renamed == slot { continue }
            slots[slot] = nil
            slots[renamed] = related
        }
    }

    /// Marks all changes as saved. The caller calls ``rename(_:)`` next.
    mutating func didSave() {
        settleSaved()
        for slot in changed { slots[slot]?.didSave() }
    }
}

// MARK: - Numbers

extension RelationshipTable.Related {
    /// The members whose numbers a save has to write, with the numbers; none if the members are unknown.
    var changedNumbers: [(member: ObjectReference, number: Int64)] {
        guard let members = current else { return [] }
        if let appended = appendedToStored { return appended }
        let stored = storedNumbers
        return zip(members, Self.numbers(of: members, stored)).compactMap { member, number in
            stored[member] == number ? nil : (member, number)
        }
    }

    /// All members with their places, from 1 on; none if the members are unknown.
    var places: [(member: ObjectReference, number: Int64)] {
        zip(current ?? [], 1...).map { ($0, $1) }
    }

    /// Whether the members are unknown, and nothing but new objects was added to them: these come last.
    var isAppendedTo: Bool { stored == nil && isExtended }

    /// The numbers of the new objects after the last of the store's; nil if these come near the greatest number.
    func appendedNumbers(after last: Int64) -> [(member: ObjectReference, number: Int64)]? {
        let members = added
        guard last < .max - Int64(members.count) else { return nil }
        return zip(members, (last + 1)...).map { ($0, $1) }
    }

    /// The numbers of new objects at the end of a list whose other numbers stay; nil if more changed than that.
    private var appendedToStored: [(member: ObjectReference, number: Int64)]? {
        guard isExtended, let stored, storedOrder.count == stored.count, storedOrder.first ?? 1 > 0,
            zip(storedOrder, storedOrder.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        return appendedNumbers(after: storedOrder.last ?? 0)
    }

    /// The members' numbers after a save; none if the members are unknown.
    fileprivate func savedNumbers(of members: [ObjectReference]?) -> [Int64] {
        guard let members, isChanged else { return members == nil ? [] : storedOrder }
        if let appended = appendedToStored { return storedOrder + appended.map(\.number) }
        return Self.numbers(of: members, storedNumbers)
    }

    private var storedNumbers: [ObjectReference: Int64] {
        Dictionary(zip(stored ?? [], storedOrder), uniquingKeysWith: { first, _ in first })
    }

    /// Returns numbers that express the order. Numbers in ascending order already stay as they are, so that appending
    /// an object writes one number.
    private static func numbers(of members: [ObjectReference], _ stored: [ObjectReference: Int64]) -> [Int64] {
        var last: Int64 = 0
        var numbers: [Int64] = []
        numbers.reserveCapacity(members.count)
        for member in members {
            // If the largest possible number is in use, all members get new numbers.
            if last == .max { return members.indices.map { Int64($0) + 1 } }
            last = max(last + 1, stored[member] ?? 0)
            numbers.append(last)
        }
        return numbers
    }
}

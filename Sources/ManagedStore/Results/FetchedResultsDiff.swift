/// Computes the changes from one list of a controller to the next. O(k log k) for k touched objects,
/// besides the names of the sections.
///
/// Untouched objects have the same order in both lists, and move only if the name of their section changes. A touched
/// object may stay if it is still in its section and between the same untouched objects. As many of these as possible
/// stay. Objects with unchanged sort keys have priority: if two objects exchange places, the one with the new key
/// moves.
struct FetchedResultsDiff {
    /// A list, and the positions of its touched objects in ascending order.
    ///
    /// Touched objects are those that may have been inserted, deleted or moved.
    struct Side {
        let list: FetchedList
        let touched: [Int]

        /// The touched objects, each with its position and the number of untouched objects before it.
        var objects: [(object: ManagedObject, place: Place)] {
            touched.enumerated().map { rank, position in
                (list.objects[position], Place(index: position, untouchedBefore: position - rank))
            }
        }
    }

    /// The position of a touched object, and the number of untouched objects before it.
    struct Place {
        let index: Int
        let untouchedBefore: Int
    }

    private let old: Side
    private let new: Side
    /// Objects whose values changed.
    private let updated: Set<ManagedObject>
    /// Whether an object's sort keys are known to be unchanged.
    private let keepsKeys: (ManagedObject) -> Bool
    private var changes = FetchedResultsChangeSet()

    /// A touched object in both lists.
    private struct Survivor {
        let object: ManagedObject
        let oldIndex: Int
        let newIndex: Int
        /// Whether it is in the same section and between the same untouched objects as before.
        let mayStay: Bool
    }

    static func changes(
        from old: Side, to new: Side, updated: Set<ManagedObject>, keepsKeys: @escaping (ManagedObject) -> Bool
    ) -> FetchedResultsChangeSet {
        var diff = FetchedResultsDiff(old: old, new: new, updated: updated, keepsKeys: keepsKeys)
        diff.findSectionChanges()
        diff.findObjectChanges()
        return diff.changes
    }

    private init(
        old: Side, new: Side, updated: Set<ManagedObject>, keepsKeys: @escaping (ManagedObject) -> Bool
    ) {
        self.old = old
        self.new = new
        self.updated = updated
        self.keepsKeys = keepsKeys
    }

    private mutating func findObjectChanges() {
        var places = Dictionary(uniqueKeysWithValues: old.objects.map { ($0.object, $0.place) })
        var survivors: [Survivor] = []
        for (object, place) in new.objects {
            guard let before = places.removeValue(forKey: object) else {
                changes.inserts.append(change(object, from: nil, to: place.index))
                continue
            }
            let mayStay =
                before.untouchedBefore == place.untouchedBefore && isSameSection(before.index, place.index)
            survivors.append(
                Survivor(object: object, oldIndex: before.index, newIndex: place.index, mayStay: mayStay))
        }
        let renamed = survivorsInRenamedSections
        if !renamed.isEmpty { survivors = (survivors + renamed).sorted { $0.newIndex < $1.newIndex } }
        note(survivors)
        let gone = places.sorted { $0.value.index > $1.value.index }
        changes.deletes = gone.map { change($0.key, from: $0.value.index, to: nil) }
    }

    /// The untouched objects of sections whose names are gone. A section has the name of its first object, and an order
    /// may ignore the case of names: when the first object goes, the others are in a section of another name.
    private var survivorsInRenamedSections: [Survivor] {
        changes.deletedSections.flatMap { section in
            old.list.sections[section.index].range.compactMap { oldIndex in
                let touchedBefore = old.touched.partitionPoint { $0 >= oldIndex }
                if old.touched.dropFirst(touchedBefore).first == oldIndex { return nil }
                let untouchedBefore = oldIndex - touchedBefore
                let newIndex =
                    untouchedBefore
                    + new.touched.indices.partitionPoint { new.touched[$0] - $0 > untouchedBefore }
                return Survivor(
                    object: old.list.objects[oldIndex], oldIndex: oldIndex, newIndex: newIndex, mayStay: false)
            }
        }
    }

    private func isSameSection(_ oldIndex: Int, _ newIndex: Int) -> Bool {
        let oldName = old.list.sections[old.list.section(at: oldIndex)].name
        return oldName.utf8.elementsEqual(new.list.sections[new.list.section(at: newIndex)].name.utf8)
    }

    private mutating func note(_ survivors: [Survivor]) {
        let candidates = survivors.filter(\.mayStay)
        let members = candidates.map { survivor in
            // An object with unchanged keys outweighs all others together.
            IncreasingSubsequence.Member(
                position: survivor.oldIndex, weight: hasKeys(survivor.object) ? candidates.count + 1 : 1)
        }
        let staying = Set(IncreasingSubsequence.heaviest(members).map { candidates[$0].oldIndex })
        for survivor in survivors {
            note(
                change(survivor.object, from: survivor.oldIndex, to: survivor.newIndex),
                stays: staying.contains(survivor.oldIndex), isUpdated: updated.contains(survivor.object))
        }
    }

    private func hasKeys(_ object: ManagedObject) -> Bool { !updated.contains(object) || keepsKeys(object) }

    private mutating func note(_ change: FetchedResultsChangeSet.ObjectChange, stays: Bool, isUpdated: Bool) {
        if !stays && change.oldIndexPath != change.newIndexPath {
            changes.moves.append(change)
        } else if isUpdated || !stays {
            changes.updates.append(change)
        }
    }

    private func change(_ object: ManagedObject, from: Int?, to: Int?) -> FetchedResultsChangeSet.ObjectChange {
        FetchedResultsChangeSet.ObjectChange(
            objectID: object.objectID, oldIndexPath: from.map(old.list.indexPath),
            newIndexPath: to.map(new.list.indexPath))
    }

    /// Sections are distinguished by the bytes of their names, as objects are.
    private mutating func findSectionChanges() {
        let oldNames = old.list.sections.map { Array($0.name.utf8) }
        let newNames = new.list.sections.map { Array($0.name.utf8) }
        let (known, kept) = (Set(oldNames), Set(newNames))
        for (index, name) in oldNames.enumerated().reversed() where !kept.contains(name) {
            changes.deletedSections.append(.init(name: old.list.sections[index].name, index: index))
        }
        for (index, name) in newNames.enumerated() where !known.contains(name) {
            changes.insertedSections.append(.init(name: new.list.sections[index].name, index: index))
        }
    }
}

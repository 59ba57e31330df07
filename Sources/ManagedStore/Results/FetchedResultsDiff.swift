/// Computes the changes from one list of a controller to the next. O(n + k log k) for k touched objects.
///
/// Untouched objects have the same order in both lists. A touched object may stay if it is still in its section and
/// between the same untouched objects. As many of these as possible stay. Objects with unchanged sort keys have
/// priority: if two objects exchange places, the one with the new key moves.
struct FetchedResultsDiff<Object: ManagedObject> {
    private let old: FetchedList<Object>
    private let new: FetchedList<Object>
    /// Objects that may have been inserted, deleted or moved.
    private let touched: Set<ManagedObject>
    /// Objects whose values changed.
    private let updated: Set<ManagedObject>
    /// Whether an object's sort keys are known to be unchanged.
    private let keepsKeys: (ManagedObject) -> Bool
    private var changes = FetchedResultsChangeSet()

    /// The previous position of a touched object, and the number of untouched objects before it.
    private struct Place {
        let index: Int
        let untouchedBefore: Int
    }

    /// A touched object in both lists.
    private struct Survivor {
        let object: Object
        let oldIndex: Int
        let newIndex: Int
        /// Whether it is in the same section and between the same untouched objects as before.
        let mayStay: Bool
    }

    static func changes(
        from old: FetchedList<Object>, to new: FetchedList<Object>, touched: Set<ManagedObject>,
        updated: Set<ManagedObject>, keepsKeys: @escaping (ManagedObject) -> Bool
    ) -> FetchedResultsChangeSet {
        var diff = FetchedResultsDiff(
            old: old, new: new, touched: touched, updated: updated, keepsKeys: keepsKeys)
        diff.findObjectChanges()
        diff.findSectionChanges()
        return diff.changes
    }

    private init(
        old: FetchedList<Object>, new: FetchedList<Object>, touched: Set<ManagedObject>, updated: Set<ManagedObject>,
        keepsKeys: @escaping (ManagedObject) -> Bool
    ) {
        self.old = old
        self.new = new
        self.touched = touched
        self.updated = updated
        self.keepsKeys = keepsKeys
    }

    private mutating func findObjectChanges() {
        var places = oldPlaces()
        var survivors: [Survivor] = []
        var untouched = 0
        for (index, object) in new.objects.enumerated() {
            guard touched.contains(object) else {
                untouched += 1
                continue
            }
            guard let place = places.removeValue(forKey: object) else {
                changes.inserts.append(change(object, from: nil, to: index))
                continue
            }
            let mayStay = place.untouchedBefore == untouched && isSameSection(place.index, index)
            survivors.append(Survivor(object: object, oldIndex: place.index, newIndex: index, mayStay: mayStay))
        }
        note(survivors)
        let gone = places.sorted { $0.value.index > $1.value.index }
        changes.deletes = gone.map { change($0.key, from: $0.value.index, to: nil) }
    }

    private func oldPlaces() -> [ManagedObject: Place] {
        var places: [ManagedObject: Place] = [:]
        var untouched = 0
        for (index, object) in old.objects.enumerated() {
            if touched.contains(object) {
                places[object] = Place(index: index, untouchedBefore: untouched)
            } else {
                untouched += 1
            }
        }
        return places
    }

    private func isSameSection(_ oldIndex: Int, _ newIndex: Int) -> Bool {
        let oldName = old.sections[old.section(at: oldIndex)].name
        return oldName.utf8.elementsEqual(new.sections[new.section(at: newIndex)].name.utf8)
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

    private func hasKeys(_ object: Object) -> Bool { !updated.contains(object) || keepsKeys(object) }

    private mutating func note(_ change: FetchedResultsChangeSet.ObjectChange, stays: Bool, isUpdated: Bool) {
        if !stays && change.oldIndexPath != change.newIndexPath {
            changes.moves.append(change)
        } else if isUpdated || !stays {
            changes.updates.append(change)
        }
    }

    private func change(_ object: ManagedObject, from: Int?, to: Int?) -> FetchedResultsChangeSet.ObjectChange {
        FetchedResultsChangeSet.ObjectChange(
            objectID: object.objectID, oldIndexPath: from.map(old.indexPath), newIndexPath: to.map(new.indexPath))
    }

    /// Sections are distinguished by the bytes of their names, as objects are.
    private mutating func findSectionChanges() {
        let oldNames = old.sections.map { Array($0.name.utf8) }
        let newNames = new.sections.map { Array($0.name.utf8) }
        let (known, kept) = (Set(oldNames), Set(newNames))
        for (index, name) in oldNames.enumerated().reversed() where !kept.contains(name) {
            changes.deletedSections.append(.init(name: old.sections[index].name, index: index))
        }
        for (index, name) in newNames.enumerated() where !known.contains(name) {
            changes.insertedSections.append(.init(name: new.sections[index].name, index: index))
        }
    }
}

/// Finds what leads from one list of a controller to the next. O(n).
///
/// Objects that were not touched are in the same order in both lists; each touched one stays if it is still between the same of
/// those, in its section, and was moved otherwise.
struct FetchedResultsDiff<Object: ManagedObject> {
    private let old: FetchedList<Object>
    private let new: FetchedList<Object>
    /// Objects that may have come, gone or moved.
    private let touched: Set<ManagedObject>
    /// Objects whose values changed.
    private let updated: Set<ManagedObject>
    private var changes = FetchedResultsChangeSet()

    /// Where a touched object was, and how many untouched ones were before it.
    private struct Place {
        let index: Int
        let untouchedBefore: Int
    }

    static func changes(
        from old: FetchedList<Object>, to new: FetchedList<Object>, touched: Set<ManagedObject>,
        updated: Set<ManagedObject>
    ) -> FetchedResultsChangeSet {
        var diff = FetchedResultsDiff(old: old, new: new, touched: touched, updated: updated)
        diff.findObjectChanges()
        diff.findSectionChanges()
        return diff.changes
    }

    private init(
        old: FetchedList<Object>, new: FetchedList<Object>, touched: Set<ManagedObject>, updated: Set<ManagedObject>
    ) {
        self.old = old
        self.new = new
        self.touched = touched
        self.updated = updated
    }

    private mutating func findObjectChanges() {
        var places = oldPlaces()
        var untouched = 0
        var lastKept = -1
        for (index, object) in new.objects.enumerated() {
            guard touched.contains(object) else {
                untouched += 1
                continue
            }
            guard let place = places.removeValue(forKey: object) else {
                changes.inserts.append(change(object, from: nil, to: index))
                continue
            }
            let stays =
                place.untouchedBefore == untouched && place.index > lastKept && isSameSection(place.index, index)
            if stays { lastKept = place.index }
            note(change(object, from: place.index, to: index), stays: stays, isUpdated: updated.contains(object))
        }
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

    /// Sections are told apart by the bytes of their names, as objects are.
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

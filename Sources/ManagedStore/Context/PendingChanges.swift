import Foundation

/// A context's unsaved changes, held strongly.
///
/// Arrays rather than sets: each object's state records where it belongs, and a million changes must not cost a million
/// hashes.
struct PendingChanges {
    /// The inserted objects in the order of their temporary keys, so that the key leads to the object. Objects deleted
    /// or rolled back stay as gaps until the save, no longer marked as inserted.
    var inserted: ContiguousArray<ManagedObject> = []
    var updated = PendingObjects()
    var deleted = PendingObjects()
    /// The number of gaps in `inserted`.
    var insertedGaps = 0

    /// The number of objects in `inserted` that the last objects-did-change reported.
    var reportedInserted = 0
    /// Objects changed again after an objects-did-change reported them.
    var changedAgain: ContiguousArray<ManagedObject> = []
    /// Deleted objects that no save will delete, since the last objects-did-change: new ones that were reported, and
    /// ones that turned out to be deleted in the store.
    var discarded: [ManagedObject] = []
    /// New objects that were deleted and came back since the last objects-did-change.
    var reinserted: [ManagedObject] = []
    /// Objects refreshed or invalidated since the last objects-did-change.
    var refreshed: [ManagedObject] = []

    /// The first temporary key; later ones count down. No two contexts of a process share any.
    var temporaryKeyBase = TemporaryKeys.nextBase()

    var isEmpty: Bool {
        inserted.count == insertedGaps && updated.isEmpty && deleted.isEmpty
    }

    /// The temporary key of the object inserted next.
    var nextTemporaryKey: Int64 { temporaryKeyBase - Int64(inserted.count) }

    /// Returns the inserted object with a temporary key.
    func insertedObject(_ key: Int64) -> ManagedObject? {
        let index = Int(temporaryKeyBase - key)
        guard inserted.indices.contains(index), inserted[index].isInserted, inserted[index].row.key == key else {
            return nil
        }
        return inserted[index]
    }

    /// Removes all objects that are no longer marked as updated or deleted, in one pass.
    mutating func removeSettled() {
        updated.keep(where: \.isUpdated)
        deleted.keep(where: \.isDeleted)
    }

    /// Removes everything that was saved or rolled back. Keys already handed out are never used again.
    mutating func removeAll() {
        let base = nextTemporaryKey
        let (changedAgain, refreshed) = (changedAgain, refreshed)
        self = PendingChanges(temporaryKeyBase: base)
        (self.changedAgain, self.refreshed) = (changedAgain, refreshed)
    }
}

import Foundation

/// What a context has not saved yet, held strongly. Arrays rather than sets: each object's state says where it stands,
/// and a million changes must not mean a million hashes.
struct PendingChanges {
    /// In the order of their temporary keys, so that the key leads to the object. Those deleted or rolled back stay as
    /// gaps until the save, no longer marked as inserted.
    var inserted: ContiguousArray<ManagedObject> = []
    var updated = PendingObjects()
    var deleted = PendingObjects()
    /// How many of `inserted` are gaps.
    var insertedGaps = 0

    /// How many of `inserted` the last objects-did-change has told of.
    var reportedInserted = 0
    /// Changed again after they were reported.
    var changedAgain: ContiguousArray<ManagedObject> = []
    /// New objects that were reported and then deleted without having been saved, and objects that turned out to be
    /// deleted in the store, since the last objects-did-change.
    var discarded: [ManagedObject] = []
    /// New objects that were deleted and are back, since the last objects-did-change.
    var reinserted: [ManagedObject] = []
    /// Refreshed or invalidated since the last objects-did-change.
    var refreshed: [ManagedObject] = []

    /// Temporary keys begin here and go down; no two contexts of a process share any.
    var temporaryKeyBase = TemporaryKeys.nextBase()

    var isEmpty: Bool {
        inserted.count == insertedGaps && updated.isEmpty && deleted.isEmpty
    }

    /// The temporary key of the object inserted next.
    var nextTemporaryKey: Int64 { temporaryKeyBase - Int64(inserted.count) }

    /// The inserted object with a temporary key.
    func insertedObject(_ key: Int64) -> ManagedObject? {
        let index = Int(temporaryKeyBase - key)
        guard inserted.indices.contains(index), inserted[index].isInserted, inserted[index].row.key == key else {
            return nil
        }
        return inserted[index]
    }

    /// Forgets all objects that are no longer marked as updated or deleted, in one go.
    mutating func removeSettled() {
        updated.keep(where: \.isUpdated)
        deleted.keep(where: \.isDeleted)
    }

    /// Forgets everything that was saved or rolled back. Keys given out are never used again.
    mutating func removeAll() {
        let base = nextTemporaryKey
        let (changedAgain, refreshed) = (changedAgain, refreshed)
        self = PendingChanges(temporaryKeyBase: base)
        (self.changedAgain, self.refreshed) = (changedAgain, refreshed)
    }
}

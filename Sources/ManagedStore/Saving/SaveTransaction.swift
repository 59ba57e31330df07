import Foundation

/// One save of a context: its steps, and what a step finds out for later ones.
///
/// A copy would cost a small save more than some of its steps.
struct SaveTransaction: ~Copyable {
    let context: ManagedObjectContext
    /// The store, or the parent context as one.
    let store: any PersistentStore
    /// The moment before the first step that reads.
    private(set) var began = RowCache.Moment()
    /// How often the merge policy has settled conflicts.
    var settlements = 0
    var changes = ChangeSet(entities: [])
    /// What the store answered.
    private(set) var keys = PermanentKeys()
    private(set) var committed = RowCache.Moment()
    /// What other contexts are told.
    var message: ContextDidSave
    /// The objects whose saved rows go to the row cache, if they are few.
    var rewritten: [ManagedObject] = []
    /// The objects whose rows still inherit values.
    var heirs: [ManagedObject] = []

    init(of context: ManagedObjectContext, to store: any PersistentStore) {
        (self.context, self.store) = (context, store)
        message = ContextDidSave(context: context)
    }

    mutating func run() throws(StoreError) {
        announce()
        repeat {
            context.processPendingChanges()
            // Errors kept while changes were made, reported or settled mean that the changes may be incomplete.
            try context.checkReadingError()
            // Everything that reads runs before the commit: a save that is done must not throw.
            try context.throwingKeptErrors { () throws(StoreError) in
                try loadDeletedFaults()
                try validate()
                dropDerivedValues()
                try checkArchivedValues()
                collectRows()
                collectLinksAndOrders()
            }
        } while try !commit()
        finishRelationships()
        finishInserted()
        finishUpdated()
        finishDeleted()
        cacheRows()
        releaseOrigins()
        noteSideEffects()
        let deleted = forgetChanges()
        message.post(deleted: deleted)
    }

    private mutating func announce() {
        NotificationCenter.default.post(name: ManagedObjectContext.willSaveObjectsNotification, object: context)
        began = context.rowCache.now()
    }

    /// Has the store write all changes or none. Returns false if conflicts were settled instead: that changes objects.
    private mutating func commit() throws(StoreError) -> Bool {
        do throws(StoreError) {
            keys = try store.commit(changes)
        } catch {
            try settle(error)
            return false
        }
        if changes.metadata != nil { context.persistentStoreCoordinator.didSave(metadata: changes.metadata) }
        committed = context.rowCache.now()
        return true
    }

    /// Tells other contexts what the store changed besides.
    private mutating func noteSideEffects() {
        context.rowCache.forget(keys.sideEffects)
        message.note(keys.sideEffects, store.sources)
    }

    /// Lets go of the saved objects: nothing is unsaved any more. Returns the deleted ones.
    private mutating func forgetChanges() -> ContiguousArray<ManagedObject> {
        let deleted = context.pending.deleted.all
        (rewritten, heirs) = ([], [])
        context.pending.removeAll()
        context.noteChangedKeys(ObjectIDChanges(message))
        return deleted
    }
}

extension ManagedObjectContext {
    /// Saves all unsaved changes, or none of them.
    ///
    /// - Throws: `StoreError`: a validation code that names every object that is not valid; `mergeConflict` if rows in
    ///   the store changed since they were read and the ``mergePolicy`` does not settle it; `busy`, `diskFull` or
    ///   `storeFailure` from the store; the ``readingError`` that a property met, if there is one. After an error the
    ///   context keeps its changes and can be saved again.
    public func save() throws(StoreError) {
        checkQueue()
        guard hasChanges else {
            // New objects that were deleted again are still to be let go.
            if pending.insertedGaps > 0 { processPendingChanges() }
            return
        }
        // A change that could not be made is none that was saved.
        try checkReadingError()
        var transaction = SaveTransaction(of: self, to: try requireStore())
        try transaction.run()
    }
}

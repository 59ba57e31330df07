import Foundation
import ManagedStore
import Testing

/// When an object shows what the row cache has, and when what the store has.
@Suite struct StalenessTests {
    /// A context with one item, which a batch update has named "new" since.
    private func updatedBehindTheContext(_ backend: Backend) throws -> (TestStore, ManagedObjectContext, Item) {
        let (store, context, item) = try contextWithItem(backend)
        _ = try context.execute(BatchUpdateRequest(Item.self, set: ["name": "new"]))
        return (store, context, item)
    }

    /// A context with one item, which another process has named "theirs" since.
    private func changedByAnotherProcess() throws -> (TestStore, ManagedObjectContext, Item) {
        let (store, context, item) = try contextWithItem(.sqlite)
        try OtherWriter.database.change(item.objectID, in: store)
        return (store, context, item)
    }

    private func contextWithItem(_ backend: Backend) throws -> (TestStore, ManagedObjectContext, Item) {
        let store = try TestStore(backend)
        try store.seed(1)
        let context = store.context()
        let item = try context.items()[0]
        #expect(item.name == "Item 0")
        return (store, context, item)
    }

    @Test func cachedRowsDoNotExpireUnlessAsked() throws {
        #expect(try TestStore().context().stalenessInterval == -1)
    }

    @Test(arguments: Backend.allCases) func anObjectStaysAsItWasAfterABatchUpdate(_ backend: Backend) throws {
        let (_, _, item) = try updatedBehindTheContext(backend)
        #expect(item.name == "Item 0" && !item.hasChanges)
    }

    /// Where the row that the context knows comes from.
    enum Origin: CaseIterable {
        case fetched
        case inserted
        case insertedAndFetched
        case saved
        case savedWithManyOthers
        case heldByAnotherContextToo
    }

    private func item(_ origin: Origin, _ backend: Backend) throws -> (ManagedObjectContext, Item, held: [Item]) {
        let store = try TestStore(backend)
        var (context, items) = try store.contextWithItems(origin == .savedWithManyOthers ? 5_000 : 2)
        switch origin {
        case .inserted, .savedWithManyOthers: return (context, items[0], items)
        case .insertedAndFetched: return (context, try context.items()[0], items)
        case .saved:
            items[0].done = true
            try context.save()
            return (context, items[0], items)
        case .fetched, .heldByAnotherContextToo:
            if origin == .fetched { items = [] }
            context = store.context()
            let item = try context.items()[0]
            #expect(!item.name.isEmpty)
            return (context, item, items)
        }
    }

    @Test(arguments: Backend.allCases, Origin.allCases)
    func refreshingAfterABatchUpdateShowsTheNewValue(_ backend: Backend, _ origin: Origin) throws {
        for merges in [false, true] {
            let (context, item, held) = try item(origin, backend)
            _ = try context.execute(BatchUpdateRequest(Item.self, set: ["name": "new"]))
            #expect(item.name == "Item 0" && !item.isFault)
            try context.refresh(item, mergeChanges: merges)
            #expect(item.isFault != merges && item.name == "new")
            withExtendedLifetime(held) {}
        }
    }

    @Test(arguments: Backend.allCases) func aBatchUpdateThatFindsNothingForgetsNothing(_ backend: Backend) throws {
        let (store, context, item) = try contextWithItem(backend)
        _ = try context.execute(
            BatchUpdateRequest(Item.self, set: ["name": "new"], predicate: .compare("name", .equal, "nothing")))
        store.coordinator.resetStatistics()
        try context.refresh(item, mergeChanges: false)
        #expect(item.name == "Item 0" && store.coordinator.statistics.rows == 0)
    }

    @Test(arguments: [false, true]) func refreshingAloneMayShowTheCachedRow(_ merges: Bool) throws {
        let (_, context, item) = try changedByAnotherProcess()
        for _ in 0..<3 {
            try context.refresh(item, mergeChanges: merges)
            #expect(item.isFault != merges)
            #expect(item.name == "Item 0")
        }
        try context.refreshAllObjects()
        #expect(item.isFault && item.name == "Item 0")
    }

    @Test(arguments: Backend.allCases) func fetchingAloneLeavesTheObjectAsItWas(_ backend: Backend) throws {
        let (_, context, item) = try updatedBehindTheContext(backend)
        #expect(try context.items() == [item])
        #expect(item.name == "Item 0")
    }

    @Test func aFaultShowsWhatAnotherProcessSavedOnceItsRowIsFetched() throws {
        let (_, context, item) = try changedByAnotherProcess()
        try context.refresh(item, mergeChanges: false)
        #expect(try context.items() == [item])
        #expect(item.name == "theirs")
    }

    @Test(arguments: Backend.allCases) func aFaultWhoseRowIsFetchedShowsTheNewValue(_ backend: Backend) throws {
        let (_, context, item) = try updatedBehindTheContext(backend)
        try context.refresh(item, mergeChanges: false)
        #expect(try context.items() == [item])
        #expect(item.name == "new")
    }

    @Test(arguments: Backend.allCases) func whatAnotherContextFetchesRenewsTheCache(_ backend: Backend) throws {
        let (store, context, item) = try updatedBehindTheContext(backend)
        let other = store.context()
        let theirs = try other.items()
        try context.refresh(item, mergeChanges: false)
        store.coordinator.resetStatistics()
        #expect(item.name == "new" && theirs.count == 1)
        #expect(store.coordinator.statistics.rows == 0)
    }

    @Test(arguments: Backend.allCases) func whatWasFetchedAndForgottenIsNotUndone(_ backend: Backend) throws {
        let (store, context, item) = try updatedBehindTheContext(backend)
        #expect(try store.context().items().count == 1)
        try context.refresh(item, mergeChanges: false)
        #expect(item.name == "new")
    }

    @Test(arguments: Backend.allCases) func aRequestMayRefreshWhatItFinds(_ backend: Backend) throws {
        let (_, context, item) = try updatedBehindTheContext(backend)
        var request = FetchRequest(Item.self)
        request.shouldRefreshRefetchedObjects = true
        #expect(try context.fetch(request) == [item])
        #expect(item.name == "new")
    }

    @Test(arguments: Backend.allCases, [false, true])
    func refreshingWithStalenessZeroShowsTheNewValue(_ backend: Backend, _ merges: Bool) throws {
        let (_, context, item) = try updatedBehindTheContext(backend)
        context.stalenessInterval = 0
        try context.refresh(item, mergeChanges: merges)
        #expect(item.name == "new")
    }

    @Test func anIntervalLetsRowsExpire() throws {
        let (_, context, item) = try changedByAnotherProcess()
        context.stalenessInterval = 1_000
        try context.refresh(item, mergeChanges: false)
        #expect(item.name == "Item 0")
        context.stalenessInterval = 0.01
        usleep(20_000)
        try context.refresh(item, mergeChanges: false)
        #expect(item.name == "theirs")
    }

    @Test(arguments: Backend.allCases) func savingStaleValuesIsAConflict(_ backend: Backend) throws {
        let (_, context, item) = try updatedBehindTheContext(backend)
        item.done = true
        expectError(.mergeConflict) { try context.save() }
    }

    @Test(arguments: Backend.allCases) func aFaultIsFilledFromWhatAnotherContextHolds(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(3)
        let other = store.context()
        store.coordinator.resetStatistics()
        let theirs = try items.map { try other.item($0.objectID) }
        #expect(theirs.map(\.name) == items.map(\.name))
        #expect(store.coordinator.statistics.rows == 0)
        theirs[1].name = "theirs"
        other.rollback()
        #expect(theirs.map(\.name) == items.map(\.name) && theirs[1].managedObjectContext === other)
        theirs[2].name = "theirs"
        try other.save()
        #expect(items[2].name == "Item 2")
        try context.refresh(items[2], mergeChanges: true)
        #expect(items[2].name == "theirs")
    }

    @Test(arguments: Backend.allCases) func aMergeFindsTheSavedRowsInTheCache(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(10)
        items[0].done = true
        let other = store.context()
        for item in try other.items() { item.name = "theirs" }
        let recorder = NotificationRecorder(ManagedObjectContext.didSaveObjectsNotification, from: other)
        try other.save()
        let message = try #require(recorder.notifications.first.flatMap { ContextDidSave($0) })
        store.coordinator.resetStatistics()
        try context.mergeChanges(fromContextDidSave: message)
        #expect(items.allSatisfy { $0.name == "theirs" } && items[0].done)
        #expect(store.coordinator.statistics.rows == 0)
        try context.save()
        #expect(try store.context().items().map(\.done) == [true] + Array(repeating: false, count: 9))
    }

    @Test(arguments: Backend.allCases) func aDeletedObjectIsNotFoundInTheCache(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(1)
        try context.refresh(items[0], mergeChanges: false)
        try OtherWriter.context.delete(items[0].objectID, in: store)
        expectError(.objectNotFound) { try context.existingObject(with: items[0].objectID) }
    }

    @Test func whatAnotherStoreHadIsForgotten() throws {
        let store = try TestStore(.inMemory)
        let (context, items) = try store.contextWithItems(1)
        try store.coordinator.removePersistentStore()
        try store.coordinator.addPersistentStore(.inMemory)
        try store.seed(1)
        let first = try #require(try store.context().fetchObjectIDs(FetchRequest(Item.self)).first)
        #expect(try store.context().item(first).name == "Item 0")
        #expect(first != items[0].objectID)
        withExtendedLifetime(context) {}
    }

    @Test(arguments: Backend.allCases) func aConflictWithTheCacheShowsTheCachedRow(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(3)
        let other = store.context()
        let theirs = try other.item(items[0].objectID)
        theirs.name = "theirs"
        try other.save()
        try OtherWriter.context.change(items[1].objectID, in: store)
        try OtherWriter.context.delete(items[2].objectID, in: store)
        for item in items { item.name = "mine" }
        let error = expectError(.mergeConflict) { try context.save() }
        let conflicts = Dictionary(uniqueKeysWithValues: error?.conflicts.map { ($0.objectID, $0) } ?? [])
        for item in items.prefix(2) {
            let conflict = try #require(conflicts[item.objectID])
            #expect(conflict.objectSnapshot?["name"] == .string("mine"))
            #expect(conflict.cachedSnapshot?["name"] == .string("theirs"))
            #expect(conflict.persistedSnapshot == nil)
            #expect(conflict.oldVersion == 1 && conflict.newVersion == 2)
        }
        let deleted = try #require(conflicts[items[2].objectID])
        #expect(deleted.cachedSnapshot == nil && deleted.persistedSnapshot == nil && deleted.newVersion == 0)
    }

    @Test func whatAnotherProcessDeletedIsStillCached() throws {
        let store = try TestStore()
        let (context, items) = try store.contextWithItems(1)
        try context.refresh(items[0], mergeChanges: false)
        try OtherWriter.database.delete(items[0].objectID, in: store)
        #expect(items[0].name == "Item 0")
    }

    @Test(arguments: Backend.allCases) func whatABatchRequestDeletedIsNotFoundInTheCache(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(1)
        try context.refresh(items[0], mergeChanges: false)
        try OtherWriter.batch.delete(items[0].objectID, in: store)
        expectError(.objectNotFound) { try context.existingObject(with: items[0].objectID) }
    }
}

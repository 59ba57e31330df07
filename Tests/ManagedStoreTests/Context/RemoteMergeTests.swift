import Foundation
import Locking
import ManagedStore
import TestSupport
import Testing

/// Merging what no did-save tells of.
@Suite struct RemoteMergeTests {
    private typealias Key = ManagedObjectContext.NotificationKey

    @Test(arguments: Backend.allCases) func mergingWhatABatchUpdateChangedShowsTheNewValues(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(3)
        items[1].done = true
        try context.refresh(items[2], mergeChanges: false)
        var request = BatchUpdateRequest(Item.self, set: ["name": "new"])
        request.resultType = .updatedObjectIDs
        guard case .updatedObjectIDs(let ids) = try context.execute(request) else {
            Issue.record("no IDs")
            return
        }
        try ManagedObjectContext.mergeChanges(ObjectIDChanges(updated: ObjectIDSet(ids)), into: [context])
        #expect(items.map(\.name) == ["new", "new", "new"] && items.map(\.done) == [false, true, false])
        try context.save()
        #expect(try store.context().items().map(\.done) == [false, true, false])
    }

    @Test(arguments: Backend.allCases) func objectsThatABatchDeletedLeave(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(2)
        try OtherWriter.batch.delete(items[0].objectID, in: store)
        try ManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [Key.deleted: [items[0].objectID]], into: [context])
        #expect(items[0].managedObjectContext == nil && items[1].managedObjectContext === context)
    }

    /// Every form in which Core Data takes IDs.
    @Test(arguments: [Key.updated, Key.updatedObjectIDs, Key.refreshed, Key.refreshedObjectIDs], 0..<5)
    func idsAndURIsAreTakenInAnySequence(_ key: String, _ form: Int) throws {
        let store = try TestStore()
        let (context, items) = try store.contextWithItems(1)
        let id = items[0].objectID
        try OtherWriter.database.change(id, in: store)
        let forms: [Any] = [
            [id], Set([id]), ObjectIDSet([id]), [id.uriRepresentation()], [id.uriRepresentation(), id] as [Any],
        ]
        try ManagedObjectContext.mergeChanges(fromRemoteContextSave: [key: forms[form]], into: [context])
        #expect(items[0].name == "theirs")
    }

    @Test func insertedObjectsAreToldOf() throws {
        let store = try TestStore()
        let context = store.context()
        let id = try store.seed(1)[0]
        let recorder = NotificationRecorder(ManagedObjectContext.didChangeObjectsNotification, from: context)
        try ManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [Key.inserted: [id.uriRepresentation()]], into: [context])
        #expect(recorder.objects(Key.inserted).map(\.objectID) == [id])
    }

    @Test(arguments: [Key.invalidated, Key.invalidatedObjectIDs])
    func invalidatedObjectsBecomeFaultsWithoutChanges(_ key: String) throws {
        let store = try TestStore()
        let (context, items) = try store.contextWithItems(2)
        items[0].name = "mine"
        try OtherWriter.database.change(items[0].objectID, in: store)
        context.processPendingChanges()
        let recorder = NotificationRecorder(ManagedObjectContext.didChangeObjectsNotification, from: context)
        try ManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [key: [items[0].objectID]], into: [context])
        #expect(items[0].isFault && !context.hasChanges && !items[1].isFault)
        #expect(recorder.objects(Key.invalidated) == [items[0]])
        let ids = recorder.notifications.first?.userInfo?[Key.invalidatedObjectIDs] as? ObjectIDSet
        #expect(ids.map { Array($0) } == [items[0].objectID])
        #expect(items[0].name == "theirs")
    }

    @Test func invalidatedObjectsLeaveLists() throws {
        let store = try TestStore()
        let (context, items) = try store.contextWithItems(2)
        let controller = FetchedResultsController(
            fetchRequest: FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)]), managedObjectContext: context)
        let recorder = ListRecorder()
        controller.delegate = recorder
        try controller.performFetch()
        try ManagedObjectContext.mergeChanges(
            ObjectIDChanges(invalidated: ObjectIDSet([items[0].objectID])), into: [context])
        #expect(controller.fetchedObjects == [items[1]])
        try controller.performFetch()
        #expect(controller.fetchedObjects == items)
    }

    @Test func refreshedObjectsAreToldOfByIDToo() throws {
        let (context, items) = try TestStore().contextWithItems(1)
        let recorder = NotificationRecorder(ManagedObjectContext.didChangeObjectsNotification, from: context)
        try ManagedObjectContext.mergeChanges(
            ObjectIDChanges(refreshed: ObjectIDSet([items[0].objectID])), into: [context])
        #expect(recorder.objects(Key.refreshed) == [items[0]])
        let ids = recorder.notifications.first?.userInfo?[Key.refreshedObjectIDs] as? ObjectIDSet
        #expect(ids.map { Array($0) } == [items[0].objectID])
    }

    @Test func contextsOfAllQueuesAndCoordinatorsAreBroughtUpToDate() async throws {
        let store = try TestStore()
        let ids = try store.seed(1)
        let contexts = [
            store.context(.privateQueue), store.context(.mainQueue),
            ManagedObjectContext(concurrencyType: .privateQueue, coordinator: try store.secondCoordinator()),
        ]
        let held = Locked(HeldItems())
        for context in contexts {
            try await context.perform {
                let item = try context.item(ids[0])
                held.withLock { $0.items.append(item) }
            }
        }
        try OtherWriter.database.change(ids[0], in: store)
        try ManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [Key.updated: [ids[0].uriRepresentation()]], into: contexts)
        for (index, context) in contexts.enumerated() {
            #expect(try await context.perform { held.value.items[index].name } == "theirs")
        }
    }

    @Test func aConfinementContextOfAnotherThreadIsRefused() async throws {
        let store = try TestStore()
        let context = store.context()
        let refused = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let error = expectError(.concurrency) {
                    try ManagedObjectContext.mergeChanges(ObjectIDChanges(), into: [context])
                }
                continuation.resume(returning: error != nil)
            }
        }
        #expect(refused)
    }

    @Test func whatIsNoIDIsRefusedAndWhatIsUnknownIgnored() throws {
        let store = try TestStore()
        let context = store.context()
        for wrong in ["text", 5, ["text"], [5]] as [Any] {
            expectError(.invalidRequest) {
                try ManagedObjectContext.mergeChanges(fromRemoteContextSave: [Key.updated: wrong], into: [context])
            }
        }
        let foreign = try #require(URL(string: "x-coredata://\(UUID().uuidString)/Item/p1"))
        let id = try TestStore().seed(1)[0]
        try ManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [Key.updated: [foreign, id] as [Any], "other": 5], into: [context])
        #expect(context.registeredObjects.isEmpty)
    }

    @Test func aWholeDidSaveNotificationCanBeMerged() throws {
        let store = try TestStore()
        let (context, items) = try store.contextWithItems(1)
        let other = store.context()
        let recorder = NotificationRecorder(ManagedObjectContext.didSaveObjectsNotification, from: other)
        try other.item(items[0].objectID).name = "theirs"
        try other.save()
        var info: [String: Any] = [:]
        for (key, value) in recorder.notifications.first?.userInfo ?? [:] { info["\(key)"] = value }
        try ManagedObjectContext.mergeChanges(fromRemoteContextSave: info, into: [context])
        #expect(items[0].name == "theirs")
    }
}

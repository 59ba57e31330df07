import Foundation
import ManagedStore
import Testing

@Suite struct MergeTests {
    /// What `context` tells of when it saves.
    private func saved(_ context: ManagedObjectContext) throws -> ContextDidSave {
        let recorder = NotificationRecorder(ManagedObjectContext.didSaveObjectsNotification, from: context)
        try context.save()
        return try #require(recorder.notifications.first.flatMap { ContextDidSave($0) })
    }

    @Test(arguments: Backend.all) func updatedObjectsShowTheSavedValues(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(2)
        let other = store.context()
        try other.item(items[0].objectID).name = "theirs"
        try context.mergeChanges(fromContextDidSave: saved(other))
        #expect(items.map(\.name) == ["theirs", "Item 1"])
        #expect(!context.hasChanges)
    }

    @Test(arguments: Backend.all) func unsavedChangesStayOnTopAndCanBeSaved(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(1)
        items[0].name = "mine"
        let other = store.context()
        let theirs = try other.item(items[0].objectID)
        theirs.name = "theirs"
        theirs.done = true
        try context.mergeChanges(fromContextDidSave: saved(other))
        #expect(items[0].name == "mine" && items[0].done)
        try context.save()
        let read = try store.context().items()
        #expect(read.map(\.name) == ["mine"] && read.map(\.done) == [true])
    }

    @Test(arguments: Backend.all) func deletedObjectsLeave(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(3)
        items[1].name = "changed in vain"
        let other = store.context()
        for item in try other.items().prefix(2) { other.delete(item) }
        try context.mergeChanges(fromContextDidSave: saved(other))
        #expect(items[0].managedObjectContext == nil && items[1].managedObjectContext == nil)
        #expect(!context.hasChanges)
        #expect(try context.items() == [items[2]])
    }

    @Test(arguments: Backend.all) func insertedObjectsAreToldOf(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let context = store.context()
        let other = store.context()
        let new = Item("new", in: other)
        let message = try saved(other)
        let recorder = NotificationRecorder(ManagedObjectContext.didChangeObjectsNotification, from: context)
        try context.mergeChanges(fromContextDidSave: message)
        let inserted = recorder.objects(ManagedObjectContext.NotificationKey.inserted)
        #expect(inserted.map(\.objectID) == [new.objectID])
        #expect(inserted.allSatisfy { $0.managedObjectContext === context && $0.isFault })
    }

    @Test func theValuesOfAMergedInsertionNeedNoReadLater() throws {
        let store = try TestStore()
        let context = store.context()
        var inserted: [ManagedObject] = []
        do {
            let other = store.context()
            for number in 0..<10 { _ = Item("\(number)", in: other) }
            let message = try saved(other)
            try context.mergeChanges(fromContextDidSave: message)
            inserted = message.insertedObjectIDs.map { context.object(with: $0) }
        }
        #expect(inserted.count == 10 && inserted.allSatisfy(\.isFault))
        // Other saves must not make the cache forget these.
        let other = store.context()
        for number in 0..<100 {
            for _ in 0..<50 { _ = Item("other \(number)", in: other) }
            try other.save()
        }
        store.coordinator.resetStatistics()
        #expect(Set(inserted.compactMap { ($0 as? Item)?.name }) == Set((0..<10).map(String.init)))
        #expect(store.statementCount == 0)
    }

    @Test(arguments: Backend.all) func aMergeIsToldOfOnce(_ backend: Backend) throws {
        typealias Key = ManagedObjectContext.NotificationKey
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(2)
        let other = store.context()
        try other.item(items[0].objectID).name = "theirs"
        other.delete(try other.item(items[1].objectID))
        let message = try saved(other)
        let recorder = NotificationRecorder(ManagedObjectContext.didChangeObjectsNotification, from: context)
        try context.mergeChanges(fromContextDidSave: message)
        #expect(recorder.notifications.count == 1)
        #expect(recorder.objects(Key.refreshed) == [items[0]])
        #expect(recorder.objects(Key.deleted) == [items[1]])
    }

    @Test(arguments: Backend.all) func faultsStayFaultsAndShowTheNewValues(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let ids = try store.seed(1)
        let context = store.context()
        let fault = try #require(try context.items().first)
        let other = store.context()
        try other.item(ids[0]).name = "theirs"
        try context.mergeChanges(fromContextDidSave: saved(other))
        #expect(fault.name == "theirs")
    }

    @Test func nothingIsReadForObjectsThatTheContextDoesNotHave() throws {
        let store = try TestStore()
        try store.seed(5)
        let context = store.context()
        let other = store.context()
        for item in try other.items() { item.done = true }
        let message = try saved(other)
        store.coordinator.resetStatistics()
        try context.mergeChanges(fromContextDidSave: message)
        #expect(store.coordinator.statistics.rows == 0)
    }

    @Test(arguments: Backend.all) func aContextDoesNotMergeItsOwnSave(_ backend: Backend) throws {
        let (context, items) = try TestStore(backend).contextWithItems(1)
        items[0].name = "changed"
        let message = try saved(context)
        items[0].name = "again"
        try context.mergeChanges(fromContextDidSave: message)
        #expect(items[0].name == "again")
    }

    @Test func aSaveThroughAnotherCoordinatorCanBeMerged() throws {
        let store = try TestStore()
        let (context, items) = try store.contextWithItems(2)
        let other = ManagedObjectContext(coordinator: try store.secondCoordinator())
        try other.item(items[1].objectID).name = "theirs"
        other.delete(try other.item(items[0].objectID))
        try context.mergeChanges(fromContextDidSave: saved(other))
        #expect(items[1].name == "theirs" && items[0].managedObjectContext == nil)
    }

    @Test(arguments: Backend.all) func anObjectThatIsGoneMeanwhileLeaves(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(1)
        let other = store.context()
        let theirs = try other.item(items[0].objectID)
        theirs.name = "theirs"
        let message = try saved(other)
        other.delete(theirs)
        try other.save()
        try context.mergeChanges(fromContextDidSave: message)
        #expect(items[0].managedObjectContext == nil)
    }
}

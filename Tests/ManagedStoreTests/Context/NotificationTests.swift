import Foundation
import ManagedStore
import Testing

@Suite struct NotificationTests {
    private typealias Key = ManagedObjectContext.NotificationKey

    private func changes(of context: ManagedObjectContext) -> NotificationRecorder {
        NotificationRecorder(ManagedObjectContext.didChangeObjectsNotification, from: context)
    }

    @Test(arguments: Backend.all) func didChangeTellsWhatChanged(_ backend: Backend) throws {
        let (context, items) = try TestStore(backend).contextWithItems(2)
        let recorder = changes(of: context)
        let new = Item("new", in: context)
        items[0].name = "changed"
        context.delete(items[1])
        context.processPendingChanges()
        #expect(recorder.notifications.count == 1)
        #expect(recorder.objects(Key.inserted) == [new])
        #expect(recorder.objects(Key.updated) == [items[0]])
        #expect(recorder.objects(Key.deleted) == [items[1]])
    }

    @Test(arguments: Backend.all) func nothingIsToldTwice(_ backend: Backend) throws {
        let (context, items) = try TestStore(backend).contextWithItems(1)
        items[0].name = "changed"
        context.processPendingChanges()
        let recorder = changes(of: context)
        context.processPendingChanges()
        #expect(recorder.notifications.isEmpty)
        try context.save()
        #expect(recorder.notifications.isEmpty)
    }

    @Test(arguments: Backend.all) func aFurtherChangeIsToldAgain(_ backend: Backend) throws {
        let (context, items) = try TestStore(backend).contextWithItems(1)
        let new = Item("new", in: context)
        items[0].name = "changed"
        context.processPendingChanges()
        let recorder = changes(of: context)
        items[0].name = "changed again"
        new.name = "newer"
        context.processPendingChanges()
        #expect(recorder.objects(Key.updated) == [items[0], new])
        #expect(recorder.objects(Key.inserted).isEmpty)
    }

    @Test func anObjectThatCameAndWentIsNotToldOf() throws {
        let context = try TestStore(.inMemory).context()
        let recorder = changes(of: context)
        context.delete(Item("brief", in: context))
        context.processPendingChanges()
        #expect(recorder.objects(Key.inserted).isEmpty)
    }

    @Test func aNewObjectThatWasToldOfIsToldOfWhenItGoes() throws {
        let context = try TestStore(.inMemory).context()
        let item = Item("brief", in: context)
        context.processPendingChanges()
        let recorder = changes(of: context)
        context.delete(item)
        context.processPendingChanges()
        #expect(recorder.objects(Key.deleted) == [item])
    }

    @Test(arguments: Backend.all) func aDeletedObjectIsNotToldOfAsUpdated(_ backend: Backend) throws {
        let (context, items) = try TestStore(backend).contextWithItems(1)
        items[0].name = "changed"
        context.processPendingChanges()
        let recorder = changes(of: context)
        items[0].name = "again"
        context.delete(items[0])
        context.processPendingChanges()
        #expect(recorder.objects(Key.updated).isEmpty)
        #expect(recorder.objects(Key.deleted) == [items[0]])
    }

    @Test(arguments: Backend.all) func didSaveTellsWhatWasSaved(_ backend: Backend) throws {
        let (context, items) = try TestStore(backend).contextWithItems(2)
        let recorder = NotificationRecorder(ManagedObjectContext.didSaveObjectsNotification, from: context)
        let new = Item("new", in: context)
        items[0].name = "changed"
        let deletedID = items[1].objectID
        context.delete(items[1])
        try context.save()
        let message = try #require(recorder.notifications.first.flatMap { ContextDidSave($0) })
        #expect(Array(message.insertedObjectIDs) == [new.objectID])
        #expect(Array(message.updatedObjectIDs) == [items[0].objectID])
        #expect(Array(message.deletedObjectIDs) == [deletedID])
        #expect(recorder.objects(Key.inserted) == [new])
        #expect(recorder.objects(Key.updated) == [items[0]])
        #expect(recorder.objects(Key.deleted) == [items[1]])
    }

    @Test func savingNothingTellsNothing() throws {
        let (context, _) = try TestStore(.inMemory).contextWithItems(1)
        let recorder = NotificationRecorder(ManagedObjectContext.didSaveObjectsNotification, from: context)
        try context.save()
        #expect(recorder.notifications.isEmpty)
    }

    @Test func whatAnObserverChangesBeforeASaveIsSaved() throws {
        let store = try TestStore(.inMemory)
        let context = store.context()
        Item("a", in: context)
        let token = NotificationCenter.default.addObserver(
            forName: ManagedObjectContext.willSaveObjectsNotification, object: context, queue: nil
        ) { _ in Item("from the observer", in: context) }
        defer { NotificationCenter.default.removeObserver(token) }
        try context.save()
        #expect(try store.context().items().map(\.name).sorted() == ["a", "from the observer"])
    }

    @Test(arguments: Backend.all) func refreshingIsToldOf(_ backend: Backend) throws {
        let (context, items) = try TestStore(backend).contextWithItems(1)
        let recorder = changes(of: context)
        try context.refresh(items[0], mergeChanges: true)
        context.processPendingChanges()
        #expect(recorder.objects(Key.refreshed) == [items[0]])
    }

    @Test func resetInvalidatesEverything() throws {
        let (context, _) = try TestStore(.inMemory).contextWithItems(1)
        let recorder = changes(of: context)
        context.reset()
        #expect(recorder.notifications.first?.userInfo?[Key.invalidatedAll] != nil)
    }

    @Test func otherNotificationsAreNoDidSave() {
        #expect(ContextDidSave(Notification(name: Notification.Name("something"))) == nil)
    }
}

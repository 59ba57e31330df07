import Foundation
import Testing

@testable import ManagedStore

@Suite struct RollbackTests {
    @Test(arguments: Backend.all) func rollbackUndoesEveryKindOfChange(_ backend: Backend) throws {
        let (context, items) = try TestStore(backend).contextWithItems(4)
        items[0].name = "changed"
        context.delete(items[1])
        items[2].name = "changed"
        context.delete(items[2])
        let new = Item("new", in: context)
        context.rollback()
        #expect(!context.hasChanges)
        #expect(items.map(\.name) == ["Item 0", "Item 1", "Item 2", "Item 3"])
        #expect(items.allSatisfy { !$0.hasChanges && $0.managedObjectContext === context })
        #expect(new.managedObjectContext == nil && !new.isInserted)
    }

    @Test(arguments: Backend.all) func anObjectCanBeChangedAndSavedAfterRollback(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(2)
        items[0].name = "dropped"
        context.delete(items[1])
        context.rollback()
        items[0].name = "kept"
        items[1].name = "kept too"
        try context.save()
        #expect(try store.context().items().map(\.name) == ["kept", "kept too"])
    }

    /// After a save of more objects than a page holds, they stay on the pages on which they were made.
    @Test(arguments: Backend.all) func objectsOfALargeSaveAreRolledBackRefreshedAndChanged(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(5_000)
        let names = items.map(\.name)
        for item in items { item.name = "changed" }
        context.rollback()
        #expect(items.map(\.name) == names)
        try context.refreshAllObjects()
        #expect(items.map(\.name) == names)
        for item in items.prefix(10) { item.name = "again" }
        context.delete(items[10])
        try context.save()
        context._checkInvariants()
        #expect(try store.context().items().count { $0.name == "again" } == 10)
    }

    @Test(arguments: Backend.all) func rollbackForgetsPermanentIDsOfNewObjects(_ backend: Backend) throws {
        let context = try TestStore(backend).context()
        let item = Item("a", in: context)
        try context.obtainPermanentIDs(for: [item])
        let id = item.objectID
        context.rollback()
        #expect(context.registeredObject(for: id) == nil)
        expectError(.objectNotFound) { try context.existingObject(with: id) }
    }

    @Test(arguments: Backend.all) func resetForgetsEverything(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(2)
        items[0].name = "changed"
        Item("new", in: context)
        context.reset()
        #expect(!context.hasChanges && context.registeredObjects.isEmpty)
        #expect(items.allSatisfy { $0.managedObjectContext == nil })
        let fresh = try context.items()
        #expect(fresh.map(\.name) == ["Item 0", "Item 1"])
        #expect(fresh[0] !== items[0])
    }

    @Test(arguments: Backend.all) func deletedObjectsAreGoneOnceSaved(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(3)
        let id = items[1].objectID
        context.delete(items[1])
        #expect(items[1].isDeleted && context.deletedObjects == [items[1]])
        try context.save()
        #expect(!items[1].isDeleted && items[1].managedObjectContext == nil)
        #expect(context.registeredObject(for: id) == nil)
        #expect(try store.context().items().map(\.name) == ["Item 0", "Item 2"])
    }

    @Test(arguments: Backend.all) func deletingAFaultNeedsNoReading(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let ids = try store.seed(3)
        let context = store.context()
        context.delete(context.object(with: ids[1]))
        try context.save()
        #expect(try store.context().items().map(\.name) == ["Item 0", "Item 2"])
    }

    @Test(arguments: Backend.all) func deletingTwiceIsDeletingOnce(_ backend: Backend) throws {
        let (context, items) = try TestStore(backend).contextWithItems(1)
        context.delete(items[0])
        context.delete(items[0])
        #expect(context.deletedObjects.count == 1)
        try context.save()
        context.delete(items[0])
        #expect(!context.hasChanges)
    }
}

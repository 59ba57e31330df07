import Foundation
import Testing

@testable import ManagedStore

@Suite struct RegistrationTests {
    @Test(arguments: Backend.allCases) func anIDHasOneInstance(_ backend: Backend) throws {
        let (context, items) = try TestStore(backend).contextWithItems(3)
        #expect(try context.items() == items)
        #expect(try context.existingObject(with: items[1].objectID) === items[1])
        #expect(context.object(with: items[1].objectID) === items[1])
        #expect(context.registeredObject(for: items[1].objectID) === items[1])
    }

    @Test(arguments: Backend.allCases) func anUnheldUnchangedObjectLeavesTheContext(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let ids = try store.seed(3)
        let context = store.context()
        let held = try context.item(ids[0])
        _ = try context.items()
        #expect(context.registeredObjects == [held])
        #expect(context.registeredObject(for: ids[1]) == nil)
    }

    @Test(arguments: Backend.allCases) func aChangedObjectIsHeldUntilItIsSaved(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let ids = try store.seed(3)
        let context = store.context()
        try context.item(ids[0]).name = "changed"
        context.delete(try context.item(ids[1]))
        Item("new", in: context)
        #expect(context.registeredObjects.count == 3)
        try context.save()
        #expect(context.registeredObjects.isEmpty)
        #expect(try store.context().items().map(\.name).sorted() == ["Item 2", "changed", "new"])
    }

    @Test(arguments: Backend.allCases) func aChangedObjectIsHeldUntilRollback(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let ids = try store.seed(1)
        let context = store.context()
        try context.item(ids[0]).name = "changed"
        #expect(context.updatedObjects.count == 1)
        context.rollback()
        #expect(context.registeredObjects.isEmpty)
    }

    /// A program may make many before one of them is to stay.
    @Test(arguments: [true, false]) func aNewObjectThatWasDeletedIsReleased(_ saves: Bool) throws {
        let context = try TestStore(.inMemory).context(.privateQueue)
        weak var released: Item?
        try context.performAndWait {
            let item = Item("draft", in: context)
            released = item
            context.processPendingChanges()
            context.delete(item)
            if saves { try context.save() }
        }
        #expect(released == nil)
        try context.performAndWait {
            _ = Item("kept", in: context)
            try context.save()
            #expect(try context.items().map(\.name) == ["kept"])
        }
    }

    @Test(arguments: Backend.allCases) func objectWithIDReadsNothing(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let ids = try store.seed(1)
        let context = store.context()
        store.coordinator.resetStatistics()
        let object = context.object(with: ids[0])
        #expect(object.isFault)
        #expect(store.coordinator.statistics.rows == 0 && store.statementCount == 0)
    }

    @Test(arguments: Backend.allCases) func anObjectOfNothingIsAFault(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let id = try store.seed(1)[0]
        let deleter = store.context()
        deleter.delete(try deleter.item(id))
        try deleter.save()
        let context = store.context()
        let object = context.object(with: id)
        #expect(object.isFault)
        #expect(context.object(with: id) === object)
        expectError(.objectNotFound) { try context.existingObject(with: id) }
        #expect(context.registeredObject(for: id) == nil)
    }

    @Test(arguments: Backend.allCases) func anUnknownTemporaryIDIsNotFound(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let other = store.context()
        let id = Item("a", in: other).objectID
        let context = store.context()
        #expect(context.registeredObject(for: id) == nil)
        expectError(.objectNotFound) { try context.existingObject(with: id) }
    }

    @Test func aDroppedInsertionLeavesNothingBehind() throws {
        let store = try TestStore(.inMemory)
        let context = store.context()
        let item = Item("a", in: context)
        context.delete(item)
        #expect(!context.hasChanges && context.insertedObjects.isEmpty && context.registeredObjects.isEmpty)
        #expect(item.managedObjectContext == nil)
        try context.save()
        #expect(try context.count(for: FetchRequest(Item.self)) == 0)
    }

    @Test func anObjectOutlivesItsContext() throws {
        let store = try TestStore(.inMemory)
        var context: ManagedObjectContext? = store.context()
        let item = context.map { Item("a", in: $0) }
        context = nil
        #expect(item?.name == "a")
        #expect(item?.managedObjectContext == nil)
    }

    @Test(arguments: Backend.allCases) func theRegistryIsSoundAfterManyFetches(_ backend: Backend) throws {
        let store = try TestStore(backend)
        try store.seed(500)
        let context = store.context()
        for round in 0..<5 {
            let items = try context.items()
            let kept = items.enumerated().filter { $0.offset % (round + 2) == 0 }
            context.registry._checkInvariants()
            withExtendedLifetime(kept) {}
        }
        context.registry._checkInvariants()
        #expect(context.registeredObjects.isEmpty)
    }

    @Test(arguments: Backend.allCases) func anIDLeadsToAnObjectOfItsClass(_ backend: Backend) throws {
        let store = try TestStore(backend, model: Member.model())
        let seeder = store.context()
        let officer = Officer(context: seeder)
        officer.title = "president"
        let member = Member("a", in: seeder)
        try seeder.save()
        let context = store.context()
        #expect(context.registeredObject(for: member.objectID, as: Member.self) == nil)
        let found = context.object(with: member.objectID, as: Member.self)
        #expect(found.email == "a" && context.registeredObject(for: member.objectID, as: Member.self) === found)
        #expect(try context.existingObject(with: officer.objectID, as: Officer.self).title == "president")
        #expect(try context.existingObject(with: officer.objectID, as: Member.self) is Officer)
        #expect(context.registeredObject(for: member.objectID, as: Officer.self) == nil)
        let error = expectError(.invalidRequest) {
            try context.existingObject(with: member.objectID, as: Officer.self)
        }
        #expect(error?.message.contains("pass its class, Member, instead of Officer") == true)
    }

    @Test func aDyingContextIsNotHandedOut() throws {
        let store = try TestStore(.inMemory)
        for _ in 0..<200 {
            let holder = ContextHolder(store.context())
            let registry = try #require(holder.context?.registry)
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                if thread == 0 { return holder.context = nil }
                for _ in 0..<100 { _ = registry.context?.concurrencyType }
            }
            #expect(registry.context == nil)
        }
    }

    /// A registry may be asked from any thread.
    private final class ContextHolder: @unchecked Sendable {
        // Unchecked: one thread lets go of the context, the others do not look at it.
        var context: ManagedObjectContext?
        init(_ context: ManagedObjectContext) { self.context = context }
    }
}

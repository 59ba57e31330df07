import Foundation
import Testing

@testable import ManagedStore

/// A coordinator's store can be removed and another one added. The keys of a context's objects are those of other
/// objects there.
@Suite struct ExchangedStoreTests {
    /// A context with an item of an in-memory store, in whose place another one came, which has an item with the same
    /// key.
    private func exchanged() throws -> (TestStore, ManagedObjectContext, Item) {
        let store = try TestStore(.inMemory)
        let (context, items) = try store.contextWithItems(1)
        try store.coordinator.removePersistentStore()
        try store.coordinator.addPersistentStore(.inMemory)
        let other = store.context()
        _ = Item("of the second store", in: other)
        try other.save()
        return (store, context, items[0])
    }

    @Test func aContextWithObjectsNeitherReadsNorWritesAnotherStore() throws {
        let (store, context, item) = try exchanged()
        item.name = "of the first store"
        expectError(.noStore) { try context.save() }
        expectError(.noStore) { try context.fetch(FetchRequest(Item.self)) }
        expectError(.noStore) { try context.execute(BatchUpdateRequest(Item.self, set: ["done": true])) }
        #expect(context.hasChanges && item.name == "of the first store")
        #expect(try store.context().items().map(\.name) == ["of the second store"])
    }

    @Test func aResetContextUsesTheStoreThatIsThere() throws {
        let (_, context, item) = try exchanged()
        context.reset()
        let items = try context.items()
        #expect(items.map(\.name) == ["of the second store"] && items[0] !== item)
        _ = Item("new", in: context)
        try context.save()
        #expect(try context.count(for: FetchRequest(Item.self)) == 2)
    }

    @Test func aContextWithoutObjectsUsesTheStoreThatIsThere() throws {
        let store = try TestStore(.inMemory)
        let context = store.context()
        do {
            _ = Item("of the first store", in: context)
            try context.save()
        }
        try store.coordinator.removePersistentStore()
        try store.coordinator.addPersistentStore(.inMemory)
        let new = Item("new", in: context)
        try context.save()
        #expect(try context.existingObject(with: new.objectID) === new)
        #expect(try store.context().items().map(\.name) == ["new"])
    }

    @Test func aChildOfSuchAContextReadsNothingEither() throws {
        let store = try TestStore(.inMemory)
        let (parent, items) = try store.contextWithItems(1)
        let child = try ManagedObjectContext(parent: parent)
        try store.coordinator.removePersistentStore()
        try store.coordinator.addPersistentStore(.inMemory)
        expectError(.noStore) { try child.fetch(FetchRequest(Item.self)) }
        expectError(.noStore) { try child.execute(BatchUpdateRequest(Item.self, set: ["done": true])) }
        _ = Item("new", in: child)
        expectError(.noStore) { try child.save() }
        withExtendedLifetime(items) {}
    }

    /// The same file again is the same store.
    @Test func aContextGoesOnWithTheSameFile() throws {
        let store = try TestStore(.sqlite)
        let (context, items) = try store.contextWithItems(1)
        try store.coordinator.removePersistentStore()
        items[0].name = "changed meanwhile"
        expectError(.noStore) { try context.save() }
        try store.coordinator.addPersistentStore(.sqlite, at: store.url)
        try context.save()
        #expect(try store.context().items().map(\.name) == ["changed meanwhile"])
    }

    @Test func unsavedMetadataGoesWithItsStore() throws {
        let store = try TestStore(.inMemory)
        store.coordinator.metadata["owner"] = .string("first")
        try store.coordinator.removePersistentStore()
        try store.coordinator.addPersistentStore(.inMemory)
        #expect(store.coordinator.metadata["owner"] == nil && !store.context().hasChanges)
    }
}

import Foundation
import Testing

@testable import ManagedStore

/// What contexts of another coordinator save, which may be another process's, is merged when it is asked for.
@Suite struct RemoteChangesTests {
    /// Stores that two coordinators can have open at a time.
    private static let shared = Backend.databases

    private func contexts(_ backend: Backend) throws -> (mine: ManagedObjectContext, other: ManagedObjectContext) {
        let store = try TestStore(backend)
        try store.seed(3)
        let other = try store.secondCoordinator().confinedContext()
        return (store.context(), other)
    }

    @Test(arguments: shared) func changedAndDeletedObjectsAreMerged(_ backend: Backend) throws {
        let (mine, other) = try contexts(backend)
        let (items, others) = (try mine.items(), try other.items())
        items[1].createdAt = Date(timeIntervalSinceReferenceDate: 100)
        for index in 0...1 { others[index].name = "changed" }
        other.delete(others[2])
        try other.save()
        let changes = try mine.mergeRemoteChanges()
        #expect(Set(changes.updated) == Set(items[0...1].map(\.objectID)))
        #expect(Array(changes.deleted).count == 1 && changes.inserted.isEmpty)
        #expect(items[0].name == "changed" && items[1].name == "changed")
        #expect(items[1].createdAt == Date(timeIntervalSinceReferenceDate: 100) && items[1].hasChanges)
        #expect(items[2].managedObjectContext == nil)
        try mine.save()
        #expect(try mine.mergeRemoteChanges().updated.isEmpty)
        mine._checkInvariants()
    }

    @Test(arguments: shared) func aFaultTakesTheSavedValues(_ backend: Backend) throws {
        let (mine, other) = try contexts(backend)
        // Its row stays in the cache.
        let item = try mine.items()[0]
        let third = mine.persistentStoreCoordinator.confinedContext()
        let fault = try #require(third.object(with: item.objectID) as? Item)
        try other.items()[0].name = "changed"
        try other.save()
        try third.mergeRemoteChanges()
        #expect(fault.isFault && fault.name == "changed")
    }

    @Test(arguments: shared) func aListFindsNewObjects(_ backend: Backend) throws {
        let (mine, other) = try contexts(backend)
        let request = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)])
        let list = FetchedResultsController(fetchRequest: request, managedObjectContext: mine)
        try list.performFetch()
        // A list follows its context as long as changes are waited for.
        let changes = list.changes
        defer { withExtendedLifetime(changes) {} }
        Item("new", at: -1, in: other)
        try other.save()
        #expect(try mine.mergeRemoteChanges().inserted.isEmpty && list.fetchedObjects?.count == 3)
        #expect(try mine.mergeRemoteChanges(matching: request).inserted.count == 1)
        #expect(list.fetchedObjects?.map(\.name) == ["new", "Item 0", "Item 1", "Item 2"])
    }

    @Test func aChildContextCannotAsk() throws {
        let store = try TestStore(.inMemory)
        let parent = store.context(.privateQueue)
        let child = try ManagedObjectContext(concurrencyType: .privateQueue, parent: parent)
        child.performAndWait { _ = expectError(.invalidRequest) { try child.mergeRemoteChanges() } }
    }
}

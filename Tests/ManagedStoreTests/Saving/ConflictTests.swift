import Foundation
import ManagedStore
import Testing

/// Optimistic locking: what another context saved meanwhile is never overwritten.
@Suite struct ConflictTests {
    @Test(arguments: Backend.strictly) func anUpdateOfAChangedObjectIsAConflict(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(1)
        let other = store.context()
        try other.item(items[0].objectID).name = "theirs"
        try other.save()
        items[0].name = "mine"
        let error = expectError(.mergeConflict) { try context.save() }
        let conflict = try #require(error?.conflicts.first)
        #expect(conflict.objectID == items[0].objectID && conflict.oldVersion == 1 && conflict.newVersion == 2)
    }

    @Test(arguments: Backend.strictly) func anUpdateOfADeletedObjectIsAConflictWithVersionZero(_ backend: Backend)
        throws
    {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(2)
        let other = store.context()
        other.delete(try other.item(items[0].objectID))
        try other.save()
        items[0].name = "mine"
        items[1].name = "mine"
        let error = expectError(.mergeConflict) { try context.save() }
        #expect(error?.conflicts.map(\.objectID) == [items[0].objectID])
        #expect(error?.conflicts.map(\.newVersion) == [0])
    }

    @Test(arguments: Backend.strictly) func aDeletionOfAChangedObjectIsAConflict(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(3)
        let other = store.context()
        try other.item(items[1].objectID).name = "theirs"
        try other.save()
        for item in items { context.delete(item) }
        let error = expectError(.mergeConflict) { try context.save() }
        #expect(error?.conflicts.map(\.objectID) == [items[1].objectID])
        #expect(try store.context().items().count == 3)
    }

    @Test(arguments: Backend.strictly, [0, 1, 50, 98, 99])
    func oneChangedRowInARunIsFound(_ backend: Backend, _ index: Int) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(100)
        let other = store.context()
        try other.item(items[index].objectID).name = "theirs"
        try other.save()
        for item in items { item.done = true }
        let error = expectError(.mergeConflict) { try context.save() }
        #expect(error?.conflicts.map(\.objectID) == [items[index].objectID])
        #expect(try store.context().items().allSatisfy { !$0.done })
    }

    @Test(arguments: [
        "UPDATE ZITEM SET Z_OPT = Z_OPT + 1 WHERE Z_PK = 5", "UPDATE ZITEM SET Z_OPT = 0 WHERE Z_PK = 5",
        "DELETE FROM ZITEM WHERE Z_PK = 5", "UPDATE ZITEM SET Z_PK = 500 WHERE Z_PK = 5",
    ])
    func whatSQLiteItselfChangedInARunIsFound(_ sql: String) throws {
        let store = try TestStore()
        let (context, items) = try store.contextWithItems(10)
        try store.database().execute(sql)
        for item in items { item.done = true }
        let error = expectError(.mergeConflict) { try context.save() }
        #expect(error?.conflicts.map(\.objectID) == [items[4].objectID])
        context.rollback()
        for item in items { context.delete(item) }
        expectError(.mergeConflict) { try context.save() }
    }

    @Test(arguments: Backend.strictly) func rowsOfDifferentVersionsAreSavedTogether(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(30)
        for item in items where item.objectID.hashValue % 3 == 0 { item.name = "changed" }
        for item in items[10..<13] { item.name = "again" }
        try context.save()
        for item in items { item.done = true }
        try context.save()
        #expect(try store.context().items().allSatisfy { $0.done })
        for item in items { context.delete(item) }
        try context.save()
        #expect(try store.context().items().isEmpty)
    }

    @Test(arguments: Backend.strictly) func everyConflictIsNamed(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(20)
        let other = store.context()
        for index in [2, 3, 11] { try other.item(items[index].objectID).name = "theirs" }
        try other.save()
        for item in items { item.done = true }
        let error = expectError(.mergeConflict) { try context.save() }
        #expect(Set(error?.conflicts.map(\.objectID) ?? []) == Set([2, 3, 11].map { items[$0].objectID }))
        #expect(try #require(store.coordinator.statistics.conflicts) >= 3)
    }

    @Test(arguments: Backend.strictly) func anUnchangedWriteIsNoConflict(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(1)
        let other = store.context()
        try other.item(items[0].objectID).name = "theirs"
        try other.save()
        items[0].done = false
        try context.save()
        #expect(try store.context().items().map(\.name) == ["theirs"])
    }

    @Test func aConflictWithAnotherCoordinatorIsFound() throws {
        let store = try TestStore()
        let (context, items) = try store.contextWithItems(1)
        let other = ManagedObjectContext(coordinator: try store.secondCoordinator())
        try other.item(items[0].objectID).name = "theirs"
        try other.save()
        items[0].name = "mine"
        expectError(.mergeConflict) { try context.save() }
    }

    @Test(arguments: Backend.strictly) func deletingWhatIsGoneAlreadyIsFineForAFault(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let ids = try store.seed(2)
        let context = store.context()
        context.delete(context.object(with: ids[0]))
        let other = store.context()
        other.delete(try other.item(ids[0]))
        try other.save()
        try context.save()
        #expect(try store.context().items().count == 1)
    }
}

import Foundation
import ManagedStore
import Testing

@Suite struct SaveTests {
    @Test(arguments: Backend.all) func savingClearsChangesAndKeepsObjects(_ backend: Backend) throws {
        let (context, items) = try TestStore(backend).contextWithItems(2)
        items[0].name = "changed"
        #expect(context.hasChanges && items[0].isUpdated)
        try context.save()
        #expect(!context.hasChanges && !items[0].hasChanges && items[0].name == "changed")
    }

    @Test(arguments: Backend.all) func anObjectCanBeSavedAgainAndAgain(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(1)
        for round in 0..<10 {
            items[0].name = "round \(round)"
            try context.save()
        }
        #expect(try store.context().items().map(\.name) == ["round 9"])
    }

    /// Stores write the same change of neighbours at once, and other changes apart.
    @Test(arguments: Backend.all) func neighboursWithDifferentChangesKeepTheirOwn(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(24)
        for (index, item) in items.enumerated() {
            if index % 5 == 4 { continue }
            if index % 2 == 0 { item.name = "changed \(index / 4)" }
            if index % 3 == 0 { item.done = true }
            if index % 7 == 0 { item.createdAt = Date(timeIntervalSinceReferenceDate: -1) }
        }
        context.delete(items[10])
        context.delete(items[11])
        let expected = items.enumerated().filter { ![10, 11].contains($0.offset) }.map { _, item in
            (item.objectID, item.name, item.done, item.createdAt, item.isUpdated ? 2 : 1)
        }
        try context.save()
        let other = store.context()
        #expect(try other.items().count == expected.count)
        for (id, name, done, createdAt, version) in expected {
            let item = try other.item(id)
            #expect(item.name == name && item.done == done && item.createdAt == createdAt)
            #expect(item.versionInStore == version)
        }
    }

    @Test(arguments: Backend.all) func aChangeToTheSameValueIsNoConflictLater(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(1)
        items[0].name = "Item 0"
        try context.save()
        items[0].name = "changed"
        try context.save()
        #expect(try store.context().items().map(\.name) == ["changed"])
    }

    @Test(arguments: Backend.all) func aFailedSaveWritesNothing(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(3)
        let other = store.context()
        try other.item(items[1].objectID).name = "theirs"
        try other.save()
        Item("new", at: 9, in: context)
        for item in items { item.name = "mine" }
        context.delete(items[2])
        expectError(.mergeConflict) { try context.save() }
        #expect(try store.context().items().map(\.name) == ["Item 0", "theirs", "Item 2"])
    }

    @Test(arguments: Backend.all) func afterAFailedSaveTheContextKeepsItsChanges(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(3)
        let other = store.context()
        try other.item(items[1].objectID).done = true
        try other.save()
        let new = Item("new", at: 9, in: context)
        items[1].name = "mine"
        context.delete(items[2])
        expectError(.mergeConflict) { try context.save() }
        #expect(context.insertedObjects == [new] && context.updatedObjects == [items[1]])
        #expect(context.deletedObjects == [items[2]] && new.objectID.isTemporaryID)
        try context.refresh(items[1], mergeChanges: true)
        try context.save()
        let read = try store.context().items()
        #expect(read.map(\.name) == ["Item 0", "mine", "new"] && read[1].done)
    }

    @Test(arguments: Backend.all) func manyEntitiesAreSavedAtOnce(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let context = store.context()
        for number in 0..<200 {
            Item("\(number)", at: Double(number), in: context)
            Everything("\(number)", Int64(number), in: context)
        }
        try context.save()
        #expect(try context.items().count == 200)
        let everything = try store.context().fetch(FetchRequest(Everything.self, sortBy: [SortDescriptor(\.number)]))
        #expect(everything.map(\.text) == (0..<200).map { "\($0)" })
    }

    @Test(arguments: Backend.all) func savedObjectsThatAreHeldAreRegistered(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let context = store.context()
        var held: [Item] = []
        for number in 0..<300 {
            let item = Item("\(number)", at: Double(number), in: context)
            if number % 3 == 0 { held.append(item) }
        }
        try context.save()
        #expect(context.registeredObjects == Set(held))
        #expect(held.allSatisfy { context.registeredObject(for: $0.objectID) === $0 })
    }

    @Test func aSaveWithoutAStoreSaysSo() throws {
        let store = try TestStore()
        let (context, items) = try store.contextWithItems(1)
        items[0].name = "changed"
        try store.coordinator.removePersistentStore()
        expectError(.noStore) { try context.save() }
    }
}

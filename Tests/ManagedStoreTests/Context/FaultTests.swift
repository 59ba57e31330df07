import Foundation
import ManagedStore
import Testing

@Suite struct FaultTests {
    @Test(arguments: Backend.all) func fetchedObjectsAreFaultsUntilTheyAreRead(_ backend: Backend) throws {
        let store = try TestStore(backend)
        try store.seed(2)
        let context = store.context()
        let items = try context.items()
        #expect(items.allSatisfy { $0.isFault })
        store.coordinator.resetStatistics()
        #expect(items[0].name == "Item 0")
        #expect(!items[0].isFault && items[1].isFault)
        #expect(store.coordinator.statistics.rows == 0)
    }

    @Test(arguments: Backend.all) func aRequestMayAskForObjectsThatAreNoFaults(_ backend: Backend) throws {
        let store = try TestStore(backend)
        try store.seed(2)
        let context = store.context()
        var request = FetchRequest(Item.self)
        request.returnsObjectsAsFaults = false
        #expect(try context.fetch(request).allSatisfy { !$0.isFault })
    }

    @Test(arguments: Backend.all) func readingAFaultLoadsItsRow(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let ids = try store.seed(3)
        let context = store.context()
        let fault = unsafeDowncast(context.object(with: ids[2]), to: Item.self)
        #expect(fault.name == "Item 2")
        #expect(!fault.isFault)
    }

    @Test(arguments: Backend.all) func aFaultOfNothingReadsAsEmptyAndLeaves(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let id = try store.seed(1)[0]
        let context = store.context()
        let fault = unsafeDowncast(context.object(with: id), to: Item.self)
        let other = store.context()
        other.delete(try other.item(id))
        try other.save()
        #expect(fault.name == "")
        #expect(fault.managedObjectContext == nil)
        #expect(context.registeredObject(for: id) == nil)
    }

    @Test(arguments: Backend.all) func refreshingDropsChangesAndReadsAgain(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(1)
        let other = store.context()
        try other.item(items[0].objectID).done = true
        try other.save()
        items[0].name = "mine"
        try context.refresh(items[0], mergeChanges: false)
        #expect(items[0].isFault && !items[0].hasChanges && !context.hasChanges)
        #expect(items[0].name == "Item 0" && items[0].done)
    }

    @Test(arguments: Backend.all) func refreshingWithMergeKeepsChangesOverFreshValues(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(1)
        let other = store.context()
        let theirs = try other.item(items[0].objectID)
        theirs.done = true
        theirs.name = "theirs"
        try other.save()
        items[0].name = "mine"
        try context.refresh(items[0], mergeChanges: true)
        #expect(items[0].name == "mine" && items[0].done && items[0].isUpdated)
        try context.save()
        #expect(try store.context().items().map(\.name) == ["mine"])
    }

    @Test(arguments: Backend.all) func refreshingANewObjectLeavesItAsItIs(_ backend: Backend) throws {
        let context = try TestStore(backend).context()
        let item = Item("new", in: context)
        try context.refresh(item, mergeChanges: false)
        try context.refresh(item, mergeChanges: true)
        #expect(item.name == "new" && item.isInserted && !item.isFault)
    }

    @Test(arguments: Backend.all) func refreshingADeletedObjectBringsItBack(_ backend: Backend) throws {
        let (context, items) = try TestStore(backend).contextWithItems(1)
        context.delete(items[0])
        try context.refresh(items[0], mergeChanges: false)
        #expect(!items[0].isDeleted && !context.hasChanges && items[0].name == "Item 0")
    }

    @Test(arguments: Backend.all) func refreshAllObjectsRefreshesEverything(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(3)
        let other = store.context()
        for item in try other.items() { item.done = true }
        try other.save()
        items[1].name = "mine"
        let new = Item("new", at: 9, in: context)
        try context.refreshAllObjects()
        #expect(items.map(\.done) == [true, true, true])
        #expect(items[1].name == "mine" && new.name == "new")
        try context.save()
        #expect(try store.context().items().map(\.name) == ["Item 0", "mine", "Item 2", "new"])
    }

    @Test(arguments: Backend.all) func anObjectIsStaleUntilRefreshed(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(1)
        let other = store.context()
        try other.item(items[0].objectID).name = "theirs"
        try other.save()
        #expect(try context.items().map(\.name) == ["Item 0"])
        var request = FetchRequest(Item.self)
        request.shouldRefreshRefetchedObjects = true
        #expect(try context.fetch(request).map(\.name) == ["theirs"])
        withExtendedLifetime(items) {}
    }

    @Test(arguments: Backend.all) func refetchingWithRefreshLeavesUnsavedChangesAlone(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(1)
        items[0].name = "mine"
        var request = FetchRequest(Item.self)
        request.shouldRefreshRefetchedObjects = true
        #expect(try context.fetch(request).map(\.name) == ["mine"])
        #expect(items[0].isUpdated)
    }

    @Test(arguments: Backend.all) func existingObjectIsNoFault(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let id = try store.seed(1)[0]
        let context = store.context()
        let fault = context.object(with: id)
        #expect(try context.existingObject(with: id) === fault)
        #expect(!fault.isFault)
    }
}

import Foundation
import ManagedStore
import TestSupport
import Testing

@Suite struct FetchedResultsControllerTests {
    private func controller(
        _ context: ManagedObjectContext, _ predicate: FetchPredicate? = nil
    ) -> FetchedResultsController<Item> {
        let request = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)], predicate: predicate)
        return FetchedResultsController(fetchRequest: request, managedObjectContext: context)
    }

    @Test func aRequestWithoutAnOrderIsRefused() throws {
        let context = try TestStore(.inMemory).context()
        let request = FetchRequest(Item.self)
        let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
        expectError(.invalidRequest) { try controller.performFetch() }
    }

    @Test func sectionsThatTheFirstSortDoesNotOrderByAreRefused() throws {
        let context = try TestStore(.inMemory).context()
        let request = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)])
        let controller = FetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "name")
        expectError(.invalidRequest) { try controller.performFetch() }
    }

    @Test func objectsAreFoundByIndexPathAndBack() throws {
        let (context, items) = try TestStore().contextWithItems(3)
        let controller = controller(context)
        #expect(controller.fetchedObjects == nil && controller.sections == nil)
        try controller.performFetch()
        #expect(controller.fetchedObjects == items)
        let path = FetchedIndexPath(item: 1, section: 0)
        #expect(controller.object(at: path) == items[1] && controller.indexPath(for: items[1]) == path)
        #expect(controller.indexPath(for: Item("elsewhere", in: context)) == nil)
    }

    @Test func itTracksOnlyWhileItHasAListener() throws {
        let (context, items) = try TestStore().contextWithItems(2)
        let controller = controller(context)
        try controller.performFetch()
        context.delete(items[0])
        context.processPendingChanges()
        #expect(controller.fetchedObjects == items)
        let recorder = ListRecorder()
        controller.delegate = recorder
        try controller.performFetch()
        context.delete(items[1])
        context.processPendingChanges()
        #expect(controller.fetchedObjects == [] && recorder.take() == ["will", "delete", "did"])
    }

    /// A limited list is fetched again as a whole; the result is the same without a limit, and with another change.
    @Test(arguments: [0, 3], [false, true])
    func theObjectWhoseKeyChangedIsTheOneThatMoved(_ limit: Int, _ changesAnother: Bool) throws {
        let (context, items) = try TestStore().contextWithItems(3)
        var request = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)])
        request.fetchLimit = limit
        let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
        let recorder = ListRecorder()
        controller.delegate = recorder
        try controller.performFetch()
        for seconds in [-1.0, 10, 0.5, -2] {
            items[2].createdAt = Date(timeIntervalSinceReferenceDate: seconds)
            if changesAnother {
                items[0].done.toggle()
                items[1].done.toggle()
            }
            context.processPendingChanges()
            #expect(recorder.objects[.move] == [items[2]], "to \(seconds)")
            recorder.clear()
        }
    }

    @Test func aChangeOfTheSortKeyIsAMoveThatImpliesTheUpdate() throws {
        let (context, items) = try TestStore().contextWithItems(3)
        let (controller, recorder) = (controller(context), ListRecorder())
        controller.delegate = recorder
        try controller.performFetch()
        items[0].createdAt = Date(timeIntervalSinceReferenceDate: 10)
        context.processPendingChanges()
        #expect(recorder.paths == [[.init(item: 0, section: 0), .init(item: 2, section: 0)]])
        #expect(recorder.take() == ["will", "move", "did"])
        #expect(controller.fetchedObjects == [items[1], items[2], items[0]])
    }

    @Test func aChangeThatLeavesTheObjectInItsPlaceIsAnUpdate() throws {
        let (context, items) = try TestStore().contextWithItems(3)
        let (controller, recorder) = (controller(context), ListRecorder())
        controller.delegate = recorder
        try controller.performFetch()
        items[1].createdAt = Date(timeIntervalSinceReferenceDate: 1.5)
        context.processPendingChanges()
        #expect(recorder.take() == ["will", "update", "did"])
    }

    @Test func sectionsComeAndGo() throws {
        let (context, items) = try TestStore().contextWithItems(2)
        let request = FetchRequest(Item.self, sortBy: [SortDescriptor(\.name), SortDescriptor(\.createdAt)])
        let controller = FetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "name")
        let recorder = ListRecorder()
        controller.delegate = recorder
        try controller.performFetch()
        #expect(controller.sections?.map(\.name) == ["Item 0", "Item 1"])
        items[0].name = "Item 2"
        context.processPendingChanges()
        #expect(recorder.take() == ["will", "delete section Item 0 0", "insert section Item 2 1", "move", "did"])
        #expect(controller.sections?.map(\.numberOfObjects) == [1, 1])
        #expect(controller.sections?[1].objects == [items[0]])
    }

    @Test func objectsInvalidatedByResetCountAsDeletedUntilTheNextFetch() throws {
        let (context, _) = try TestStore().contextWithItems(2)
        let (controller, recorder) = (controller(context), ListRecorder())
        controller.delegate = recorder
        try controller.performFetch()
        context.reset()
        #expect(recorder.take() == ["will", "delete", "delete", "did"])
        #expect(controller.fetchedObjects == nil)
        Item("new", in: context)
        context.processPendingChanges()
        #expect(controller.fetchedObjects == nil)
        try controller.performFetch()
        #expect(controller.fetchedObjects?.count == 3)
    }

    @Test(arguments: Backend.allCases) func mergedChangesArrive(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(3)
        let (controller, recorder) = (controller(context), ListRecorder())
        controller.delegate = recorder
        try controller.performFetch()
        let other = store.context()
        let saves = NotificationRecorder(ManagedObjectContext.didSaveObjectsNotification, from: other)
        try other.item(items[0].objectID).done = true
        other.delete(try other.item(items[1].objectID))
        Item("new", at: 10, in: other)
        try other.save()
        try context.mergeChanges(fromContextDidSave: try #require(saves.notifications.first))
        #expect(recorder.take() == ["will", "delete", "insert", "update", "did"])
        #expect(try controller.fetchedObjects == context.items() && controller.fetchedObjects?.count == 3)
    }

    @Test func anUnregisteredObjectArrivesWhenAMergedChangeMakesItMatch() throws {
        let store = try TestStore()
        let ids = try store.seed(2)
        let (context, other) = (store.context(), store.context())
        let controller = controller(context, FetchPredicate(#Predicate<Item> { $0.done }))
        let recorder = ListRecorder()
        controller.delegate = recorder
        try controller.performFetch()
        let saves = NotificationRecorder(ManagedObjectContext.didSaveObjectsNotification, from: other)
        try other.item(ids[1]).done = true
        try other.save()
        try context.mergeChanges(fromContextDidSave: try #require(saves.notifications.first))
        #expect(controller.fetchedObjects?.map(\.objectID) == [ids[1]])
        #expect(recorder.take() == ["will", "insert", "did"])
    }

    @Test func rolledBackInsertsLeaveTheList() throws {
        let context = try TestStore().context()
        let (controller, recorder) = (controller(context), ListRecorder())
        controller.delegate = recorder
        try controller.performFetch()
        Item("new", in: context)
        context.processPendingChanges()
        context.rollback()
        #expect(controller.fetchedObjects == [])
        #expect(recorder.take() == ["will", "insert", "did", "will", "delete", "did"])
    }

    @Test func afterABatchUpdateItShowsTheNewValuesOnceRefreshed() throws {
        let (context, items) = try TestStore().contextWithItems(3)
        let controller = controller(context, FetchPredicate(#Predicate<Item> { !$0.done }))
        let recorder = ListRecorder()
        controller.delegate = recorder
        try controller.performFetch()
        _ = try context.execute(BatchUpdateRequest(Item.self, set: ["done": true]))
        #expect(controller.fetchedObjects == items)
        try context.refreshAllObjects()
        context.processPendingChanges()
        #expect(controller.fetchedObjects == [])
        #expect(recorder.take() == ["will", "delete", "delete", "delete", "did"])
    }

    @Test func aLimitedListStaysWithinItsLimit() throws {
        let (context, items) = try TestStore().contextWithItems(4)
        var request = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)])
        request.fetchLimit = 2
        let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
        let recorder = ListRecorder()
        controller.delegate = recorder
        try controller.performFetch()
        context.delete(items[0])
        context.processPendingChanges()
        #expect(controller.fetchedObjects == [items[1], items[2]])
        #expect(recorder.take() == ["will", "delete", "insert", "did"])
    }

    @Test func changesAreASequenceOfChangeSets() async throws {
        let context = try TestStore().context(.privateQueue)
        let request = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)])
        nonisolated(unsafe) let controller = FetchedResultsController(
            fetchRequest: request, managedObjectContext: context)
        let changes = try await context.perform {
            try controller.performFetch()
            return controller.changes
        }
        try await context.perform { _ = Item("new", in: context) }
        var iterator = changes.makeAsyncIterator()
        let first = try #require(await iterator.next())
        #expect(first.inserts.map(\.newIndexPath) == [FetchedIndexPath(item: 0, section: 0)])
        #expect(first.deletes.isEmpty && first.moves.isEmpty && first.updates.isEmpty)
    }
}

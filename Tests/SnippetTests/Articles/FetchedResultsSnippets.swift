import Foundation
import ManagedStore
import Testing

/// FetchedResults.md.
@Suite struct FetchedResultsSnippets {
    // snippet.FetchedResults.delegate
    final class ItemList: FetchedResultsControllerDelegate {
        private let controller: FetchedResultsController<Item>
        private(set) var names: [[String]] = []

        init(_ context: ManagedObjectContext) throws {
            let request = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)])
            controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
            try controller.performFetch()
            names = [(controller.fetchedObjects ?? []).map(\.name)]
            controller.delegate = self
        }

        func controller(
            _ controller: FetchedResultsController<Item>, didChangeContentWith changes: FetchedResultsChangeSet
        ) {
            changes.apply(to: &names) { change in
                change.newIndexPath.map { controller.object(at: $0).name } ?? ""
            }
        }
    }
    // snippet.end

    @Test func delegate() throws {
        let context = try SnippetStore(items: 3).context()
        // snippet.FetchedResults.use
        let list = try ItemList(context)
        let item = Item(context: context)
        item.name = "Buy milk"
        context.processPendingChanges()  // as at the end of every block of `perform`
        print(list.names)
        // snippet.end
        #expect(list.names == [["Item 0", "Item 1", "Item 2", "Buy milk"]])
    }

    @Test func sections() throws {
        let context = try SnippetStore(items: 3).context()
        try context.items()[1].done = true
        // snippet.FetchedResults.sections
        let request = FetchRequest(
            entityName: "Item",
            sortDescriptors: [FetchSortDescriptor(key: "done"), FetchSortDescriptor(key: "createdAt")])
        let controller = FetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "done")
        try controller.performFetch()
        for section in controller.sections ?? [] { print(section.name, section.numberOfObjects) }
        // snippet.end
        #expect(controller.sections?.map(\.name) == ["0", "1"])
        #expect(controller.sections?.map(\.numberOfObjects) == [2, 1])
    }

    @MainActor @Test func changes() async throws {
        let context = try SnippetStore().context(.mainQueue)
        let controller = FetchedResultsController(
            fetchRequest: FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)]), managedObjectContext: context)
        try controller.performFetch()
        let task = Task {
            // snippet.FetchedResults.changes
            for await changes in controller.changes {
                for change in changes.deletes { print("gone:", change.objectID) }
                for change in changes.inserts + changes.moves + changes.updates {
                    guard let path = change.newIndexPath else { continue }
                    print(controller.object(at: path).name, "is at", path)
                }
            }
            // snippet.end
        }
        task.cancel()
        await task.value
    }
}

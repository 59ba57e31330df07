import Foundation
import ManagedStore
import Testing

/// Lists in the order of attributes of related objects, and in sections by them.
@Suite struct KeyPathListTests {
    private final class Recorder: FetchedResultsControllerDelegate {
        var copy: [[Book]] = []

        func controller(
            _ controller: FetchedResultsController<Book>, didChangeContentWith changes: FetchedResultsChangeSet
        ) {
            changes.apply(to: &copy) { controller.object(at: $0.newIndexPath!) }
        }
    }

    /// The books by author and title in sections by author, fetched, and a copy that follows them.
    private func list(_ context: ManagedObjectContext) throws -> (FetchedResultsController<Book>, Recorder) {
        let sort = [SortDescriptor(\Book.author?.name), SortDescriptor(\.title)]
        let controller = FetchedResultsController(
            fetchRequest: FetchRequest(Book.self, sortBy: sort), managedObjectContext: context,
            sectionNameKeyPath: "author.name")
        let recorder = Recorder()
        controller.delegate = recorder
        try controller.performFetch()
        recorder.copy = objects(controller)
        return (controller, recorder)
    }

    private func objects(_ controller: FetchedResultsController<Book>) -> [[Book]] {
        (controller.sections ?? []).map(\.objects)
    }

    private func shown(_ controller: FetchedResultsController<Book>) -> [String] {
        (controller.sections ?? []).map { "\($0.name): \($0.objects.map(\.title).joined(separator: " "))" }
    }

    /// Books "0" to "5", by Woolf, by Eliot and by no author in turn.
    private func books(_ context: ManagedObjectContext) throws -> [Book] {
        let authors = [Author("Woolf", in: context), Author("Eliot", in: context), nil]
        let books = (0..<6).map { number in
            let book = Book("\(number)", in: context)
            book.author = authors[number % 3]
            return book
        }
        try context.save()
        return books
    }

    @Test(arguments: Backend.allCases) func sectionsGoByRelatedObjects(_ backend: Backend) throws {
        let context = try Library.store(backend).context()
        let books = try books(context)
        let (controller, recorder) = try list(context)
        #expect(shown(controller) == [": 2 5", "Eliot: 1 4", "Woolf: 0 3"])
        books[0].author = Author("Carson", in: context)
        books[4].author = nil
        Book("6", in: context).author = books[1].author
        context.processPendingChanges()
        #expect(shown(controller) == [": 2 4 5", "Carson: 0", "Eliot: 1 6", "Woolf: 3"])
        #expect(recorder.copy == objects(controller))
        #expect(controller.indexPath(for: books[3]) == FetchedIndexPath(item: 0, section: 3))
    }

    @Test(arguments: Backend.allCases)
    func aChangeOfARelatedObjectShowsWithTheNextChangeOfTheList(_ backend: Backend) throws {
        let context = try Library.store(backend).context()
        let books = try books(context)
        let (controller, recorder) = try list(context)
        books[1].author?.name = "Zola"
        context.processPendingChanges()
        #expect(recorder.copy.count == 3 && shown(controller) == [": 2 5", "Eliot: 1 4", "Woolf: 0 3"])
        books[5].title = "9"
        context.processPendingChanges()
        #expect(shown(controller) == [": 2 9", "Woolf: 0 3", "Zola: 1 4"])
        #expect(recorder.copy == objects(controller))
        books[0].author?.name = "Zweig"
        try controller.performFetch()
        #expect(shown(controller) == [": 2 9", "Zola: 1 4", "Zweig: 0 3"])
    }

    @Test func relatedObjectsAreReadTogetherAndHeld() throws {
        let store = try Library.store(.sqlite)
        let seeding = store.context()
        for number in 0..<300 { Book("\(number)", in: seeding).author = Author("\(number % 200)", in: seeding) }
        try seeding.save()
        let context = store.context()
        store.coordinator.resetStatistics()
        let (controller, recorder) = try list(context)
        #expect(recorder.copy.count == 200 && store.statementCount < 12)
        store.coordinator.resetStatistics()
        controller.fetchedObjects?[7].title = "new"
        context.processPendingChanges()
        #expect(store.statementCount == 0)
    }
}

import Foundation
import TestSupport
import Testing

@testable import ManagedStore

@Suite struct UndoTests {
    private func contextWithUndo(_ store: TestStore) -> ManagedObjectContext {
        let context = store.context()
        context.undoManager = UndoManager()
        return context
    }

    @Test(arguments: Backend.allCases) func changesAreTakenBackAndMadeAgain(_ backend: Backend) throws {
        let context = contextWithUndo(try Library.store(backend))
        let author = Author("a", in: context)
        try context.save()
        author.name = "b"
        context.processPendingChanges()
        author.name = "c"
        context.undo()
        #expect(author.name == "b")
        context.undo()
        #expect(author.name == "a")
        context.redo()
        #expect(author.name == "b")
        context.redo()
        #expect(author.name == "c" && context.undoManager?.canRedo == false)
    }

    @Test(arguments: Backend.allCases) func insertionsAndDeletionsAreTakenBack(_ backend: Backend) throws {
        let store = try Library.store(backend)
        let context = contextWithUndo(store)
        let author = Author("a", in: context)
        Book("1", in: context).author = author
        context.undo()
        #expect(!context.hasChanges && author.managedObjectContext == nil)
        context.redo()
        #expect(author.name == "a" && author.books.map(\.title) == ["1"])
        try context.save()
        let book = try #require(author.books.first)
        context.delete(book)
        #expect(author.books.isEmpty)
        context.undo()
        #expect(!book.isDeleted && author.books == [book] && book.author === author)
        context.redo()
        #expect(book.isDeleted)
        try context.save()
        context.undo()
        #expect(author.books.map(\.title) == ["1"])
        try context.save()
        let fresh = store.context()
        #expect(try fresh.only(Author.self, "name", "a")?.books.map(\.title) == ["1"])
    }

    @Test(arguments: Backend.allCases) func cascadesAndOrdersAreTakenBack(_ backend: Backend) throws {
        let context = contextWithUndo(try Library.store(backend))
        let book = Book("1", in: context)
        book.chapters = ["a", "b", "c"].map { Chapter($0, in: context) }
        book.tags = [Tag("t", in: context)]
        try context.save()
        context.delete(book)
        context.undo()
        #expect(book.chapters.map(\.title) == ["a", "b", "c"] && book.tags.map(\.name) == ["t"])
        book.chapters.swapAt(0, 2)
        context.undo()
        #expect(book.chapters.map(\.title) == ["a", "b", "c"])
        context.redo()
        #expect(book.chapters.map(\.title) == ["c", "b", "a"])
    }

    @Test func aGroupIsOneStep() throws {
        let context = contextWithUndo(try Library.store(.inMemory))
        let author = Author("a", in: context)
        try context.save()
        let manager = try #require(context.undoManager)
        manager.beginUndoGrouping()
        author.name = "b"
        context.processPendingChanges()
        author.name = "c"
        manager.endUndoGrouping()
        context.undo()
        #expect(author.name == "a")
        manager.disableUndoRegistration()
        author.name = "x"
        manager.enableUndoRegistration()
        #expect(manager.isUndoRegistrationEnabled)
        author.name = "y"
        context.undo()
        #expect(author.name == "x")
    }

    @Test func onlySoManyLevelsAreKept() throws {
        let context = contextWithUndo(try Library.store(.inMemory))
        context.undoManager?.levelsOfUndo = 2
        let author = Author("0", in: context)
        try context.save()
        for name in ["1", "2", "3"] {
            author.name = name
            context.processPendingChanges()
        }
        for _ in 0..<5 { context.undo() }
        #expect(author.name == "1" && context.undoManager?.canUndo == false)
        context.rollback()
        #expect(context.undoManager?.canRedo == false)
    }

    @Test func whatIsChangedAfterUndoingCannotBeRedone() throws {
        let context = contextWithUndo(try Library.store(.inMemory))
        let author = Author("a", in: context)
        try context.save()
        author.name = "b"
        context.undo()
        author.name = "c"
        context.redo()
        #expect(author.name == "c")
    }

    @Test func aFetchedResultsControllerFollows() throws {
        let context = contextWithUndo(try Library.store(.inMemory))
        let controller = FetchedResultsController(
            fetchRequest: FetchRequest(Author.self, sortBy: [SortDescriptor(\.name)]), managedObjectContext: context)
        let recorder = ListRecorderDelegate()
        controller.delegate = recorder
        try controller.performFetch()
        let author = Author("a", in: context)
        context.processPendingChanges()
        context.undo()
        #expect(controller.fetchedObjects?.isEmpty == true)
        context.redo()
        #expect(controller.fetchedObjects == [author])
    }

    /// What is seen of a library: all values and all relationships, by name.
    private func picture(_ context: ManagedObjectContext) throws -> [String] {
        let authors = try context.fetch(FetchRequest(Author.self, sortBy: [SortDescriptor(\.name)])).map { author in
            "\(author.name) of " + author.books.map(\.title).sorted().joined(separator: ",")
        }
        let tags = try context.fetch(FetchRequest(Tag.self, sortBy: [SortDescriptor(\.name)])).map { tag in
            "\(tag.name) of " + tag.books.map(\.title).joined(separator: ",")
        }
        let books = try context.fetch(FetchRequest(Book.self, sortBy: [SortDescriptor(\.title)]))
        return authors + tags
            + books.map { book in
                let tags = book.tags.map(\.name).sorted().joined(separator: ",")
                let chapters = book.chapters.map(\.title).joined(separator: ",")
                return
                    "\(book.title) by \(book.author?.name ?? "-") [\(tags)] (\(chapters)) \(book.cover?.colour ?? "-")"
            }
    }

    @Test(arguments: Backend.allCases, Array(1...8) as [UInt64])
    func anyStepsAreTakenBackAndMadeAgain(_ backend: Backend, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let context = contextWithUndo(try Library.store(backend))
        let authors = (0..<3).map { Author("a\($0)", in: context) }
        let tags = (0..<3).map { Tag("t\($0)", in: context) }
        let covers = (0..<2).map { Cover("c\($0)", in: context) }
        for number in 0..<4 { _ = Book("\(number)", in: context) }
        try context.save()
        context.undoManager?.removeAllActions()
        var pictures = [try picture(context)]
        for number in 0..<25 {
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let books = try context.fetch(FetchRequest(Book.self, sortBy: [SortDescriptor(\.title)]))
                guard let book = books.isEmpty ? nil : random.pick(books) else { continue }
                switch Int.random(in: 0..<8, using: &random) {
                case 0: book.title += "'"
                case 1: book.author = random.oneIn(4) ? nil : random.pick(authors)
                case 2: book.tags = Set(tags.filter { _ in random.oneIn(2) })
                case 3: book.add(Chapter("\(number)", in: context), to: Book.chapters)
                case 4: book.chapters.reverse()
                case 5:
                    book.cover =
                        random.oneIn(3)
                        ? nil
                        : random.pick(
                            covers.filter { !$0.isDeleted && !$0.state.contains(.isGone) } + [
                                Cover("n\(number)", in: context)
                            ])
                case 6: context.delete(book)
                default: Book("n\(number)", in: context).author = random.pick(authors)
                }
            }
            context.processPendingChanges()
            let now = try picture(context)
            if context.undoManager?.canUndo == true, now != pictures.last { pictures.append(now) }
            if random.oneIn(5) { try context.save() }
        }
        var seen = [try picture(context)]
        while context.undoManager?.canUndo == true {
            context.undo()
            let now = try picture(context)
            if now != seen.last { seen.append(now) }
        }
        #expect(seen == pictures.reversed())
        var again = [try picture(context)]
        while context.undoManager?.canRedo == true {
            context.redo()
            let now = try picture(context)
            if now != again.last { again.append(now) }
        }
        #expect(again == pictures)
        try context.save()
    }
}

/// Listens, so that a controller tracks.
private final class ListRecorderDelegate: FetchedResultsControllerDelegate {
    typealias Object = Author
}

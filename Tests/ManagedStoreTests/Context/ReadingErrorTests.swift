import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// What reading does when the store cannot be read: here, because it was taken away.
@Suite struct ReadingErrorTests {
    private struct Scene {
        let store: TestStore
        let context: ManagedObjectContext
        let author: Author
        let book: Book
        /// A book that was never read.
        let fault: Book
    }

    /// An author of two books whose store is gone, one of the books read and neither of the relationships.
    private func scene(_ backend: Backend) throws -> Scene {
        let store = try Library.store(backend)
        let seeding = store.context()
        let author = Author("a", in: seeding)
        let books = ["1", "2"].map { Book($0, in: seeding) }
        author.books = Set(books)
        books[0].chapters = [Chapter("c", in: seeding)]
        try seeding.save()
        let context = store.context()
        context.stalenessInterval = 0
        let mine = try context.existingObject(with: author.objectID, as: Author.self)
        let book = try context.existingObject(with: books[0].objectID, as: Book.self)
        let fault = context.object(with: books[1].objectID, as: Book.self)
        try store.coordinator.removePersistentStore()
        return Scene(store: store, context: context, author: mine, book: book, fault: fault)
    }

    @Test(arguments: Backend.allCases) func propertiesThatCannotBeReadReadAsMissing(_ backend: Backend) throws {
        let scene = try scene(backend)
        #expect(scene.context.readingError == nil)
        #expect(scene.author.books.isEmpty)
        #expect(scene.context.readingError?.code == .noStore)
        scene.context.clearReadingError()
        #expect(scene.book.chapters.isEmpty && scene.book.tags.isEmpty)
        #expect(scene.context.readingError?.code == .noStore)
        scene.context.clearReadingError()
        #expect(scene.fault.title == "" && scene.fault.isFault)
        #expect(scene.context.readingError?.code == .noStore)
    }

    @Test(arguments: Backend.allCases) func everyReadingHasAFormThatThrows(_ backend: Backend) throws {
        let scene = try scene(backend)
        expectError(.noStore) { try scene.fault.value(of: Book.title) }
        expectError(.noStore) { try scene.fault.value(of: Book.author) }
        expectError(.noStore) { try scene.author.value(of: Author.books) }
        expectError(.noStore) { try scene.book.value(of: Book.chapters) }
        for key in ["title", "author", "tags", "chapters", "cover"] {
            expectError(.noStore) { try scene.fault.value(forKey: key) }
        }
        expectError(.noStore) { try scene.fault.storedValue(forKey: "title") }
        expectError(.noStore) { try scene.fault.committedValues() }
        expectError(.noStore) { try scene.author.objectIDs(forRelationshipNamed: "books") }
        expectError(.noStore) { try scene.fault.objectIDs(forRelationshipNamed: "author") }
        expectError(.noStore) { try scene.fault.setValue("x", forKey: "title") }
        expectError(.noStore) { try scene.author.setValue(Set<Book>(), forKey: "books") }
        #expect(scene.context.readingError == nil && !scene.context.hasChanges)
    }

    /// Each time, and not only the first.
    @Test(arguments: Backend.allCases) func everyReadingOfWhatIsGoneThrows(_ backend: Backend) throws {
        let (context, book) = try goneBook(backend)
        for _ in 0..<2 {
            expectError(.objectNotFound) { try book.value(of: Book.title) }
            expectError(.objectNotFound) { try book.value(of: Book.author) }
            expectError(.objectNotFound) { try book.value(of: Book.chapters) }
            for key in ["title", "author", "tags", "chapters"] {
                expectError(.objectNotFound) { try book.value(forKey: key) }
            }
            for key in ["author", "chapters"] {
                expectError(.objectNotFound) { try book.objectIDs(forRelationshipNamed: key) }
            }
            #expect(book.title == "" && book.chapters.isEmpty && !book.isFault)
        }
        book.title = "set"
        #expect(try book.value(of: Book.title) == "set")
        #expect(!context.hasChanges)
    }

    @Test(arguments: Backend.allCases) func theIDsOfWhatIsGoneThrow(_ backend: Backend) throws {
        let (context, book) = try goneBook(backend)
        for _ in 0..<2 { expectError(.objectNotFound) { try book.objectIDs(forRelationshipNamed: "chapters") } }
        withExtendedLifetime(context) {}
    }

    /// A fault that another context has deleted.
    private func goneBook(_ backend: Backend) throws -> (ManagedObjectContext, Book) {
        let store = try Library.store(backend)
        let seeding = store.context()
        let book = Book("b", in: seeding)
        try seeding.save()
        let context = store.context()
        context.stalenessInterval = 0
        let fault = context.object(with: book.objectID, as: Book.self)
        seeding.delete(book)
        try seeding.save()
        return (context, fault)
    }

    @Test(arguments: Backend.allCases) func changesToWhatCannotBeReadAreNotMade(_ backend: Backend) throws {
        let scene = try scene(backend)
        scene.fault.title = "a title too long to lie in the row of an object"
        #expect(!scene.fault.hasChanges)
        scene.fault.author = scene.author
        scene.author.books = [scene.book]
        scene.author.books.insert(scene.fault)
        scene.author.remove(scene.fault, from: Author.books)
        scene.context.delete(scene.fault)
        #expect(!scene.fault.isDeleted)
        #expect(scene.context.readingError?.code == .noStore)
    }

    @Test(arguments: Backend.allCases, 0..<4) func aSaveThrowsForAChangeThatCouldNotBeMade(
        _ backend: Backend, _ change: Int
    ) throws {
        let scene = try scene(backend)
        switch change {
        case 0: scene.fault.title = "new"
        case 1: scene.context.delete(scene.fault)
        case 2: scene.author.books = []
        default: scene.fault.author = nil
        }
        #expect(scene.context.hasChanges, "code that saves only what has changed has to learn of it as well")
        expectError(.noStore) { try scene.context.save() }
        scene.context.clearReadingError()
        #expect(!scene.context.hasChanges)
        try scene.context.save()
    }

    /// What looked missing may have been taken for missing.
    @Test func nothingIsSavedAfterAReadingThatFailedUntilTheContextIsRolledBack() throws {
        let store = try Library.store(.sqlite)
        let context = store.context()
        let author = Author("a", in: context)
        author.books = [Book("1", in: context)]
        try context.save()
        author.name = "b"
        context.keep(StoreError(.storeFailure, "the disk is on fire"))
        let error = expectError(.storeFailure) { try context.save() }
        #expect(error?.message.contains("on fire") == true && error?.message.contains("rollback()") == true)
        #expect(author.name == "b" && context.hasChanges)
        context.rollback()
        #expect(context.readingError == nil)
        author.name = "c"
        try context.save()
        context.keep(StoreError(.storeFailure, "the disk is on fire"))
        context.clearReadingError()
        author.name = "d"
        try context.save()
        #expect(try store.context().only(Author.self, "name", "d") != nil)
    }

    /// Here the application reads when it is told of the changes.
    @Test(arguments: Backend.allCases) func aSaveThatThrowsForAReadingHasWrittenNothing(_ backend: Backend) throws {
        let store = try Library.store(backend)
        let context = store.context()
        let author = Author("a", in: context)
        try context.save()
        author.name = "b"
        let token = NotificationCenter.default.addObserver(
            forName: ManagedObjectContext.didChangeObjectsNotification, object: context, queue: nil
        ) { _ in context.keep(StoreError(.storeFailure, "the disk is on fire")) }
        defer { NotificationCenter.default.removeObserver(token) }
        expectError(.storeFailure) { try context.save() }
        #expect(try store.context().only(Author.self, "name", "b") == nil)
        #expect(author.hasChanges)
    }

    @Test(arguments: Backend.allCases) func aFetchThrowsWhatItsConditionCouldNotRead(_ backend: Backend) throws {
        let scene = try scene(backend)
        let context = scene.context
        let coordinator = scene.store.coordinator
        let fetch = FetchRequest(Book.self, predicate: .compare("author.name", .equal, "a"))
        expectError(.noStore) { try context.fetch(fetch) }
        expectError(.noStore) { try context.count(for: fetch) }
        #expect(context.readingError == nil)
        #expect(coordinator.storeIdentifier == nil)
    }

    @Test(arguments: Backend.allCases) func aChildOfAParentThatCannotReadThrows(_ backend: Backend) throws {
        let store = try Library.store(backend)
        let (author, book): (ManagedObjectID, ManagedObjectID) = try {
            let seeding = store.context()
            let author = Author("a", in: seeding)
            author.books = [Book("1", in: seeding)]
            try seeding.save()
            return (author.objectID, try #require(author.books.first).objectID)
        }()
        let parent = store.context()
        let child = try ManagedObjectContext(parent: parent)
        let mine = try child.existingObject(with: author, as: Author.self)
        try store.coordinator.removePersistentStore()
        expectError(.noStore) { try mine.value(of: Author.books) }
        #expect(child.object(with: book, as: Book.self).title == "")
        #expect(child.readingError?.code == .noStore && parent.readingError == nil)
    }

    @Test(arguments: Backend.allCases) func aFaultWhoseRowIsGoneReadsAsMissingWithoutAnError(_ backend: Backend) throws
    {
        let store = try Library.store(backend)
        let seeding = store.context()
        let book = Book("1", in: seeding)
        book.author = Author("a", in: seeding)
        try seeding.save()
        let context = store.context()
        let (id, fault) = (book.objectID, context.object(with: book.objectID, as: Book.self))
        seeding.delete(book)
        try seeding.save()
        #expect(fault.title == "" && fault.author == nil && fault.chapters.isEmpty)
        #expect(context.readingError == nil && fault.managedObjectContext == nil)
        let fresh = store.context()
        expectError(.objectNotFound) { try fresh.object(with: id, as: Book.self).value(of: Book.title) }
        expectError(.objectNotFound) { try fresh.object(with: id, as: Book.self).value(of: Book.chapters) }
        expectError(.objectNotFound) { try context.existingObject(with: id) }
    }

    @Test func anObjectWhoseContextIsGoneThrowsWhereItCan() throws {
        let store = try Library.store(.sqlite)
        let id = try {
            let seeding = store.context()
            let book = Book("1", in: seeding)
            try seeding.save()
            return book.objectID
        }()
        let book = try store.context().existingObject(with: id, as: Book.self)
        #expect(book.managedObjectContext == nil && book.title == "1")
        let error = expectError(.invalidRequest) { try book.value(of: Book.chapters) }
        #expect(error?.message.contains("keep the context") == true)
        expectError(.invalidRequest) { try book.objectIDs(forRelationshipNamed: "chapters") }
    }

    /// A merge takes the object out of its context before it was read.
    @Test(arguments: Backend.allCases) func aFaultThatAMergeFoundDeletedReadsAsMissing(_ backend: Backend) throws {
        let store = try Library.store(backend)
        let seeding = store.context()
        let book = Book("1", in: seeding)
        try seeding.save()
        let context = store.context()
        let fault = context.object(with: book.objectID, as: Book.self)
        seeding.delete(book)
        try seeding.save()
        try ManagedObjectContext.mergeChanges(ObjectIDChanges(deleted: ObjectIDSet([book.objectID])), into: [context])
        #expect(fault.title == "" && fault.chapters.isEmpty)
        fault.title = "x"
        #expect(fault.title == "x" && !context.hasChanges)
    }
}

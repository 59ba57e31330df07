import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// Ordinary code goes on although another context changed what it works with.
@Suite struct OthersChangesTests {
    /// A book with three chapters and two tags, saved, and in a context of its own.
    private func scene(_ backend: Backend) throws -> (TestStore, ManagedObjectContext, Book) {
        let store = try Library.store(backend)
        let seeding = store.context()
        let book = Book("1", in: seeding)
        book.author = Author("a", in: seeding)
        book.chapters = ["a", "b", "c"].map { Chapter($0, in: seeding) }
        book.tags = Set(["t", "u"].map { Tag($0, in: seeding) })
        try seeding.save()
        let context = store.context()
        return (store, context, try context.existingObject(with: book.objectID, as: Book.self))
    }

    private func delete(_ objects: [ManagedObject], in store: TestStore) throws {
        let other = store.context()
        for object in objects { other.delete(try other.existingObject(with: object.objectID)) }
        try other.save()
    }

    @Test(arguments: Backend.allCases, [true, false])
    func undoOfAListGoesOnWithoutAMemberThatWasDeletedElsewhere(_ backend: Backend, _ isMerged: Bool) throws {
        let (store, context, book) = try scene(backend)
        context.undoManager = UndoManager()
        let chapters = book.chapters
        book.chapters = [chapters[2], chapters[0]]
        book.tags = []
        context.processPendingChanges()
        try delete([chapters[1]], in: store)
        if isMerged {
            try ManagedObjectContext.mergeChanges(
                ObjectIDChanges(deleted: ObjectIDSet([chapters[1].objectID])), into: [context])
        }
        context.undo()
        #expect(book.chapters.contains(chapters[0]) && book.chapters.contains(chapters[2]))
        #expect(book.tags.count == 2)
        context.redo()
        #expect(book.chapters == [chapters[2], chapters[0]])
    }

    @Test(arguments: Backend.allCases) func aSetThatHoldsAnObjectPendingDeletionCanBeAddedTo(_ backend: Backend) throws
    {
        let (store, context, book) = try scene(backend)
        let loose = Tag("loose", in: context)
        try context.save()
        context.delete(loose)
        let other = store.context()
        let theirs = try other.existingObject(with: book.objectID, as: Book.self)
        theirs.tags.insert(try other.existingObject(with: loose.objectID, as: Tag.self))
        try other.save()
        try context.refresh(book, mergeChanges: true)
        let added = Tag("v", in: context)
        book.tags.insert(added)
        #expect(book.tags.contains(added))
        book.tags = book.tags
        book.add(loose, to: Book.tags)
        context.delete(try #require(book.tags.first { $0.name == "t" }))
        #expect(!context.deletedObjects.isEmpty)
    }

    @Test(arguments: Backend.allCases) func aListTakesNoFaultWhoseRowIsGone(_ backend: Backend) throws {
        let (store, context, book) = try scene(backend)
        let ids = book.chapters.map(\.objectID)
        let tag = try #require(book.tags.first).objectID
        let fresh = store.context()
        let mine = try fresh.existingObject(with: book.objectID, as: Book.self)
        let faults = ids.map { fresh.object(with: $0, as: Chapter.self) }
        let tags = [fresh.object(with: tag, as: Tag.self)]
        let another = Author("b", in: context)
        try context.save()
        let author = fresh.object(with: another.objectID, as: Author.self)
        try delete(book.chapters + [another] + Array(book.tags), in: store)
        mine.chapters = faults
        mine.tags = Set(tags)
        mine.author = author
        mine.add(faults[0], to: Book.chapters)
        #expect(mine.chapters.isEmpty && mine.tags.isEmpty && mine.author == nil)
        // And none that the context found out about.
        mine.chapters = faults
        #expect(mine.chapters.isEmpty && context.readingError == nil)
    }

    @Test(arguments: Backend.allCases) func anObjectWhoseDeletionWasSavedCanBeSetAndIsNotSaved(_ backend: Backend)
        throws
    {
        let (store, context, book) = try scene(backend)
        let tag = try #require(book.tags.first)
        let chapters = book.chapters
        context.delete(book)
        try context.save()
        book.title = "a title that is too long to lie in the row itself"
        #expect(book.title == "a title that is too long to lie in the row itself")
        book.title = "2"
        book.author = Author("b", in: context)
        book.tags = [tag]
        book.add(tag, to: Book.tags)
        book.chapters = chapters
        #expect(book.title == "2" && book.author == nil && book.tags.isEmpty)
        try context.save()
        #expect(try store.context().count(for: FetchRequest(Book.self)) == 0)
        expectError(.invalidRequest) { try book.setValue("x", forKey: "title") }
    }

    @Test(arguments: Backend.allCases) func anObjectLeftBehindByResetOrRollbackCanBeSet(_ backend: Backend) throws {
        let (_, context, book) = try scene(backend)
        let new = Book("new", in: context)
        context.rollback()
        new.title = "x"
        #expect(new.title == "x")
        let author = try #require(book.author)
        let fault = try #require(book.chapters.first)
        context.reset()
        book.title = "y"
        book.author = author
        fault.title = "z"
        #expect(book.title == "y" && fault.title == "z" && !context.hasChanges)
        // The cached row that others share is as it was.
        let again = try context.existingObject(with: book.objectID, as: Book.self)
        #expect(again.title == "1")
    }

    /// A child's save deletes in the parent, whose code need not know.
    @Test(arguments: Backend.allCases) func anObjectPendingDeletionCanBeSet(_ backend: Backend) throws {
        let (store, parent, book) = try scene(backend)
        let tag = try #require(book.tags.first)
        let child = try ManagedObjectContext(parent: parent)
        child.delete(try child.existingObject(with: book.objectID))
        try child.save()
        #expect(book.isDeleted)
        book.title = "2"
        book.tags = []
        book.add(tag, to: Book.tags)
        book.author = nil
        #expect(book.title == "2")
        parent.rollback()
        #expect(!book.isDeleted && book.title == "1" && book.tags.contains(tag))
        parent.delete(book)
        book.title = "3"
        try parent.save()
        #expect(try store.context().count(for: FetchRequest(Book.self)) == 0)
    }

    @Test(arguments: Backend.allCases) func deletingAFaultWhoseRowIsGoneDoesNothing(_ backend: Backend) throws {
        let (store, context, book) = try scene(backend)
        let chapter = try #require(book.chapters.first)
        let fresh = store.context()
        let fault = fresh.object(with: chapter.objectID)
        try delete([chapter], in: store)
        fresh.delete(fault)
        #expect(!fresh.hasChanges)
        try fresh.save()
        _ = context
    }
}

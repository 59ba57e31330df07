import Foundation
import Testing

@testable import ManagedStore

/// Unsaved changes of lists while others save, and while their members are refreshed.
@Suite struct UnsavedListTests {
    /// A book with the chapters a, b and c and one with d, read by a context and changed by another one.
    private struct Desk {
        let store: TestStore
        let context: ManagedObjectContext
        let other: ManagedObjectContext
        let books: [Book]
        let chapters: [String: Chapter]

        init(_ backend: Backend) throws {
            store = try Library.store(backend)
            (context, other) = (store.context(), store.context())
            let context = context
            books = ["1", "2"].map { Book($0, in: context) }
            chapters = Dictionary(uniqueKeysWithValues: ["a", "b", "c", "d"].map { ($0, Chapter($0, in: context)) })
            books[0].chapters = ["a", "b", "c"].compactMap { chapters[$0] }
            books[1].chapters = ["d"].compactMap { chapters[$0] }
            try context.save()
        }

        func order(_ titles: String, of book: Int) {
            books[book].chapters = titles.compactMap { chapters["\($0)"] }
        }

        /// What a book holds, for the context and after a save for a context that has read nothing yet.
        func expect(_ titles: String, of book: Int, at location: SourceLocation = #_sourceLocation) throws {
            #expect(books[book].chapters.map(\.title).joined() == titles, sourceLocation: location)
            context.relationshipTable._checkInvariants()
        }

        func expectSaved(_ titles: String, of book: Int, at location: SourceLocation = #_sourceLocation) throws {
            try context.save()
            try expect(titles, of: book, at: location)
            let reader = store.context()
            let fresh = try self.book(book, in: reader)
            #expect(fresh.chapters.map(\.title).joined() == titles, sourceLocation: location)
        }

        func chapter(_ title: String, in context: ManagedObjectContext) throws -> Chapter {
            let own = try #require(chapters[title])
            return try #require(try context.existingObject(with: own.objectID) as? Chapter)
        }

        func book(_ index: Int, in context: ManagedObjectContext) throws -> Book {
            try #require(try context.existingObject(with: books[index].objectID) as? Book)
        }

        /// The other context changes chapters and books, and the first one merges what it saves.
        func theyChange(_ body: (_ chapter: (String) throws -> Chapter, _ book: (Int) throws -> Book) throws -> Void)
            throws
        {
            let recorder = DidSaveRecorder(other)
            try body({ try chapter($0, in: other) }, { try book($0, in: other) })
            try other.save()
            try context.mergeChanges(fromContextDidSave: try #require(recorder.messages.last))
        }
    }

    @Test(arguments: Backend.strictCases) func anUnsavedOrderTakesInWhatOthersAddAndDelete(_ backend: Backend) throws {
        let desk = try Desk(backend)
        desk.order("cba", of: 0)
        try desk.theyChange { chapter, book in
            desk.other.delete(try chapter("b"))
            Chapter("z", in: desk.other).book = try book(0)
        }
        try desk.expect("caz", of: 0)
        try desk.expectSaved("caz", of: 0)
    }

    @Test(arguments: Backend.strictCases) func anUnsavedOrderKeepsWhatItAddedAndRemoved(_ backend: Backend) throws {
        let desk = try Desk(backend)
        desk.order("dca", of: 0)
        try desk.theyChange { _, book in Chapter("z", in: desk.other).book = try book(0) }
        try desk.expect("dcaz", of: 0)
        try desk.expectSaved("dcaz", of: 0)
        #expect(desk.books[1].chapters.isEmpty && desk.chapters["b"]?.book == nil)
    }

    @Test(arguments: Backend.strictCases) func freshValuesOfAMemberThatLeftAndCameBackKeepItsPlace(
        _ backend: Backend
    ) throws {
        let desk = try Desk(backend)
        let chapter = try #require(desk.chapters["a"])
        chapter.book = nil
        chapter.book = desk.books[0]
        try desk.theyChange { chapter, _ in try chapter("a").title = "A" }
        try desk.expect("bcA", of: 0)
        try desk.expectSaved("bcA", of: 0)
    }

    @Test(arguments: Backend.strictCases) func aMoveThatBothMakeIsMadeOnce(_ backend: Backend) throws {
        let desk = try Desk(backend)
        let chapter = try #require(desk.chapters["a"])
        chapter.book = desk.books[1]
        try desk.theyChange { chapter, book in try chapter("a").book = try book(1) }
        #expect(chapter.book === desk.books[1])
        try desk.expect("da", of: 1)
        try desk.expectSaved("da", of: 1)
        desk.context.delete(desk.books[1])
        try desk.context.save()
        #expect(try desk.store.context().count(for: FetchRequest(Chapter.self)) == 2)
    }

    @Test(arguments: Backend.strictCases) func aMoveThatWasDroppedHidesNoLaterOne(_ backend: Backend) throws {
        let desk = try Desk(backend)
        let context = desk.store.context()
        let (chapter, book) = (try desk.chapter("a", in: context), try desk.book(1, in: context))
        chapter.book = book
        try context.refresh(chapter, mergeChanges: false)
        let recorder = DidSaveRecorder(desk.context)
        desk.chapters["a"]?.book = desk.books[1]
        try desk.context.save()
        try context.mergeChanges(fromContextDidSave: try #require(recorder.messages.last))
        #expect(chapter.book === book && book.chapters.map(\.title) == ["d", "a"])
    }

    @Test(arguments: Backend.strictCases) func aRefreshedMemberReturnsToAListWithAnUnsavedOrder(
        _ backend: Backend
    ) throws {
        let desk = try Desk(backend)
        let chapter = try #require(desk.chapters["a"])
        desk.order("cba", of: 0)
        desk.context.delete(chapter)
        try desk.expect("cb", of: 0)
        try desk.context.refresh(chapter, mergeChanges: false)
        try desk.expect("cba", of: 0)
        chapter.book = desk.books[1]
        try desk.context.refresh(chapter, mergeChanges: false)
        try desk.expect("cba", of: 0)
        try desk.expectSaved("cba", of: 0)
    }

    @Test(arguments: Backend.strictCases) func freshValuesOfMembersKeepAnUnsavedOrder(_ backend: Backend) throws {
        let desk = try Desk(backend)
        desk.order("adb", of: 1)
        try desk.theyChange { chapter, _ in try chapter("a").title = "A" }
        try desk.expect("Adb", of: 1)
        try desk.context.refreshAllObjects()
        try desk.expect("Adb", of: 1)
        try desk.expectSaved("Adb", of: 1)
    }

    @Test(arguments: Backend.strictCases) func aMemberThatOthersDeleteLeavesTheListItMovedTo(_ backend: Backend) throws
    {
        let desk = try Desk(backend)
        desk.chapters["a"]?.book = desk.books[1]
        try desk.theyChange { chapter, _ in desk.other.delete(try chapter("a")) }
        try desk.expect("d", of: 1)
        try desk.expect("bc", of: 0)
        try desk.expectSaved("d", of: 1)
    }
}

import TestSupport
import Testing

@testable import ManagedStore

/// Moves between to-many relationships whose members were not read. The context notes them, and enters them in lists
/// only when the members are read.
@Suite struct UnreadRelationshipTests {
    /// Returns two authors, the first with the books 0 to 9, the other with none, in a context that has read no books.
    private func authors(_ store: TestStore) throws -> (context: ManagedObjectContext, first: Author, second: Author) {
        let context = store.context()
        let author = Author("first", in: context)
        for number in 0..<10 { Book("\(number)", in: context).author = author }
        _ = Author("second", in: context)
        try context.save()
        let fresh = store.context()
        return (
            fresh, try #require(try fresh.only(Author.self, "name", "first")),
            try #require(try fresh.only(Author.self, "name", "second"))
        )
    }

    /// Moves the even books to the second author.
    private func move(_ context: ManagedObjectContext, to second: Author) throws {
        for book in try context.fetch(FetchRequest(Book.self)) where Int(book.title)! % 2 == 0 { book.author = second }
    }

    private func titles(_ author: Author) -> [String] { author.books.map(\.title).sorted() }

    private let even = ["0", "2", "4", "6", "8"]
    private let odd = ["1", "3", "5", "7", "9"]

    /// What the context knew of the list of an object goes with the object, also of one that nothing else held.
    @Test(arguments: Backend.strictCases) func theListOfAnObjectThatIsGoneIsReadAnew(_ backend: Backend) throws {
        let store = try Library.store(backend)
        let (context, other) = (store.context(), store.context())
        do {
            let author = Author("a", in: context)
            author.books = [Book("1", in: context)]
            try context.save()
        }
        Book("2", in: other).author = try other.only(Author.self, "name", "a")
        try other.save()
        let author = try #require(try context.only(Author.self, "name", "a"))
        #expect(titles(author) == ["1", "2"])
    }

    /// A save of many objects leaves no trace of the lists that the program never read.
    @Test func aSaveForgetsListsThatWereNeverRead() throws {
        let context = try Library.store(.inMemory).context()
        for number in 0..<20 { _ = Tag("\(number)", in: context) }
        try context.save()
        for tag in try context.fetch(FetchRequest(Tag.self)) { Book(tag.name, in: context).tags.insert(tag) }
        try context.save()
        context.forgetOrphans()
        #expect(context.relationshipTable.slots.isEmpty)
    }

    @Test(arguments: Backend.strictCases) func laterReadsSeeUnsavedMoves(_ backend: Backend) throws {
        let (context, first, second) = try authors(try Library.store(backend))
        try move(context, to: second)
        #expect(!context.relationshipTable.notes.isEmpty)
        #expect(titles(first) == odd && titles(second) == even)
        #expect(context.relationshipTable.notes.isEmpty)
    }

    @Test(arguments: Backend.strictCases) func laterReadsSeeSavedMoves(_ backend: Backend) throws {
        let store = try Library.store(backend)
        let (context, first, second) = try authors(store)
        try move(context, to: second)
        try context.save()
        // The members were not read, so nothing was entered in any list.
        #expect(context.relationshipTable.isEmpty)
        #expect(titles(first) == odd && titles(second) == even)
    }

    @Test(arguments: Backend.strictCases) func aSaveKeepsListsCorrectThatWereRead(_ backend: Backend) throws {
        let (context, first, second) = try authors(try Library.store(backend))
        #expect(first.books.count == 10)
        try move(context, to: second)
        try context.save()
        // The list of the first one was read before, that of the second one was not.
        #expect(titles(first) == odd && titles(second) == even)
        context.relationshipTable._checkInvariants()
    }

    @Test(arguments: Backend.strictCases) func newOwnersAndMembersGetTheirPermanentKeys(_ backend: Backend) throws {
        let context = try Library.store(backend).context()
        let (read, unread) = (Author("read", in: context), Author("unread", in: context))
        #expect(read.books.isEmpty)
        for number in 0..<4 { Book("\(number)", in: context).author = number < 2 ? read : unread }
        try context.obtainPermanentIDs(for: [unread])
        Book("4", in: context).author = unread
        try context.save()
        #expect(titles(read) == ["0", "1"] && titles(unread) == ["2", "3", "4"])
        context.relationshipTable._checkInvariants()
    }

    @Test(arguments: Backend.strictCases) func aRollbackForgetsUnreadMoves(_ backend: Backend) throws {
        let (context, first, second) = try authors(try Library.store(backend))
        try move(context, to: second)
        context.rollback()
        #expect(titles(first).count == 10 && second.books.isEmpty)
    }

    @Test(arguments: Backend.strictCases) func aDeletionAfterAMoveWins(_ backend: Backend) throws {
        let (context, first, second) = try authors(try Library.store(backend))
        try move(context, to: second)
        context.delete(try #require(try context.only(Book.self, "title", "4")))
        context.delete(try #require(try context.only(Book.self, "title", "5")))
        try context.save()
        #expect(titles(first) == ["1", "3", "7", "9"] && titles(second) == ["0", "2", "6", "8"])
    }

    @Test func anObjectThatMovesAgainAndAgainTakesNoMemory() throws {
        let (context, first, second) = try authors(try Library.store(.sqlite))
        let book = try #require(try context.only(Book.self, "title", "1"))
        for _ in 0..<1000 {
            book.author = second
            book.author = first
        }
        #expect(context.relationshipTable.notes.count < 200)
        #expect(titles(first).count == 10 && second.books.isEmpty)
    }

    // MARK: As an array

    @Test(arguments: Backend.strictCases) func theArrayHasTheObjectsOfTheSet(_ backend: Backend) throws {
        let (context, first, second) = try authors(try Library.store(backend))
        try move(context, to: second)
        #expect(Set(first.objects(of: Author.books)) == first.books)
        #expect(second.objects(of: Author.books).map(\.title).sorted() == even)
    }

    @Test func theArrayOfAnOrderedRelationshipIsInOrder() throws {
        let context = try Library.store(.sqlite).context()
        let book = Book("1", in: context)
        book.chapters = ["c", "a", "b"].map { Chapter($0, in: context) }
        try context.save()
        context.reset()
        let found = try #require(try context.only(Book.self, "title", "1"))
        #expect(found.objects(of: Book.chapters).map(\.title) == ["c", "a", "b"])
    }

    // MARK: Added to an order

    /// Returns the books "1", with the chapters c, a and b, and "2", without any, in a context that has read no
    /// chapters.
    private func books(_ store: TestStore) throws -> (context: ManagedObjectContext, first: Book, second: Book) {
        let context = store.context()
        Book("1", in: context).chapters = ["c", "a", "b"].map { Chapter($0, in: context) }
        _ = Book("2", in: context)
        try context.save()
        let fresh = store.context()
        return (
            fresh, try #require(try fresh.only(Book.self, "title", "1")),
            try #require(try fresh.only(Book.self, "title", "2"))
        )
    }

    private func titles(inOrderOf store: TestStore) throws -> [String] {
        let context = store.context()
        return try #require(try context.only(Book.self, "title", "1")).chapters.map(\.title)
    }

    @Test(arguments: Backend.strictCases) func newObjectsComeLastInAnOrderThatIsNotRead(_ backend: Backend) throws {
        let store = try Library.store(backend)
        let (context, first, second) = try books(store)
        for (title, book) in [("z", first), ("x", second), ("y", first)] { Chapter(title, in: context).book = book }
        let position = try #require(first.entity.relationships.firstIndex { $0.name == "chapters" })
        let list = RelationshipTable.Slot(owner: ObjectReference(first), relationship: position)
        try context.save()
        Chapter("w", in: context).book = first
        try context.save()
        if backend == .sqlite { #expect(!context.relationshipTable.isKnown(list)) }
        let contexts = [context, store.context()]
        for context in contexts {
            let first = try #require(try context.only(Book.self, "title", "1"))
            let second = try #require(try context.only(Book.self, "title", "2"))
            #expect(first.chapters.map(\.title) == ["c", "a", "b", "z", "y", "w"])
            #expect(second.chapters.map(\.title) == ["x"])
        }
    }

    /// A place after the greatest number there is would be before all others, and a text is after all numbers.
    @Test(
        arguments: ["9223372036854775807", "9223372036854775806", "9223372036854775805", "-1", "'x'", "x'00'"], 1...2)
    func newObjectsComeLastAfterAnyPlace(place: String, count: Int) throws {
        let store = try Library.store(.sqlite)
        let (context, first, _) = try books(store)
        try store.database().execute("UPDATE ZCHAPTER SET Z_FOK_BOOK = \(place) WHERE ZTITLE = 'b'")
        let known = try titles(inOrderOf: store)
        let new = ["y", "z"].prefix(count)
        for title in new { Chapter(title, in: context).book = first }
        try context.save()
        #expect(try titles(inOrderOf: store) == known + new)
    }

    @Test func theArrayOfAToOneRelationshipHasOneObjectOrNone() throws {
        let (context, first, _) = try authors(try Library.store(.sqlite))
        let book = try #require(try context.only(Book.self, "title", "1"))
        #expect(book.objects(of: Book.author) == [first])
        book.author = nil
        #expect(book.objects(of: Book.author).isEmpty)
    }
}

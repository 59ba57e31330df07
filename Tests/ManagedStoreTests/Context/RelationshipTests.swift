import Foundation
import TestSupport
import Testing

@testable import ManagedStore

@Suite struct RelationshipTests {
    @Test(arguments: Backend.strictCases) func eitherEndSetsBoth(_ backend: Backend) throws {
        let context = try Library.store(backend).context()
        let (author, other) = (Author("a", in: context), Author("b", in: context))
        let (first, second) = (Book("1", in: context), Book("2", in: context))
        first.author = author
        #expect(author.books == [first])
        author.books.insert(second)
        #expect(second.author === author)
        other.books = [first, second]
        #expect(author.books.isEmpty)
        #expect(first.author === other && second.author === other)
        first.author = nil
        #expect(other.books == [second])
    }

    @Test(arguments: Backend.strictCases) func whatWasSavedIsThereInAnotherContext(_ backend: Backend) throws {
        let store = try Library.store(backend)
        let context = store.context()
        let author = Author("a", in: context)
        author.books = [Book("1", in: context), Atlas("2", in: context)]
        try context.save()
        #expect(author.books.count == 2)
        let fresh = store.context()
        let found = try #require(try fresh.only(Author.self, "name", "a"))
        #expect(Set(found.books.map(\.title)) == ["1", "2"])
        #expect(found.books.contains { $0 is Atlas })
        #expect(found.books.allSatisfy { $0.author === found })
        #expect(!fresh.hasChanges)
    }

    /// An author without a reference is not read again for each of the books.
    @Test func whoWasFollowedIsNotReadAgain() throws {
        let store = try Library.store(.sqlite)
        do {
            let context = store.context()
            Author("a", in: context).books = Set((0..<10).map { Book("\($0)", in: context) })
            try context.save()
        }
        let fresh = store.context()
        let books = try fresh.fetch(FetchRequest(Book.self))
        #expect(books.first?.author?.name == "a")
        try store.database().execute("UPDATE ZAUTHOR SET ZNAME = 'read again'")
        #expect(books.allSatisfy { $0.author?.name == "a" })
        fresh.reset()
        let anew = try fresh.fetch(FetchRequest(Book.self))
        #expect(anew.allSatisfy { $0.author?.name == "read again" })
    }

    /// A store with books that each have an author of their own.
    private func storeWithAuthors(_ count: Int) throws -> TestStore {
        let store = try Library.store(.sqlite)
        let context = store.context()
        for number in 0..<count { Book("\(number)", in: context).author = Author("\(number)", in: context) }
        try context.save()
        return store
    }

    @Test func thoseWhoWereFollowedAreHeldWithAsManyOthers() throws {
        let count = 3 * FollowedObjects.least + 100
        let store = try storeWithAuthors(count)
        let context = store.context()
        let books = try context.fetch(FetchRequest(Book.self))
        for _ in 1...2 { #expect(books.allSatisfy { $0.author?.name == $0.title }) }
        #expect(context.registeredObjects.count == 2 * count)
        try store.database().execute("UPDATE ZAUTHOR SET ZNAME = 'read again'")
        #expect(books.allSatisfy { $0.author?.name == $0.title })
    }

    @Test func onlySoManyOfThoseWhoWereFollowedAreHeld() throws {
        let count = 2 * FollowedObjects.least + 100
        let context = try storeWithAuthors(count).context()
        func firstOfAll() throws -> Book {
            let books = try context.fetch(FetchRequest(Book.self))
            #expect(books.allSatisfy { $0.author?.name == $0.title })
            return books[0]
        }
        let first = try firstOfAll()
        #expect(context.registeredObjects.count == count + 1)
        #expect(try context.count(for: FetchRequest(Book.self)) == count)
        #expect(context.registeredObjects.count == FollowedObjects.least + 1)
        #expect(first.author?.name == first.title)
    }

    @Test(arguments: Backend.strictCases) func aToOneIsFollowedWithoutTheOtherEndBeingRead(_ backend: Backend) throws {
        let store = try Library.store(backend)
        let context = store.context()
        let book = Book("1", in: context)
        book.author = Author("a", in: context)
        try context.save()
        let fresh = store.context()
        let found = try #require(try fresh.only(Book.self, "title", "1"))
        let author = try #require(found.author)
        #expect(author.isFault)
        #expect(author.objectID == book.author?.objectID)
        #expect(author.name == "a")
        #expect(author.books == [found])
    }

    @Test(arguments: Backend.strictCases) func oneToOneTakesThePartnerAway(_ backend: Backend) throws {
        let store = try Library.store(backend)
        let context = store.context()
        let (first, second) = (Book("1", in: context), Book("2", in: context))
        let (red, blue) = (Cover("red", in: context), Cover("blue", in: context))
        first.cover = red
        second.cover = blue
        try context.save()
        blue.book = first
        #expect(first.cover === blue && second.cover == nil && red.book == nil)
        try context.save()
        let fresh = store.context()
        #expect(try fresh.only(Book.self, "title", "1")?.cover?.colour == "blue")
        #expect(try fresh.only(Book.self, "title", "2")?.cover == nil)
        #expect(try fresh.only(Cover.self, "colour", "red")?.book == nil)
    }

    @Test(arguments: Backend.strictCases) func manyToManyKeepsBothEnds(_ backend: Backend) throws {
        let store = try Library.store(backend)
        let context = store.context()
        let (first, second) = (Book("1", in: context), Book("2", in: context))
        let (fun, old) = (Tag("fun", in: context), Tag("old", in: context))
        first.tags = [fun, old]
        fun.books.append(second)
        #expect(second.tags == [fun] && fun.books == [first, second] && old.books == [first])
        try context.save()
        let other = store.context()
        let book = try #require(try other.only(Book.self, "title", "1"))
        #expect(Set(book.tags.map(\.name)) == ["fun", "old"])
        book.tags.remove(try #require(book.tags.first { $0.name == "fun" }))
        try other.save()
        let fresh = store.context()
        #expect(try fresh.only(Tag.self, "name", "fun")?.books.map(\.title) == ["2"])
        #expect(try fresh.only(Tag.self, "name", "old")?.books.map(\.title) == ["1"])
    }

    @Test(arguments: Backend.strictCases) func aRelationshipCanBeItsOwnInverse(_ backend: Backend) throws {
        let store = try Library.store(backend)
        let context = store.context()
        let (ann, bob) = (Author("ann", in: context), Author("bob", in: context))
        ann.friends = [bob, ann]
        #expect(bob.friends == [ann])
        try context.save()
        let fresh = store.context()
        #expect(try fresh.only(Author.self, "name", "bob")?.friends.map(\.name) == ["ann"])
        let found = try #require(try fresh.only(Author.self, "name", "ann"))
        #expect(Set(found.friends.map(\.name)) == ["ann", "bob"])
        found.friends = []
        try fresh.save()
        let last = store.context()
        #expect(try last.only(Author.self, "name", "bob")?.friends.isEmpty == true)
    }

    @Test(arguments: Backend.strictCases) func anEntityCanBeRelatedToItself(_ backend: Backend) throws {
        let store = try Library.store(backend)
        let context = store.context()
        let (master, pupil) = (Author("master", in: context), Author("pupil", in: context))
        pupil.mentor = master
        #expect(master.pupils == [pupil])
        try context.save()
        let fresh = store.context()
        #expect(try fresh.only(Author.self, "name", "pupil")?.mentor?.name == "master")
    }

    @Test(arguments: Backend.strictCases) func anOrderIsKept(_ backend: Backend) throws {
        let store = try Library.store(backend)
        let context = store.context()
        let book = Book("b", in: context)
        book.chapters = ["3", "1", "2"].map { Chapter($0, in: context) }
        try context.save()
        let other = store.context()
        let found = try #require(try other.only(Book.self, "title", "b"))
        #expect(found.chapters.map(\.title) == ["3", "1", "2"])
        found.chapters.swapAt(0, 2)
        Chapter("4", in: other).book = found
        found.chapters.insert(Chapter("0", in: other), at: 1)
        #expect(found.chapters.map(\.title) == ["2", "0", "1", "3", "4"])
        try other.save()
        #expect(found.chapters.map(\.title) == ["2", "0", "1", "3", "4"])
        let fresh = store.context()
        #expect(try fresh.only(Book.self, "title", "b")?.chapters.map(\.title) == ["2", "0", "1", "3", "4"])
        #expect(Set(try fresh.fetch(FetchRequest(Chapter.self)).compactMap(\.book)).count == 1)
    }

    @Test(arguments: Backend.strictCases) func anOrderOfManyToManyIsKept(_ backend: Backend) throws {
        let store = try Library.store(backend)
        let context = store.context()
        let tag = Tag("t", in: context)
        tag.books = ["b", "c", "a"].map { Book($0, in: context) }
        try context.save()
        tag.books.reverse()
        tag.books.append(Book("d", in: context))
        try context.save()
        let fresh = store.context()
        #expect(try fresh.only(Tag.self, "name", "t")?.books.map(\.title) == ["a", "c", "b", "d"])
    }

    @Test(arguments: Backend.strictCases) func rollbackUndoesRelationships(_ backend: Backend) throws {
        let store = try Library.store(backend)
        let context = store.context()
        let (author, book, tag) = (Author("a", in: context), Book("1", in: context), Tag("t", in: context))
        book.author = author
        book.tags = [tag]
        try context.save()
        book.author = nil
        tag.books = []
        author.books.insert(Book("2", in: context))
        context.rollback()
        #expect(book.author === author && author.books == [book])
        #expect(book.tags == [tag] && tag.books == [book])
        #expect(!context.hasChanges)
    }

    @Test(arguments: Backend.strictCases) func aRefreshedObjectIsBackWhereItWas(_ backend: Backend) throws {
        let store = try Library.store(backend)
        let context = store.context()
        let (author, other, book) = (Author("a", in: context), Author("b", in: context), Book("1", in: context))
        book.author = author
        try context.save()
        book.author = other
        try context.refresh(book, mergeChanges: false)
        #expect(author.books == [book] && other.books.isEmpty && book.author === author)
        context.delete(book)
        #expect(author.books.isEmpty)
        try context.refresh(book, mergeChanges: false)
        #expect(author.books == [book])
    }

    @Test(arguments: Backend.strictCases) func anotherContextsSaveIsMerged(_ backend: Backend) throws {
        let store = try Library.store(backend)
        let (context, background) = (store.context(), store.context())
        let (author, book, tag) = (Author("a", in: context), Book("1", in: context), Tag("t", in: context))
        try context.save()
        #expect(author.books.isEmpty && tag.books.isEmpty)
        let merger = DidSaveRecorder(background)
        let theirs = try #require(try background.only(Book.self, "title", "1"))
        theirs.author = try background.only(Author.self, "name", "a")
        theirs.tags = Set(try background.fetch(FetchRequest(Tag.self)))
        Book("2", in: background).author = theirs.author
        try background.save()
        let mine = Book("3", in: context)
        mine.author = author
        try context.mergeChanges(fromContextDidSave: try #require(merger.messages.last))
        #expect(Set(author.books.map(\.title)) == ["1", "2", "3"])
        #expect(book.author === author && tag.books == [book])
    }

    @Test(arguments: Backend.strictCases) func permanentIDsMayBeObtainedInBetween(_ backend: Backend) throws {
        let store = try Library.store(backend)
        let context = store.context()
        let (author, book, tag) = (Author("a", in: context), Book("1", in: context), Tag("t", in: context))
        book.author = author
        book.tags = [tag]
        try context.obtainPermanentIDs(for: [author, tag])
        #expect(book.author === author && author.books == [book] && book.tags == [tag] && tag.books == [book])
        try context.save()
        let fresh = store.context()
        let found = try #require(try fresh.only(Book.self, "title", "1"))
        #expect(found.author?.name == "a" && found.tags.map(\.name) == ["t"])
    }

    @Test(arguments: Backend.strictCases) func aFailedSaveKeepsRelationships(_ backend: Backend) throws {
        let store = try Library.store(backend)
        let context = store.context()
        let (author, book) = (Author("a", in: context), Book("1", in: context))
        book.author = author
        let nameless = Tag(context: context)
        nameless.books = [book]
        #expect(throws: StoreError.self) { try context.save() }
        nameless.name = "named"
        try context.save()
        let fresh = store.context()
        let found = try #require(try fresh.only(Book.self, "title", "1"))
        #expect(found.author?.name == "a" && found.tags.map(\.name) == ["named"])
    }

    @Test(arguments: Backend.strictCases) func relationshipsAreReadAndSetByKey(_ backend: Backend) throws {
        let store = try Library.store(backend)
        let context = store.context()
        let (author, book) = (Author("a", in: context), Book("1", in: context))
        try book.setValue(author, forKey: "author")
        #expect(try author.value(forKey: "books") as? Set<ManagedObject> == [book])
        #expect(try book.value(forKey: "author") as? ManagedObject === author)
        try book.setValue([Chapter("x", in: context)], forKey: "chapters")
        #expect((try book.value(forKey: "chapters") as? [ManagedObject])?.count == 1)
        #expect(throws: StoreError.self) { try book.setValue(book, forKey: "author") }
        #expect(throws: StoreError.self) { try book.setValue(author, forKey: "chapters") }
        #expect(throws: StoreError.self) { try book.setValue("a", forKey: "author") }
        try context.save()
        #expect(try book.committedValues(forKeys: ["author"]) == ["author": .objectID(author.objectID)])
        book.author = nil
        #expect(book.changedValues() == ["author": .null])
        #expect(try author.objectIDs(forRelationshipNamed: "books").isEmpty)
    }

    @Test(arguments: Backend.strictCases, [false, true])
    func whatLeavesAListAndComesBackChangesNothing(_ backend: Backend, _ isRead: Bool) throws {
        let store = try Library.store(backend)
        let context = store.context()
        context.undoManager = UndoManager()
        let (author, tag) = (Author("a", in: context), Tag("t", in: context))
        let books = ["1", "2"].map { Book($0, in: context) }
        let chapters = ["1", "2"].map { Chapter($0, in: context) }
        (author.books, books[0].tags, books[0].chapters) = (Set(books), [tag], chapters)
        try context.save()
        try context.refreshAllObjects()
        if isRead { #expect(author.books.count == 2 && books[0].tags.count == 1 && books[0].chapters.count == 2) }
        books[1].author = nil
        #expect(author.changedValues() == ["books": .objectIDs([books[0].objectID])])
        books[1].author = author
        tag.remove(books[0], from: Tag.books)
        tag.add(books[0], to: Tag.books)
        chapters[1].book = nil
        chapters[1].book = books[0]
        for object in [author, tag] + books + chapters as [ManagedObject] {
            #expect(object.changedValues().isEmpty, "\(object)")
        }
        chapters[0].book = nil
        chapters[0].book = books[0]
        let order = [chapters[1], chapters[0]].map(\.objectID)
        #expect(books[0].changedValues() == ["chapters": .objectIDs(order)])
        context.rollback()
        context.delete(books[1])
        #expect(author.changedValues() == ["books": .objectIDs([books[0].objectID])])
        context.undo()
        #expect(author.changedValues().isEmpty && !books[1].isDeleted)
    }

    @Test(arguments: Backend.strictCases) func committedListsAreTheStores(_ backend: Backend) throws {
        let context = try Library.store(backend).context()
        let (author, book) = (Author("a", in: context), Book("1", in: context))
        let chapters = ["1", "2"].map { Chapter($0, in: context) }
        (book.author, book.chapters) = (author, chapters)
        #expect(try author.committedValues(forKeys: ["books"]) == ["books": .objectIDs([])])
        try context.save()
        try context.refreshAllObjects()
        (book.author, book.chapters) = (nil, [chapters[1], chapters[0]])
        #expect(try author.committedValues(forKeys: ["books"]) == ["books": .objectIDs([book.objectID])])
        #expect(try book.committedValues(forKeys: ["chapters"]) == ["chapters": .objectIDs(chapters.map(\.objectID))])
        #expect(try book.committedValues()["chapters"] == nil)
        #expect(book.chapters == [chapters[1], chapters[0]])
    }

    @Test(arguments: Backend.strictCases) func relatedObjectsComeAndGoByTheNameOfTheRelationship(
        _ backend: Backend
    ) throws {
        let store = try Library.store(backend)
        let context = store.context()
        let (book, tags) = (Book("1", in: context), ["a", "b", "c"].map { Tag($0, in: context) })
        book.tags = [tags[0], tags[1]]
        try context.save()
        try book.add(tags[2], toRelationshipNamed: "tags")
        try book.add(tags[1], toRelationshipNamed: "tags")
        try tags[0].remove(book, fromRelationshipNamed: "books")
        expectError(.unknownKey) { try book.add(tags[0], toRelationshipNamed: "tag") }
        expectError(.unknownKey) { try book.remove(tags[0], fromRelationshipNamed: "tag") }
        #expect(book.tags == [tags[1], tags[2]])
        try context.save()
        let fresh = store.context()
        #expect(try fresh.only(Book.self, "title", "1")?.tags.map(\.name).sorted() == ["b", "c"])
    }

    @Test(arguments: Backend.strictCases) func aPredicateComparesToOneWithAnObject(_ backend: Backend) throws {
        let store = try Library.store(backend)
        let context = store.context()
        let author = Author("a", in: context)
        author.books = [Book("1", in: context), Book("2", in: context)]
        _ = Book("3", in: context)
        try context.save()
        let fresh = store.context()
        let of = FetchRequest(
            Book.self, sortBy: [SortDescriptor(\.title)], predicate: .compare("author", .equal, author.objectID))
        #expect(try fresh.fetch(of).map(\.title) == ["1", "2"])
        var none = of
        none.predicate = .isNil("author")
        #expect(try fresh.fetch(none).map(\.title) == ["3"])
        none.predicate = .compare("author", .less, author.objectID)
        #expect(throws: StoreError.self) { try fresh.fetch(none) }
    }

    @Test(arguments: Backend.strictCases) func aToManyIsReadInOneQuery(_ backend: Backend) throws {
        let store = try Library.store(backend)
        let context = store.context()
        let author = Author("a", in: context)
        for number in 0..<1_000 { Book("\(number)", in: context).author = author }
        try context.save()
        let fresh = store.context()
        let found = try #require(try fresh.only(Author.self, "name", "a"))
        store.coordinator.resetStatistics()
        #expect(Set(found.books.map(\.title)).count == 1_000)
        if backend == .sqlite { #expect(store.coordinator.statistics.statements == 1) }
    }

    @Test func newObjectsAreWrittenWithTheirPlaces() throws {
        let store = try Library.store(.sqlite)
        let context = store.context()
        let books = (0..<2).map { Book("\($0)", in: context) }
        let chapters = (0..<200).map { Chapter("\($0)", in: context) }
        books[0].chapters = chapters[..<150].reversed()
        books[1].chapters = Array(chapters[150...])
        store.coordinator.resetStatistics()
        try context.save()
        #expect(store.statementCount < 30)
        let orders = try store.database().lines("SELECT Z_FOK_BOOK FROM ZCHAPTER ORDER BY Z_PK")
        #expect(orders == ((1...150).reversed() + Array(1...50)).map(String.init))
    }

    @Test func appendingToAnOrderWritesOneNumber() throws {
        let store = try Library.store(.sqlite)
        let context = store.context()
        let book = Book("b", in: context)
        book.chapters = (0..<100).map { Chapter("\($0)", in: context) }
        try context.save()
        let orders = { try store.database().lines("SELECT Z_FOK_BOOK FROM ZCHAPTER ORDER BY Z_PK") }
        #expect(try orders() == (1...100).map(String.init))
        store.coordinator.resetStatistics()
        Chapter("last", in: context).book = book
        try context.save()
        #expect(store.statementCount < 10)
        #expect(try orders().last == "101")
    }

    @Test func whatWasReadGoesWithItsObject() throws {
        let store = try Library.store(.sqlite)
        let context = store.context()
        Author("a", in: context).books = [Book("1", in: context)]
        try context.save()
        let fresh = store.context()
        for _ in 0..<3 {
            #expect(try fresh.only(Author.self, "name", "a")?.books.count == 1)
            let other = store.context()
            let author = try #require(try other.only(Author.self, "name", "a"))
            author.books = [Book("1", in: other)]
            try other.save()
        }
    }
}

/// Collects what a context saves.
final class DidSaveRecorder: @unchecked Sendable {
    // Unchecked: notified on the thread that saves, which is the test's own.
    private(set) var messages: [ContextDidSave] = []
    private var token: (any NSObjectProtocol)?

    init(_ context: ManagedObjectContext) {
        token = NotificationCenter.default.addObserver(
            forName: ManagedObjectContext.didSaveObjectsNotification, object: context, queue: nil
        ) { [unowned self] in
            if let message = ContextDidSave($0) { messages.append(message) }
        }
    }

    deinit {
        if let token { NotificationCenter.default.removeObserver(token) }
    }
}

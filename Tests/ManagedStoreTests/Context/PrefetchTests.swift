import Foundation
import Testing

@testable import ManagedStore

/// Related objects that a fetch reads in advance.
@Suite struct PrefetchTests {
    /// 40 authors, each with a mentor, some friends and five books, of which one is an atlas; books with chapters in an
    /// order, tags with books in an order, and covers.
    private func library(_ backend: Backend) throws -> TestStore {
        let store = try Library.store(backend)
        let context = store.context()
        let authors = (0..<40).map { Author("\($0)", in: context) }
        let tags = (0..<7).map { Tag("\($0)", in: context) }
        for (number, author) in authors.enumerated() {
            if number > 0 { author.mentor = authors[number / 2] }
            author.friends = [authors[(number + 1) % 40], authors[(number + 7) % 40]]
            for place in 0..<5 {
                let book = place == 3 ? Atlas(context: context) : Book(context: context)
                book.title = "\(number).\(place)"
                book.author = author
                book.chapters = (0..<3).map { Chapter("\(number).\(place).\(2 - $0)", in: context) }
                tags[(number + place) % 7].books.insert(book, at: 0)
                if place == 0 { book.cover = Cover("red", in: context) }
            }
        }
        try context.save()
        return store
    }

    /// What relationships lead to, as text.
    private func shown(_ objects: [ManagedObject], _ keyPath: String) throws -> [String] {
        let names = keyPath.split(separator: ".").map(String.init)
        return try objects.map { try shown($0, names[...]) }
    }

    private func shown(_ object: ManagedObject, _ names: ArraySlice<String>) throws -> String {
        guard let name = names.first else { return try own(object) }
        let value = try object.value(forKey: name)
        var related: [String] = []
        switch value {
        case let list as [ManagedObject]: related = try list.map { try shown($0, names.dropFirst()) }
        case let set as Set<ManagedObject>: related = try set.map { try shown($0, names.dropFirst()) }.sorted()
        case let one as ManagedObject: related = [try shown(one, names.dropFirst())]
        default: break
        }
        return "\(try own(object))(\(related.joined(separator: " ")))"
    }

    private func own(_ object: ManagedObject) throws -> String {
        let names = object.entity.attributes.map(\.name)
        return try "\(object.entity.name)" + names.map { "\(try object.value(forKey: $0) ?? "nil")" }.joined()
    }

    private func fetch(
        _ entity: String, _ keyPaths: [String], in context: ManagedObjectContext,
        _ change: (inout FetchRequest<ManagedObject>) -> Void = { _ in }
    ) throws -> [ManagedObject] {
        let key = entity == "Book" || entity == "Chapter" ? "title" : "name"
        var request = FetchRequest(
            entityName: entity, sortDescriptors: [FetchSortDescriptor(key: key, ascending: false)])
        request.relationshipKeyPathsForPrefetching = keyPaths
        change(&request)
        return try context.fetch(request)
    }

    private static let keyPaths = [
        ("Book", "author"), ("Book", "cover"), ("Chapter", "book"), ("Chapter", "book.author.mentor"),
        ("Author", "books"), ("Author", "pupils"), ("Author", "friends"), ("Author", "books.chapters"),
        ("Book", "chapters"), ("Book", "tags"), ("Tag", "books"), ("Tag", "books.author"), ("Author", "mentor.books"),
        ("Author", "friends.friends"), ("Author", "books.author.books.tags"),
    ]

    @Test(arguments: Backend.strictCases, keyPaths)
    func followingARelationshipOfAnyKindCostsNoStatement(
        _ backend: Backend, _ relationship: (entity: String, keyPath: String)
    ) throws {
        let store = try library(backend)
        let other = store.context()
        let expected = try shown(try fetch(relationship.entity, [], in: other), relationship.keyPath)
        let context = store.context()
        store.coordinator.resetStatistics()
        let objects = try fetch(relationship.entity, [relationship.keyPath], in: context)
        let steps = relationship.keyPath.split(separator: ".").count
        // Several queries of one snapshot begin and end a transaction; a strict server has it done twice.
        let perStep = backend.server == .strict ? 10 : backend.server == nil ? 3 : 5
        #expect(store.statementCount <= 1 + perStep * steps)
        store.coordinator.resetStatistics()
        #expect(try shown(objects, relationship.keyPath) == expected)
        #expect(store.statementCount == 0 && store.coordinator.statistics.rows == 0)
        context._checkInvariants()
    }

    @Test(arguments: Backend.strictCases) func onlyWhatTheObjectsOfTheResultLeadToIsRead(_ backend: Backend) throws {
        let store = try library(backend)
        let context = store.context()
        let authors = try fetch("Author", ["books", "mentor"], in: context) { request in
            request.predicate = .compare("name", .greater, "2")
            request.fetchOffset = 1
            request.fetchLimit = 2
        }
        #expect(context.registeredObjects.filter { $0 is Book }.count == 10)
        store.coordinator.resetStatistics()
        #expect(try shown(authors, "mentor") == ["Author8(Author4)", "Author7(Author3)"])
        #expect(try shown(authors, "books").first?.hasPrefix("Author8(Atlas8.3") == true)
        #expect(store.statementCount == 0)
    }

    @Test(arguments: Backend.strictCases) func whatBelongsToNoObjectIsNotRead(_ backend: Backend) throws {
        let store = try library(backend)
        let writer = store.context()
        for number in 0..<20 { _ = Book("\(number)", in: writer) }
        try writer.save()
        let context = store.context()
        let authors = try fetch("Author", ["books"], in: context)
        #expect(authors.count == 40)
        #expect(context.registeredObjects.count { $0 is Book } == 200)
    }

    /// A range of keys would read too many rows, and one list of them has too many for a statement. Two statements for
    /// the lists are one transaction.
    @Test func keysThatLieFarApartAreReadInAFewStatements() throws {
        let store = try Library.store(.sqlite)
        let context = store.context()
        for number in 0..<18_000 {
            let author = Author(number % 3 == 0 ? "yes" : "no", in: context)
            if number % 9 == 0 { Book("\(number)", in: context).author = author }
        }
        try context.save()
        let fresh = store.context()
        // Opens the connection that reads.
        _ = try fresh.count(for: FetchRequest(Cover.self))
        store.coordinator.resetStatistics()
        let authors = try fetch("Author", ["books"], in: fresh) { $0.predicate = .compare("name", .equal, "yes") }
        #expect(authors.count == 6_000 && store.statementCount == 4)
        #expect(fresh.registeredObjects.filter { $0 is Book }.count == 2_000)
        store.coordinator.resetStatistics()
        #expect(authors.reduce(0) { $0 + (($1 as? Author)?.books.count ?? 0) } == 2_000)
        #expect(store.statementCount == 0)
    }

    @Test(arguments: Backend.strictCases) func unsavedChangesOfEitherEndCount(_ backend: Backend) throws {
        let store = try library(backend)
        let context = store.context()
        let seven = try #require(try context.only(Author.self, "name", "7"))
        let moved = try #require(try context.only(Book.self, "title", "8.0"))
        moved.author = seven
        let new = Book("new", in: context)
        new.author = seven
        Author("9.", in: context).mentor = seven
        context.delete(try #require(try context.only(Book.self, "title", "7.1")))
        let authors = try fetch("Author", ["books.chapters", "mentor"], in: context)
        store.coordinator.resetStatistics()
        let titles = ["Atlas7.31", "Book7.0", "Book7.2", "Book7.4", "Book8.0", "Booknew"]
        let shown = try shown(authors, "books")
        #expect(shown[3] == "Author7(\(titles.joined(separator: " ")))")
        #expect(shown[2] == "Author8(Atlas8.31 Book8.1 Book8.2 Book8.4)")
        #expect(try self.shown(authors, "mentor")[0] == "Author9.(Author7)")
        #expect(store.statementCount == 0)
        try context.save()
        context._checkInvariants()
        let fresh = store.context()
        #expect(try self.shown(try fetch("Author", ["books"], in: fresh), "books")[3] == shown[3])
    }

    @Test(arguments: Backend.strictCases)
    func whatIsKnownStaysUnlessTheRequestRefreshes(_ backend: Backend) throws {
        let store = try library(backend)
        let context = store.context()
        let author = try #require(try context.only(Author.self, "name", "7"))
        let book = try #require(author.books.first { $0.title == "7.0" })
        let other = store.context()
        let same = try #require(try other.only(Book.self, "title", "7.0"))
        same.title = "renamed"
        try #require(try other.only(Book.self, "title", "8.0")).author = try other.only(Author.self, "name", "7")
        try other.save()
        _ = try fetch("Author", ["books"], in: context)
        #expect(book.title == "7.0" && author.books.count == 5)
        _ = try fetch("Author", ["books"], in: context) { $0.shouldRefreshRefetchedObjects = true }
        #expect(book.title == "renamed" && author.books.count == 6)
    }

    @Test(arguments: Backend.strictCases) func aBatchBringsItsRelatedObjects(_ backend: Backend) throws {
        let store = try library(backend)
        let context = store.context()
        _ = try context.count(for: FetchRequest(Cover.self))
        store.coordinator.resetStatistics()
        let books = try fetch("Book", ["author", "chapters"], in: context) { request in
            request.fetchBatchSize = 20
            request.includesSubentities = false
        }
        #expect(store.statementCount <= 1 && context.registeredObjects.count == 160)
        #expect(try books[0].value(forKey: "title") as? String == "9.4")
        #expect(context.registeredObjects.filter { $0 is Chapter }.count == 60)
        store.coordinator.resetStatistics()
        #expect(try shown(Array(books[..<20]), "author")[19] == "Book5.0(Author5)")
        #expect(try shown(Array(books[..<20]), "chapters")[0] == "Book9.4(Chapter9.4.2 Chapter9.4.1 Chapter9.4.0)")
        #expect(store.statementCount == 0)
    }

    @Test(arguments: Backend.strictCases) func anAsynchronousFetchReadsThemToo(_ backend: Backend) async throws {
        let store = try library(backend)
        let context = store.context(.privateQueue)
        var request = FetchRequest(Author.self, sortBy: [SortDescriptor(\.name)])
        request.relationshipKeyPathsForPrefetching = ["books"]
        let counts = try await context.fetch(request) { authors in
            store.coordinator.resetStatistics()
            return [authors.reduce(0) { $0 + $1.books.filter { !$0.title.isEmpty }.count }, store.statementCount]
        }
        #expect(counts == [200, 0])
    }

    @Test(arguments: Backend.strictCases) func aControllerReadsThemWhenItFetches(_ backend: Backend) throws {
        let store = try library(backend)
        var request = FetchRequest(Author.self, sortBy: [SortDescriptor(\.name)])
        request.relationshipKeyPathsForPrefetching = ["books"]
        let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: store.context())
        try controller.performFetch()
        store.coordinator.resetStatistics()
        let authors = controller.fetchedObjects ?? []
        #expect(authors.count == 40 && authors.reduce(0) { $0 + $1.books.count } == 200)
        #expect(store.statementCount == 0)
    }

    @Test(arguments: Backend.strictCases) func aChildReadsThemFromItsParent(_ backend: Backend) throws {
        let store = try library(backend)
        let parent = store.context()
        let seven = try #require(try parent.only(Author.self, "name", "7"))
        Book("new", in: parent).author = seven
        let child = try ManagedObjectContext(parent: parent)
        store.coordinator.resetStatistics()
        let authors = try fetch("Author", ["books", "mentor"], in: child)
        #expect(store.statementCount < 10)
        store.coordinator.resetStatistics()
        #expect(try shown(authors, "books")[2] == "Author7(Atlas7.31 Book7.0 Book7.1 Book7.2 Book7.4 Booknew)")
        #expect(try shown(authors, "mentor")[2] == "Author7(Author3)")
        #expect(store.statementCount == 0)
        let tags = try fetch("Tag", ["books"], in: child)
        #expect(try shown(tags, "books") == shown(try fetch("Tag", [], in: parent), "books"))
    }

    @Test(arguments: Backend.strictCases, [true, false])
    func aFetchOfObjectsThatAreNoFaultsReadsThemToo(_ backend: Backend, _ areFaults: Bool) throws {
        let store = try library(backend)
        let context = store.context()
        let books = try fetch("Book", ["author"], in: context) { $0.returnsObjectsAsFaults = areFaults }
        #expect(books.allSatisfy { $0.isFault == areFaults })
        store.coordinator.resetStatistics()
        #expect(try shown(books, "author").count == 200 && store.statementCount == 0)
    }

    @Test(arguments: [
        ("lead", "entity Book has no relationship \"lead\" to prefetch; it has author, tags, chapters, cover"),
        ("Author", "entity Book has no relationship \"Author\" to prefetch; did you mean \"author\"?"),
        (
            "author.book",
            "entity Author has no relationship \"book\" to prefetch; it has books, mentor, pupils, friends"
        ),
        ("", "entity Book has no relationship \"\" to prefetch; it has author, tags, chapters, cover"),
        (
            "author.name",
            "Author.name is an attribute, and relationshipKeyPathsForPrefetching names relationships; the entity has "
                + "books, mentor, pupils, friends"
        ),
        (
            "author" + String(repeating: ".mentor", count: 16),
            "the key path to prefetch \"author" + String(repeating: ".mentor", count: 16)
                + "\" leads through 17 relationships; the limit is 16"
        ),
    ])
    func aKeyPathThatIsNoneIsRefused(_ expected: (keyPath: String, message: String)) throws {
        let context = try Library.store(.inMemory).context()
        let error = #expect(throws: StoreError.self) { try fetch("Book", [expected.keyPath], in: context) }
        #expect(error?.code == .invalidRequest && error?.message == expected.message)
    }
}

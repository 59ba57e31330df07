import Foundation
import ManagedStore
import Testing

/// How long a context holds what a fetch read in advance.
@Suite struct PrefetchLifetimeTests {
    /// Two authors who are friends and each other's readers, with three books each.
    private func store() throws -> TestStore {
        let store = try Library.store(.sqlite)
        let context = store.context()
        let authors = ["a", "b"].map { Author($0, in: context) }
        authors[0].friends = [authors[1]]
        for number in 0..<6 { Book("\(number)", in: context).author = authors[number % 2] }
        try context.save()
        return store
    }

    private func fetch<Object: ManagedObject>(
        _ type: Object.Type, _ keyPaths: String..., in context: ManagedObjectContext
    ) throws -> [Object] {
        var request = FetchRequest(type)
        request.relationshipKeyPathsForPrefetching = keyPaths
        return try context.fetch(request)
    }

    private func count(_ type: ManagedObject.Type, _ context: ManagedObjectContext) -> Int {
        context.registeredObjects.count { Swift.type(of: $0) == type }
    }

    @Test func relatedObjectsStayAsLongAsTheResultIsInUse() throws {
        let context = try store().context()
        var authors = try fetch(Author.self, "books", in: context)
        authors.removeLast()
        _ = try fetch(Cover.self, in: context)
        #expect(count(Book.self, context) == 6)
        authors = []
        _ = try fetch(Cover.self, in: context)
        #expect(context.registeredObjects.isEmpty)
    }

    @Test(arguments: [["friends"], ["books.author"], ["friends", "books", "books.author.friends"]])
    func objectsThatLeadToEachOtherAreReleased(_ keyPaths: [String]) throws {
        let context = try store().context()
        var request = FetchRequest(Author.self)
        request.relationshipKeyPathsForPrefetching = keyPaths
        #expect(try context.fetch(request).count == 2)
        _ = try fetch(Cover.self, in: context)
        #expect(context.registeredObjects.isEmpty)
    }

    @Test func fetchesThatLeadToEachOtherAreReleased() throws {
        let context = try store().context()
        var books: [Book] = []
        do {
            let authors = try fetch(Author.self, "books", in: context)
            books = try fetch(Book.self, "author", in: context)
            #expect(authors.count == 2 && books.count == 6)
        }
        _ = try fetch(Cover.self, in: context)
        #expect(count(Author.self, context) == 2)
        books = []
        _ = try fetch(Cover.self, in: context)
        #expect(context.registeredObjects.isEmpty)
    }

    @Test func fetchingTheSameAgainHoldsWhatTheLastFetchFound() throws {
        let store = try store()
        let context = store.context()
        let authors = try fetch(Author.self, "books", in: context)
        let other = store.context()
        for book in try fetch(Book.self, in: other) { book.author = nil }
        try other.save()
        var request = FetchRequest(Author.self)
        request.relationshipKeyPathsForPrefetching = ["books"]
        request.shouldRefreshRefetchedObjects = true
        #expect(try context.fetch(request) == authors)
        #expect(count(Book.self, context) == 0 && authors.allSatisfy { $0.books.isEmpty })
    }

    @Test func resettingAndRefreshingAllReleaseThem() throws {
        let store = try store()
        let context = store.context()
        let authors = try fetch(Author.self, "books", in: context)
        #expect(count(Book.self, context) == 6)
        try context.refreshAllObjects()
        context.processPendingChanges()
        #expect(count(Book.self, context) == 0)
        #expect(authors.reduce(0) { $0 + $1.books.count } == 6)
        let again = try fetch(Author.self, "books", in: context)
        context.reset()
        #expect(context.registeredObjects.isEmpty && again.count == 2)
    }
}

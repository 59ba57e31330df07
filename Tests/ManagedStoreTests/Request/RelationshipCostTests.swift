import Foundation
import Locking
import TestSupport
import Testing

@testable import ManagedStore

/// A condition on related objects costs what the rows that meet it cost, not what the table holds.
@Suite(.serialized) struct RelationshipCostTests {
    /// `count` books of which each author has ten, each book with a tag that ten share, and a chapter.
    private static func library(_ count: Int) throws -> TestStore {
        let store = try Library.store(.sqlite)
        let context = store.context()
        let authors = (0..<20).map { Author("\($0)", in: context) }
        let tags = (0..<20).map { Tag("\($0)", in: context) }
        for index in 0..<count {
            let book = index % 3 == 0 ? Atlas("\(index)", in: context) : Book("\(index)", in: context)
            // Ten each, and the rest to the last.
            book.author = authors[min(index / 10, 19)]
            book.tags = [tags[min(index / 10, 19)]]
            book.chapters = [Chapter("\(index)", in: context)]
        }
        for (pupil, mentor) in zip(authors.dropFirst(), authors) { pupil.mentor = mentor }
        try context.save()
        return store
    }

    /// Made once: what is only read is the same for all.
    private static let libraries = Locked<[Int: TestStore]>([:])

    private func library(_ count: Int) throws -> TestStore {
        if let known = Self.libraries.value[count] { return known }
        let store = try Self.library(count)
        Self.libraries.withLock { $0[count] = store }
        return store
    }

    private func steps(_ store: TestStore, _ body: (ManagedObjectContext) throws -> Void) throws -> Int {
        let context = store.context()
        store.coordinator.resetStatistics()
        try body(context)
        return try #require(store.coordinator.statistics.vmSteps)
    }

    /// How many steps a request takes among few books, and among many.
    private func growth(_ body: (ManagedObjectContext) throws -> Void) throws -> (few: Int, many: Int) {
        (few: try steps(try library(400), body), many: try steps(try library(4_000), body))
    }

    private static let conditions: [FetchPredicate] = [
        .compare("author.name", .equal, "7"),
        .string("author.name", .endsWith, "17"),
        .in("author.name", ["7", "8"]),
        .compare("author.mentor.name", .equal, "6"),
        .compare("author.name", .equal, "7") && .compare("title", .notEqual, "75"),
        .any("tags", .compare("name", .equal, "7")),
        !.none("tags", .compare("name", .equal, "7")),
        .any("tags", .compare("name", .equal, "7")) && .any("chapters", !.isNil("title")),
    ]

    @Test(arguments: conditions.indices) func theStepsAreThoseOfTheRowsThatAreFound(_ index: Int) throws {
        let (few, many) = try growth { context in
            var request = FetchRequest(
                Book.self, sortBy: [SortDescriptor(\.title)], predicate: Self.conditions[index])
            request.fetchLimit = 50
            let count = try context.fetch(request).count
            #expect([9, 10, 20].contains(count))
        }
        #expect(many < few + few / 10 && many < 4_000, "\(Self.conditions[index]): \(few), \(many)")
    }

    @Test func aBatchUpdateToo() throws {
        let (few, many) = try growth { context in
            var request = BatchUpdateRequest(
                Book.self, set: ["title": .attribute("title")], predicate: .compare("author.name", .equal, "7"))
            request.resultType = .updatedObjectsCount
            guard case .updatedObjectsCount(10) = try context.execute(request) else { throw CancellationError() }
        }
        #expect(many < few + few / 10 && many < 4_000, "\(few), \(many)")
    }

    /// Among many.
    @Test func theOwnersOfOneObject() throws {
        let store = try library(4_000)
        let chapter = try #require(try store.context().only(Chapter.self, "title", "70"))
        let predicate = FetchPredicate.any("chapters", .objectID(in: [chapter.objectID]))
        let steps = try steps(store) { context in
            let found = try context.fetch(FetchRequest(Book.self, predicate: predicate)).map(\.title)
            #expect(found == ["70"])
        }
        #expect(steps < 200, "\(steps)")
    }

    /// What finds few rows by an index asks each of them, rather than looking for all others that would do.
    @Test func fewRowsAreAskedOneByOne() throws {
        let store = try library(4_000)
        let books = try store.context().fetchObjectIDs(
            FetchRequest(Book.self, predicate: .in("title", ["70", "72", "90"])))
        let author = try #require(try store.context().only(Author.self, "name", "7"))
        let some: [FetchPredicate] = [.objectID(in: books), .compare("author", .equal, author.objectID)]
        for own in some {
            let steps = try steps(store) { context in
                let predicate = own && .any("chapters", .compare("title", .equal, "72"))
                let found = try context.fetch(FetchRequest(Book.self, predicate: predicate)).map(\.title)
                #expect(found == ["72"])
            }
            #expect(steps < 1_000, "\(own): \(steps)")
        }
    }

    /// What most related objects meet is answered by the first of them.
    @Test func aConditionThatMostMeetStopsAtTheFirst() throws {
        let store = try library(4_000)
        let steps = try steps(store) { context in
            let request = FetchRequest(Author.self, predicate: .any("books", !.isNil("title")))
            let count = try context.count(for: request)
            #expect(count == 20)
        }
        #expect(steps < 1_000, "\(steps)")
    }

    @Test func theIndexIsUsed() throws {
        let store = try library(20)
        let plans: [(FetchPredicate, String)] = [
            (.compare("author.name", .equal, "7"), "SEARCH ZBOOK USING INDEX ZBOOK_ZAUTHOR_INDEX (ZAUTHOR=?)"),
            (.any("tags", .compare("name", .equal, "7")), "SEARCH ZBOOK USING INTEGER PRIMARY KEY (rowid=?)"),
        ]
        for (predicate, expected) in plans {
            let lines = try steps(of: predicate, in: store)
            #expect(lines.contains(expected), "\(lines)")
        }
    }

    /// Returns SQLite's plan of a query for books.
    private func steps(of predicate: FetchPredicate, in store: TestStore) throws -> [String] {
        let sqlite = try #require(try store.context().requireStore() as? SQLiteStore)
        let source = try #require(sqlite.sources.first { $0.entity.name == "Book" })
        let plan = FetchPlan(source: source, predicate: try predicate.resolved(for: source))
        return try sqlite.pool.read { connection throws(StoreError) in
            var query = sqlite.generator(plan, on: connection).selectKeys(plan).statement(in: SQLiteDialect())
            query.sql = "EXPLAIN QUERY PLAN " + query.sql
            return try sqlite.read(query, FetchControl(), on: connection) { statement throws(StoreError) in
                var lines: [String] = []
                while try statement.step() { lines.append(statement.string(3)) }
                return lines
            }
        }
    }

    /// Books of as many authors and covers. Most authors are called Anon, four covers in ten are red.
    private func unevenLibrary() throws -> TestStore {
        let store = try Library.store(.sqlite)
        let context = store.context()
        for index in 0..<1_500 {
            let book = Book("\(index)", in: context)
            book.author = Author(index % 10 == 0 ? "\(index)" : "Anon", in: context)
            book.cover = Cover(index % 10 < 4 ? "red" : "\(index)", in: context)
        }
        try context.save()
        return store
    }

    /// SQLite has no statistics: it would look up each of the rows that nearly all meet the condition.
    @Test func whatMostRowsMeetIsFoundWithoutTheIndex() throws {
        let store = try unevenLibrary()
        let rare = try steps(of: .compare("author.name", .equal, "500"), in: store)
        #expect(rare.contains("SEARCH ZBOOK USING INDEX ZBOOK_ZAUTHOR_INDEX (ZAUTHOR=?)"), "\(rare)")
        let common = try steps(of: .compare("author.name", .equal, "Anon"), in: store)
        #expect(common.first?.hasPrefix("SCAN ZBOOK") == true, "\(common)")
        let request = FetchRequest(Book.self, predicate: .compare("author.name", .equal, "Anon"))
        #expect(try store.context().count(for: request) == 1_350)
    }

    @Test func ofTwoConditionsThatManyRowsMeetTheRarerIsTestedFirst() throws {
        let store = try unevenLibrary()
        let red = FetchPredicate.compare("cover.colour", .equal, "red")
        let anonymous = FetchPredicate.compare("author.name", .equal, "Anon")
        var steps: [Int] = []
        for both in [red && anonymous, anonymous && red] {
            steps.append(
                try self.steps(store) { context in
                    let count = try context.count(for: FetchRequest(Book.self, predicate: both))
                    #expect(count == 450)
                })
        }
        #expect(steps[0] == steps[1])
        let blue = FetchPredicate.compare("cover.colour", .equal, "blue")
        let onlyTheCommon = try self.steps(store) { context in
            _ = try context.count(for: FetchRequest(Book.self, predicate: anonymous && blue))
        }
        #expect(onlyTheCommon < steps[0])
    }

    /// A few rows are asked one by one in any case, so nothing needs to know how many others there are.
    @Test func whatAnIndexNarrowsTakesOneStatement() throws {
        let store = try unevenLibrary()
        let books = try store.context().fetchObjectIDs(FetchRequest(Book.self, predicate: .in("title", ["1", "2"])))
        let both = FetchPredicate.compare("author.name", .equal, "Anon") && .compare("cover.colour", .equal, "red")
        let context = store.context()
        store.coordinator.resetStatistics()
        let count = try context.count(for: FetchRequest(Book.self, predicate: .objectID(in: books) && both))
        #expect(count == 2 && store.statementCount == 1)
    }

    /// The store looks at few members for the last place; of a long list, the second save reads all members instead.
    @Test(arguments: [(3, 0), (40, 41)]) func aShortListIsNotReadToAppendToIt(_ count: Int, _ read: Int) throws {
        let store = try Library.store(.sqlite)
        let first = store.context()
        let book = Book("0", in: first)
        book.chapters = (0..<count).map { Chapter("\($0)", in: first) }
        try first.save()
        let context = store.context()
        let own = try #require(try context.existingObject(with: book.objectID) as? Book)
        store.coordinator.resetStatistics()
        for index in count..<count + 2 {
            own.add(Chapter("\(index)", in: context), to: Book.chapters)
            try context.save()
        }
        // Each save writes the new row, and then its place.
        #expect(store.coordinator.statistics.rows == 2 * 2 + read)
        #expect(own.chapters.map(\.title) == (0..<count + 2).map(String.init))
    }
}

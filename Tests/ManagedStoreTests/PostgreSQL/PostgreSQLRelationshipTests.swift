import TestSupport
import Testing

@testable import ManagedStore

/// What saves and deletions cost on a server, where each statement waits for an answer.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLRelationshipTests {
    private struct World {
        let store: TestStore
        let context: ManagedObjectContext
        let tags: [Tag]
        let books: [Book]

        /// Makes books with two tags and two chapters each.
        init(_ count: Int) throws {
            store = try Library.store(.postgreSQL)
            let context = store.context()
            self.context = context
            let tags = (0..<3).map { Tag("\($0)", in: context) }
            books = (0..<count).map { number in
                let book = Book("\(number)", in: context)
                book.tags = [tags[0], tags[1]]
                book.chapters = ["a", "b"].map { Chapter($0, in: context) }
                return book
            }
            self.tags = tags
        }

        /// Saves, and returns the number of statements.
        func save() throws -> Int {
            store.coordinator.resetStatistics()
            try context.save()
            return store.statementCount
        }
    }

    /// Returns the numbers of statements of saves that make books with pairs and orders, change these, and delete
    /// books.
    private func statements(_ count: Int) throws -> [Int] {
        let world = try World(count)
        let made = try world.save()
        for book in world.books {
            book.tags = [world.tags[1], world.tags[2]]
            book.chapters.reverse()
        }
        for tag in world.tags { tag.books.reverse() }
        let changed = try world.save()
        let fresh = world.store.context()
        let shown = try fresh.fetch(FetchRequest(Book.self)).map { book in
            book.tags.map(\.name).sorted() + book.chapters.map(\.title)
        }
        #expect(shown == .init(repeating: ["1", "2", "b", "a"], count: count))
        // The keys of what stays lie between.
        for (place, book) in world.books.enumerated() where place.isMultiple(of: 2) { world.context.delete(book) }
        let deleted = try world.save()
        let reader = world.store.context()
        let left = try #require(try reader.only(Tag.self, "name", "2")).books.map(\.title)
        #expect(left == (0..<count).filter { !$0.isMultiple(of: 2) }.map { "\($0)" }.reversed())
        return [made, changed, deleted]
    }

    /// Keys are reserved in blocks, for which a save may take a statement or two for each entity.
    @Test func theStatementsOfASaveDoNotGrowWithItsPairsAndOrders() throws {
        for (few, many) in zip(try statements(100), try statements(1_000)) {
            #expect(many <= few + 6 && few < 30, "\(few), \(many)")
        }
    }

    /// The order of a list that was not read is read before it is saved.
    @Test func theStatementsOfASaveDoNotGrowWithTheListsItAddsTo() throws {
        let statements = try [100, 1_000].map { count in
            let world = try World(count)
            _ = try world.save()
            let context = world.store.context()
            let books = try context.fetch(FetchRequest(Book.self))
            for book in books { Chapter("c", in: context).book = book }
            world.store.coordinator.resetStatistics()
            try context.save()
            let taken = world.store.statementCount
            let fresh = world.store.context()
            let shown = try fresh.fetch(FetchRequest(Book.self)).map { $0.chapters.map(\.title) }
            #expect(shown == .init(repeating: ["a", "b", "c"], count: count))
            return taken
        }
        #expect(statements[1] <= statements[0] + 6 && statements[0] < 30, "\(statements)")
    }

    /// A row that is written again moves. All of these fit into a page; the larger number is copied.
    @Test(arguments: [20, 80]) func newRowsAreWrittenOnceWithTheirPlaces(_ count: Int) throws {
        let store = try Library.store(.postgreSQL)
        let context = store.context()
        let book = Book("b", in: context)
        book.chapters = (0..<count).map { Chapter("\($0)", in: context) }.reversed()
        try context.save()
        let rows = try PostgreSQLConnection(store.url).query(
            "SELECT \"Z_FOK_BOOK\", ctid::text FROM \"ZCHAPTER\" ORDER BY \"Z_PK\"")
        let found = (0..<rows.count).map { rows[$0].string(1) }
        #expect(found == (1...count).map { "(0,\($0))" })
        #expect((0..<rows.count).map { rows[$0].int64(0) } == (1...count).reversed().map { Int64($0) })
    }

    /// A range of many neighbouring keys is one condition.
    @Test func deletedObjectsLeavePairsByRangesOfTheirKeys() throws {
        let world = try World(PostgreSQLWriter.rowsPerStatement + 3)
        try world.context.save()
        let kept = world.books[PostgreSQLWriter.rowsPerStatement + 1]
        world.context.delete(allOf: world.books.filter { $0 !== kept })
        try world.context.save()
        let fresh = world.store.context()
        #expect(try #require(try fresh.only(Tag.self, "name", "0")).books.map(\.title) == [kept.title])
        let database = try PostgreSQLConnection(world.store.url)
        let pairs = try database.query("SELECT \"Z_6TAGS\" FROM \"Z_6BOOKS\"")
        #expect(pairs.count == 2)
    }
}

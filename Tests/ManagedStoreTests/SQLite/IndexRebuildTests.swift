import CFaultVFS
import CSQLite
import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// Large saves create indexes of references anew, small ones do not, and nothing else tells the difference.
@Suite struct IndexRebuildTests {
    /// A cache that an index of a few thousand rows outgrows.
    private static let options = SQLiteStoreOptions(synchronous: .off, cacheSizeKiB: 10)

    private let store: TestStore
    private let context: ManagedObjectContext

    init() throws {
        store = try TestStore(model: try Library.model(), options: Self.options)
        context = store.context()
    }

    /// Makes books, which take turns at the authors, and saves them.
    @discardableResult
    private func makeBooks(_ count: Int, by authors: [Author]) throws -> [Book] {
        let books = (0..<count).map { number in
            let book = Book("\(number)", in: context)
            book.author = authors[number * 31 % authors.count]
            return book
        }
        try context.save()
        return books
    }

    private func authors(_ count: Int) -> [Author] { (0..<count).map { Author("\($0)", in: context) } }

    /// What a save that takes indexes away and creates them changes.
    private func schemaVersion() throws -> Int {
        try #require(try store.database().value("PRAGMA schema_version").flatMap { Int($0) })
    }

    /// Whether a save changed the schema.
    private func rebuilds(_ save: () throws -> Void) throws -> Bool {
        let (version, schema) = (try schemaVersion(), try self.schema())
        try save()
        #expect(try self.schema() == schema)
        #expect(try store.database().value("PRAGMA integrity_check") == "ok")
        return try schemaVersion() != version
    }

    private func schema() throws -> [[String?]] {
        try store.database().rows("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name")
    }

    @Test func aLargeSaveCreatesTheIndexesAnew() throws {
        let authors = authors(50)
        #expect(try rebuilds { try makeBooks(5_000, by: authors) })
        let fresh = store.context()
        let found = try fresh.fetch(FetchRequest(Author.self, predicate: .compare("name", .equal, "7")))
        #expect(found.first?.books.count == 100)
        #expect(try rebuilds { try makeBooks(5_000, by: authors) }, "as many as there were")
    }

    @Test func entriesInOrderLeaveTheIndexes() throws {
        let authors = authors(50)
        try context.save()
        #expect(
            try !rebuilds {
                for number in 0..<5_000 { Book("\(number)", in: context).author = authors[number / 100] }
                try context.save()
            })
        let new = self.authors(50)
        #expect(
            try !rebuilds {
                for number in 0..<5_000 { Book("\(number)", in: context).author = new[number / 100] }
                try context.save()
            }, "the keys of new authors are in order too")
    }

    @Test func smallSavesLeaveTheIndexes() throws {
        let authors = authors(50)
        #expect(try !rebuilds { try makeBooks(900, by: authors) }, "too few to look")
        #expect(try rebuilds { try makeBooks(20_000, by: authors) })
        #expect(try !rebuilds { try makeBooks(1_000, by: authors) }, "a few more than there were")
    }

    @Test func soDoTheMovesOfManyRows() throws {
        let authors = authors(50)
        let books = try makeBooks(5_000, by: authors)
        #expect(
            try rebuilds {
                for book in books { book.author = authors[3] }
                try context.save()
            })
        #expect(
            try !rebuilds {
                for book in books { book.title += "!" }
                try context.save()
            }, "no index has titles")
        let fresh = store.context()
        let found = try fresh.fetch(FetchRequest(Author.self, predicate: .compare("name", .equal, "3")))
        #expect(found.first?.books.count == 5_000)
    }

    @Test func soDoTheDeletionsOfManyRows() throws {
        let books = try makeBooks(5_000, by: authors(50))
        #expect(
            try rebuilds {
                for book in books.dropFirst() { context.delete(book) }
                try context.save()
            })
        let fresh = store.context()
        let found = try fresh.fetch(FetchRequest(Author.self, predicate: .compare("name", .equal, "0")))
        #expect(found.first?.books.map(\.title) == ["0"])
    }

    @Test func anIndexThatFitsIntoTheCacheStays() throws {
        let store = try TestStore(model: try Library.model())
        let context = store.context()
        let before = try store.database().value("PRAGMA schema_version")
        let author = Author("a", in: context)
        for number in 0..<5_000 { Book("\(number)", in: context).author = author }
        try context.save()
        #expect(try store.database().value("PRAGMA schema_version") == before)
    }

    @Test func statisticsAboutIndexesStay() throws {
        let authors = authors(50)
        try makeBooks(10, by: authors)
        try store.database().execute("ANALYZE")
        #expect(try !rebuilds { try makeBooks(5_000, by: authors) })
        #expect(try store.database().value("SELECT COUNT(*) FROM sqlite_stat1 WHERE tbl = 'ZBOOK'") != "0")
    }

    @Test func theIndexesOfOtherProgramsComeBackAsTheyWere() throws {
        try store.database().execute(
            """
            CREATE INDEX "of ""authors" ON ZBOOK (ZAUTHOR, ZTITLE COLLATE NOCASE DESC);
            CREATE INDEX "of titles" ON ZBOOK (ZTITLE);
            CREATE INDEX "of some" ON ZBOOK (ZAUTHOR) WHERE ZTITLE > '3';
            """)
        #expect(try rebuilds { try makeBooks(5_000, by: authors(50)) })
    }

    @Test func textBehindAnIndexIsNotExecuted() throws {
        try makeBooks(10, by: authors(50))
        try store.database().execute(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = sql || '; DELETE FROM ZAUTHOR' WHERE name = 'ZBOOK_ZAUTHOR_INDEX';
            """)
        let version = try schemaVersion()
        try makeBooks(5_000, by: authors(50))
        #expect(try schemaVersion() != version)
        #expect(try store.database().value("SELECT COUNT(*) FROM ZAUTHOR") == "100")
    }

    @Test func aTriggerMadeMeanwhileKeepsTheIndexes() throws {
        try store.database().execute(
            "CREATE TRIGGER late AFTER INSERT ON ZBOOK BEGIN UPDATE ZBOOK SET ZTITLE = 'x' WHERE Z_PK = new.Z_PK; END")
        #expect(try !rebuilds { try makeBooks(5_000, by: authors(50)) })
    }

    @Test func aSaveThatFailsKeepsTheIndexes() throws {
        let authors = authors(50)
        let books = try makeBooks(5_000, by: authors)
        try store.database().execute("UPDATE ZBOOK SET Z_OPT = 9 WHERE Z_PK = \(books[4_000].objectID.key)")
        let schema = try schema()
        for book in books { book.author = authors[3] }
        expectError(.mergeConflict) { try context.save() }
        #expect(try self.schema() == schema)
        #expect(try store.database().value("PRAGMA integrity_check") == "ok")
    }

    /// SQLite sorts many entries in temporary files.
    @Test func withoutRoomForTemporaryFilesTheSaveSucceeds() throws {
        let fileSystem = FaultyFileSystem(.ioErrorLasting)
        var options = fileSystem.options(SQLiteStoreOptions(cacheSizeKiB: 10, pageSizeBytes: 512))
        options.synchronous = .off
        let store = try TestStore(model: try Library.model(), options: options)
        let context = store.context()
        let authors = (0..<50).map { Author("\($0)", in: context) }
        for number in 0..<10_000 { Book("\(number)", in: context).author = authors[number * 31 % 50] }
        fileSystem.armOpening()
        try context.save()
        #expect(fileSystem.wasReached)
        fileSystem.lift()
        #expect(try store.context().count(for: FetchRequest(Book.self)) == 10_000)
        #expect(try store.database().value("PRAGMA integrity_check") == "ok")
    }
}

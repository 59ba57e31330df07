import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// With any bytes in its file, a store opens, reads, changes and saves, or throws a `StoreError`. It neither
/// crashes nor hangs, nor finds objects that were never saved.
@Suite struct HostileFileTests {
    fileprivate static let pageSize = 1_024
    private static let authors = 12

    /// A small store with all kinds of relationships, in many small pages.
    private static func bytes() throws -> Data {
        let store = try TestStore(
            model: try Library.model(), options: SQLiteStoreOptions(synchronous: .off, pageSizeBytes: pageSize))
        let context = store.context()
        let tags = (0..<5).map { Tag("tag \($0)", in: context) }
        for number in 0..<authors {
            let author = Author("author \(number) \(String(repeating: "x", count: number * 100))", in: context)
            for title in 0..<4 {
                let book: Book = title == 3 ? Atlas(context: context) : Book(context: context)
                book.title = "book \(number).\(title)"
                book.author = author
                book.tags = Set(tags.prefix(title))
                book.chapters = [Chapter("first", in: context), Chapter("second", in: context)]
            }
        }
        try context.save()
        try store.coordinator.checkpoint()
        try store.coordinator.removePersistentStore()
        return try Data(contentsOf: store.url)
    }

    enum Damage: CaseIterable {
        /// A few bytes have other values.
        case bytes
        /// A byte has another value where a page says what is in it.
        case pageHeader
        /// A stretch is blanked.
        case stretch
        /// A page is in the place of another, where nothing in it says that it does not belong.
        case page

        func done(to bytes: Data, _ generator: inout SeededGenerator) -> Data {
            var damaged = bytes
            let pages = bytes.count / pageSize
            func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }
            switch self {
            case .bytes:
                for _ in 0..<random(1..<9) { damaged[random(0..<bytes.count)] = UInt8(random(0..<256)) }
            case .pageHeader:
                let page = random(0..<pages)
                damaged[page * pageSize + (page == 0 ? 100 : 0) + random(0..<24)] = UInt8(random(0..<256))
            case .stretch:
                let (start, length) = (random(100..<bytes.count - 200), random(1..<200))
                damaged.replaceSubrange(
                    start..<start + length, with: Data(repeating: UInt8(random(0..<2) * 255), count: length))
            case .page:
                let (from, to) = (random(0..<pages) * pageSize, random(1..<pages) * pageSize)
                damaged.replaceSubrange(to..<to + pageSize, with: bytes[from..<from + pageSize])
            }
            return damaged
        }
    }

    @Test(arguments: Damage.allCases, [1, 2] as [UInt64])
    func aDamagedFileWorksOrIsAnError(_ damage: Damage, _ seed: UInt64) throws {
        let bytes = try Self.bytes()
        var generator = SeededGenerator(seed: seed)
        for round in 0..<60 {
            let directory = try TemporaryDirectory()
            let url = try directory.write(damage.done(to: bytes, &generator), to: "store.sqlite")
            let before = try directory.contents()
            var isOpen = false
            do {
                let coordinator = PersistentStoreCoordinator(managedObjectModel: try Library.model())
                try coordinator.addPersistentStore(.sqlite, at: url, options: SQLiteStoreOptions(synchronous: .off))
                isOpen = true
                // A page of another table holds rows, only not of this one.
                try use(coordinator, findsNothingNew: damage != .page, "round \(round)")
            } catch let error as StoreError {
                #expect(!error.message.isEmpty)
                if !isOpen { #expect(try directory.contents() == before, "round \(round): \(error)") }
            }
        }
    }

    /// Reads everything there is, changes some and saves. Each step may fail for itself.
    private func use(
        _ coordinator: PersistentStoreCoordinator, findsNothingNew: Bool, _ comment: String
    ) throws {
        let context = ManagedObjectContext(coordinator: coordinator)
        var books: [Book] = []
        attempt {
            books = Array(try context.fetch(FetchRequest(Book.self, sortBy: [SortDescriptor(\.title)])))
            #expect(books.count <= Self.authors * 4 || !findsNothingNew, "\(comment)")
            #expect(Set(books.map(\.objectID)).count == books.count, "\(comment)")
            for book in books { _ = book.title.utf8.count }
        }
        attempt {
            let authors = try context.fetch(FetchRequest(Author.self))
            #expect(authors.count <= Self.authors || !findsNothingNew, "\(comment)")
            for author in authors { _ = author.name.utf8.count }
        }
        attempt {
            for id in try context.fetchObjectIDs(FetchRequest(Chapter.self)) {
                _ = try context.existingObject(with: id)
            }
        }
        attempt { _ = try context.count(for: FetchRequest(Tag.self)) }
        attempt {
            for book in books.prefix(10) where !book.isDeleted { book.title += "!" }
            _ = Author("new", in: context)
            try context.save()
        }
        attempt { _ = try context.execute(BatchUpdateRequest(Author.self, set: ["name": "same"])) }
        try coordinator.removePersistentStore()
    }

    private func attempt(_ body: () throws -> Void) {
        do { try body() } catch { #expect(error is StoreError, "\(error)") }
    }
}

import TestSupport
import Testing

@testable import ManagedStore

/// Keys in no particular order come in ascending order, since the rows of neighbours are read and changed together.
@Suite struct UnsortedKeysTests {
    /// Chapters of four books in turns. The index on the book holds all that a fetch of keys needs.
    private func context(_ backend: Backend) throws -> ManagedObjectContext {
        let context = try Library.store(backend).context()
        let books = (0..<4).map { Book("\($0)", in: context) }
        for number in 0..<100 { Chapter("\(number)", in: context).book = books[number % 4] }
        try context.save()
        return context
    }

    @Test(arguments: Backend.allCases) func idsOfATableComeInTheOrderOfItsRows(_ backend: Backend) throws {
        let context = try context(backend)
        let found = try context.fetchObjectIDs(FetchRequest(Chapter.self)).map(\.key)
        #expect(found.count == 100 && found == found.sorted())
    }

    @Test(arguments: Backend.allCases) func idsFoundByAnIndexComeInTheOrderOfTheRows(_ backend: Backend) throws {
        let context = try context(backend)
        let request = FetchRequest(Chapter.self, predicate: .in("book.title", ["0", "1"]))
        let found = try context.fetchObjectIDs(request).map(\.key)
        #expect(found.count == 50 && found == found.sorted())
    }
}

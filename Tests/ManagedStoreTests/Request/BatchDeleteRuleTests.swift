import ManagedStore
import Testing

/// Batch deletion and relationships.
@Suite struct BatchDeleteRuleTests {
    @Test(arguments: Backend.allCases) func deleteRulesAreNotFollowed(_ backend: Backend) throws {
        let store = try Library.store(backend)
        let context = store.context()
        let book = Book("Orlando", in: context)
        book.chapters = [Chapter("One", in: context), Chapter("Two", in: context)]
        book.cover = Cover("blue", in: context)
        try context.save()
        _ = try context.execute(BatchDeleteRequest(fetchRequest: FetchRequest(Book.self)))
        let other = store.context()
        #expect(try other.count(for: FetchRequest(Book.self)) == 0)
        #expect(try other.count(for: FetchRequest(Chapter.self)) == 2)
        #expect(try other.count(for: FetchRequest(Cover.self)) == 1)
    }
}

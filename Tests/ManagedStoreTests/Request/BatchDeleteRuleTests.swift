import TestSupport
import Testing

@testable import ManagedStore

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

    @Test(arguments: Backend.allCases) func whatIsGoneDeniesNoDeletion(_ backend: Backend) throws {
        let store = try Workshop.store(backend)
        let context = store.context()
        let owner = try context.make("Owner")
        for _ in 0..<2 { _ = try context.make("Thing", ["owners": [owner], "bin": try context.make("Bin")]) }
        try context.save()
        var request = FetchRequest(entityName: "Thing")
        request.fetchLimit = 1
        for isLast in [false, true] {
            _ = try context.execute(BatchDeleteRequest(fetchRequest: request))
            let other = store.context()
            other.delete(try other.own(owner))
            if isLast {
                try other.save()
            } else {
                expectError(.validationRelationshipDeniedDelete) { try other.save() }
            }
        }
        #expect(try store.context().count(for: FetchRequest(entityName: "Owner")) == 0)
    }
}

import TestSupport
import Testing

@testable import ManagedStore

@Suite struct ObjectIDSetTests {
    @Test func itHoldsEachIDOnce() throws {
        let ids = try TestStore(.inMemory).seed(20)
        let set = ObjectIDSet((ids + ids).reversed())
        #expect(set.count == 20)
        #expect(Set(set) == Set(ids))
    }

    @Test func itContainsWhatWasPutInAndNothingElse() throws {
        let store = try TestStore(.inMemory)
        let ids = try store.seed(100)
        var generator = SeededGenerator(seed: 1)
        let chosen = Set(ids.filter { _ in generator.oneIn(3) })
        let set = ObjectIDSet(chosen)
        #expect(ids.allSatisfy { set.contains($0) == chosen.contains($0) })
    }

    @Test func itTellsEntitiesAndStoresApart() throws {
        let store = try TestStore(.inMemory)
        let context = store.context()
        let (item, other) = (Item("a", in: context), Everything("b", in: context))
        try context.save()
        let set = ObjectIDSet([item.objectID, other.objectID])
        #expect(set.count == 2)
        #expect(Set(set) == [item.objectID, other.objectID])
        #expect(!set.contains(try TestStore(.inMemory).seed(1)[0]))
    }

    /// They come from rows of another entity, so each was once made by itself.
    @Test func theIDsOfRelatedObjectsAreOneGroup() throws {
        let context = try Library.store(.inMemory).context()
        let author = Author("a", in: context)
        for number in 0..<100 { Book("\(number)", in: context).author = author }
        try context.save()
        let ids = try author.objectIDs(forRelationshipNamed: "books")
        #expect(ids.allSatisfy { $0.source === ids[0].source })
        let books = try context.fetch(FetchRequest(Book.self)).map(\.objectID)
        let set = ObjectIDSet(ids + books)
        #expect(set.groups.count == 1 && set.count == 100)
    }

    @Test func anEmptySetIsEmpty() {
        #expect(ObjectIDSet().isEmpty)
        #expect(Array(ObjectIDSet()).isEmpty)
    }
}

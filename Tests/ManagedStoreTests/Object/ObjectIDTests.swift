import Foundation
import ManagedStore
import Testing

@Suite struct ObjectIDTests {
    @Test(arguments: Backend.all) func anIDIsTemporaryUntilTheObjectIsSaved(_ backend: Backend) throws {
        let context = try TestStore(backend).context()
        let item = Item("a", in: context)
        let temporary = item.objectID
        #expect(temporary.isTemporaryID)
        #expect(context.object(with: temporary) === item)
        try context.save()
        #expect(!item.objectID.isTemporaryID)
        #expect(item.objectID != temporary)
        #expect(context.registeredObject(for: item.objectID) === item)
    }

    @Test(arguments: Backend.all) func permanentIDsCanBeHadBeforeTheSaveAndStay(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let context = store.context()
        let items = (0..<5).map { Item("\($0)", at: Double($0), in: context) }
        try context.obtainPermanentIDs(for: [items[3], items[1], items[3]])
        let (first, third) = (items[1].objectID, items[3].objectID)
        #expect(!first.isTemporaryID && !third.isTemporaryID && first != third)
        #expect(context.object(with: third) === items[3])
        try context.save()
        #expect(items[1].objectID == first && items[3].objectID == third)
        #expect(Set(items.map(\.objectID)).count == 5)
        #expect(try store.context().items().map(\.name) == ["0", "1", "2", "3", "4"])
    }

    @Test(arguments: Backend.all) func aURILeadsBackToItsObject(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let id = try store.seed(3)[1]
        let uri = id.uriRepresentation()
        let identifier = try #require(store.coordinator.storeIdentifier)
        #expect(uri.absoluteString == "x-coredata://\(identifier.uuidString)/Item/p2")
        #expect(store.coordinator.managedObjectID(forURIRepresentation: uri) == id)
    }

    @Test func aURILeadsBackThroughAnotherCoordinator() throws {
        let store = try TestStore()
        let id = try store.seed(3)[1]
        let second = try store.secondCoordinator()
        let found = try #require(second.managedObjectID(forURIRepresentation: id.uriRepresentation()))
        #expect(found == id && found.hashValue == id.hashValue)
        #expect(try ManagedObjectContext(coordinator: second).item(found).name == "Item 1")
    }

    @Test func anIDOfAnotherCoordinatorServesEvenWhereItsModelListsAttributesOtherwise() throws {
        let store = try TestStore()
        let (_, items) = try store.contextWithItems(3)
        let entity = EntityDescription(
            name: "Item",
            attributes: [.init("createdAt", .date), .init("done", .boolean), .init("name", .string)])
        let second = try store.secondCoordinator(try ManagedObjectModel(entities: [entity]))
        let context = ManagedObjectContext(coordinator: second)
        let foreign = context.object(with: items[2].objectID)
        #expect(try foreign.value(forKey: "name") as? String == "Item 2")
        try foreign.setValue("changed", forKey: "name")
        try context.save()
        let own = try context.fetch(FetchRequest(entityName: "Item", predicate: .compare("name", .equal, "changed")))
        #expect(own.map { $0 === foreign } == [true])
    }

    @Test func anIDOfAnotherStoreIsNotRegistered() throws {
        let (first, second) = (try TestStore(), try TestStore())
        let id = try first.seed(1)[0]
        let (context, items) = try second.contextWithItems(1)
        #expect(context.registeredObject(for: id) == nil)
        withExtendedLifetime(items) {}
    }

    @Test func aURIOfNothingLeadsNowhere() throws {
        let store = try TestStore(.inMemory)
        let identifier = try #require(store.coordinator.storeIdentifier)
        let texts = [
            "x-coredata://\(UUID().uuidString)/Item/p1", "x-coredata://\(identifier)/Nothing/p1",
            "x-coredata://\(identifier)/Item/p0", "x-coredata://\(identifier)/Item/p-4", "https://example.org/Item/p1",
            "x-coredata://\(identifier)/Item", "x-coredata://\(identifier)/Item/t1", "x-coredata:///Item/t1",
            "x-coredata://\(identifier)/Item/p99999999999999999999",
        ]
        for text in texts {
            let uri = try #require(URL(string: text))
            #expect(store.coordinator.managedObjectID(forURIRepresentation: uri) == nil, "\(text)")
        }
    }

    @Test func temporaryKeysOfDifferentContextsNeverMeet() throws {
        let store = try TestStore(.inMemory)
        let contexts = (0..<20).map { _ in store.context() }
        let ids = contexts.flatMap { context in (0..<50).map { Item("\($0)", in: context).objectID } }
        #expect(Set(ids).count == 1_000)
    }

    @Test func temporaryKeysAreNotUsedAgain() throws {
        let context = try TestStore(.inMemory).context()
        let first = Item("a", in: context).objectID
        context.rollback()
        let second = Item("b", in: context).objectID
        try context.save()
        let third = Item("c", in: context).objectID
        #expect(Set([first, second, third]).count == 3)
        #expect(context.registeredObject(for: first) == nil)
    }
}

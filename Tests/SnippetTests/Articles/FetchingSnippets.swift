import Foundation
import ManagedStore
import Testing

/// Fetching.md.
@Suite struct FetchingSnippets {
    private let context: ManagedObjectContext

    init() throws {
        context = try SnippetStore(items: 10).context()
    }

    @Test func first() throws {
        // snippet.Fetching.first
        var request = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt, order: .reverse)])
        request.predicate = FetchPredicate(#Predicate<Item> { !$0.done && $0.name.starts(with: "Item") })
        request.fetchLimit = 5
        let items = try context.fetch(request)
        // snippet.end
        #expect(items.map(\.name) == ["Item 9", "Item 8", "Item 7", "Item 6", "Item 5"])
    }

    @Test func typed() throws {
        // snippet.Fetching.typed
        let names = ["Item 1", "Item 2", "Item 9"]
        let visits: Int64 = 3
        let some = FetchPredicate(#Predicate<Item> { names.contains($0.name) && ($0.done || $0.visits < visits) })
        let any = FetchPredicate(#Predicate<Item> { $0.name.localizedStandardContains("ITEM") })
        // snippet.end
        #expect(try context.fetch(FetchRequest(Item.self, predicate: some && any)).count == 3)
    }

    @Test func keyed() throws {
        // snippet.Fetching.keyed
        let open = FetchPredicate.compare("done", .equal, false)
        let few = FetchPredicate.between("visits", 0 as Int64, and: 9)
        let named = FetchPredicate.string("name", .like, "item ?", .caseInsensitive)
        let request = FetchRequest(
            entityName: "Item", sortDescriptors: [FetchSortDescriptor(key: "name", options: .caseInsensitive)],
            predicate: open && few && !(!named))
        let objects = try context.fetch(request)
        let name = try objects[0].value(forKey: "name") as? String
        // snippet.end
        #expect(objects.count == 10 && name == "Item 0")
    }

    @Test func resultTypes() throws {
        let request = FetchRequest(Item.self)
        // snippet.Fetching.results
        let count = try context.count(for: request)  // reads no rows
        let ids = try context.fetchObjectIDs(request)  // reads keys alone
        let objects = try context.fetch(request)
        // snippet.end
        #expect(count == 10 && ids.count == 10 && objects.count == 10)
        // snippet.Fetching.execute
        var numbered = FetchRequest(Item.self)
        numbered.resultType = .count
        guard case .count(let number) = try context.execute(numbered) else { return }
        // snippet.end
        #expect(number == 10)
    }

    @Test func dictionaries() throws {
        // snippet.Fetching.dictionaries
        var request = FetchRequest(Item.self)
        request.propertiesToFetch = ["done", .count(as: "number"), .max("createdAt", as: "latest")]
        request.propertiesToGroupBy = ["done"]
        for record in try context.fetchDictionaries(request) {
            print(try record.value(Item.done), try record.value("number", as: Int.self))
        }
        // snippet.end
        #expect(try context.fetchDictionaries(request).map { try $0.value("number", as: Int.self) } == [10])
    }

    @Test func batches() throws {
        var names: [String] = []
        // snippet.Fetching.batches
        var request = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)])
        request.fetchBatchSize = 100
        let items = try context.fetch(request)  // reads keys
        for item in items { names.append(item.name) }  // every hundredth reads a hundred rows
        // snippet.end
        #expect(names.count == 10)
    }

    @Test func pendingChanges() throws {
        // snippet.Fetching.pending
        let item = Item(context: context)
        item.name = "not saved yet"
        var request = FetchRequest(Item.self, predicate: .compare("name", .equal, "not saved yet"))
        let found = try context.fetch(request)  // the item
        request.includesPendingChanges = false
        let saved = try context.fetch(request)  // nothing
        // snippet.end
        #expect(found == [item] && saved.isEmpty)
    }

    @Test func refused() throws {
        // snippet.Fetching.refused
        let request = FetchRequest(Item.self, predicate: FetchPredicate(#Predicate<Item> { $0.name.count > 3 }))
        do throws(StoreError) {
            _ = try context.fetch(request)
        } catch {
            print(error.code, error.message)  // invalidRequest, and what cannot be said in SQL
        }
        // snippet.end
        #expect(throws: StoreError.self) { try context.fetch(request) }
    }

    @Test func dynamic() throws {
        // snippet.Fetching.dynamic
        let entity = EntityDescription(
            name: "Note",
            attributes: [
                AttributeDescription("text", .string), AttributeDescription("stars", .integer16, isOptional: true),
            ])
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(entities: [entity]))
        try coordinator.addPersistentStore(.inMemory)
        let context = ManagedObjectContext(coordinator: coordinator)
        let note = try EntityDescription.insertNewObject(forEntityName: "Note", into: context)
        try note.setValue("Buy milk", forKey: "text")
        try note.setValue(5, forKey: "stars")
        try context.save()
        // snippet.end
        #expect(try context.count(for: FetchRequest(entityName: "Note")) == 1)
    }
}

import Foundation
import ManagedStore
import Testing

/// BatchRequests.md.
@Suite struct BatchRequestsSnippets {
    @Test func update() throws {
        let context = try SnippetStore(items: 3).context()
        let items = try context.items()
        #expect(items.allSatisfy { !$0.done })
        try checkOff(context)
        #expect(items.allSatisfy { $0.done && !$0.hasChanges })
    }

    private func checkOff(_ context: ManagedObjectContext) throws {
        // snippet.BatchRequests.update
        var request = BatchUpdateRequest(
            Item.self, set: ["done": true], predicate: FetchPredicate(#Predicate<Item> { !$0.done }))
        request.resultType = .updatedObjectIDs
        guard case .updatedObjectIDs(let ids) = try context.execute(request) else { return }
        try ManagedObjectContext.mergeChanges(ObjectIDChanges(updated: ObjectIDSet(ids)), into: [context])
        // snippet.end
    }

    @Test func expressions() throws {
        let context = try SnippetStore(items: 1).context()
        // snippet.BatchRequests.expressions
        let request = BatchUpdateRequest(
            entityName: "Item", set: ["visits": .attribute("visits") + 1, "createdAt": .value(Date.distantPast)])
        _ = try context.execute(request)
        // snippet.end
        #expect(try context.items().map(\.visits) == [1])
    }

    @Test func deletion() throws {
        let context = try SnippetStore(items: 3).context()
        // snippet.BatchRequests.delete
        var oldest = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)])
        oldest.fetchLimit = 2
        var request = BatchDeleteRequest(fetchRequest: oldest)
        request.resultType = .objectIDs
        let result = try context.execute(request)
        // snippet.end
        guard case .objectIDs(let ids) = result else { throw CocoaError(.coderInvalidValue) }
        #expect(ids.count == 2)
        #expect(try context.items().map(\.name) == ["Item 2"])
    }

    @Test func insertion() throws {
        let context = try SnippetStore().context()
        // snippet.BatchRequests.insert
        var names = ["Buy milk", "Call mum"].makeIterator()
        var request = BatchInsertRequest(Item.self) { item in
            guard let name = names.next() else { return true }  // done: this item is not inserted
            item.name = name
            return false
        }
        request.resultType = .count
        _ = try context.execute(request)
        // snippet.end
        #expect(try context.count(for: FetchRequest(Item.self)) == 2)
        // snippet.BatchRequests.dictionaries
        let dictionaries = BatchInsertRequest(
            entityName: "Item", objects: [["name": "Buy milk", "done": true], ["name": "Call mum"]])
        _ = try context.execute(dictionaries)
        // snippet.end
        #expect(try context.count(for: FetchRequest(Item.self)) == 4)
    }
}

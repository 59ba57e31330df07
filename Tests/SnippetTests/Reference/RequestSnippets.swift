import Foundation
import ManagedStore
import Testing

/// The snippet at `FetchExpression`.
@Suite struct FetchExpressionSnippets {
    final class Purchase: ManagedObject {
        static let customer = Attribute<String>("customer")
        static let price = Attribute<Double>("price")
        override class var attributes: [any AttributeKey] { [customer, price] }
    }

    @Test func fetchExpression() throws {
        let context = try SnippetStore(ManagedObjectModel(Purchase.self)).context()
        for (customer, price) in [("Ann", 80.0), ("Ann", 30), ("Bob", 90)] {
            let purchase = Purchase(context: context)
            purchase[Purchase.customer] = customer
            purchase[Purchase.price] = price
        }
        try context.save()
        var printed: [String] = []
        func print(_ customer: String, _ spent: Double) { printed.append("\(customer) \(spent)") }
        // snippet.FetchExpression
        var request = FetchRequest(Purchase.self)
        request.propertiesToFetch = ["customer", .sum("price", as: "spent"), .count(as: "purchases")]
        request.propertiesToGroupBy = ["customer"]
        request.havingPredicate = .compare("spent", .greater, 100.0)
        for record in try context.fetchDictionaries(request) {
            print(try record.value("customer", as: String.self), try record.value("spent", as: Double.self))
        }
        // snippet.end
        #expect(printed == ["Ann 110.0"])
    }
}

/// The snippets at the declarations of requests.
@Suite struct RequestSnippets {
    @Test func fetchRequest() throws {
        let context = try SnippetStore(items: 3).context()
        // snippet.FetchRequest
        var request = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)])
        request.predicate = FetchPredicate(#Predicate<Item> { !$0.done })
        let items = try context.fetch(request)
        // snippet.end
        #expect(items.map(\.name) == ["Item 0", "Item 1", "Item 2"])
    }

    @Test func fetchPredicate() throws {
        let context = try SnippetStore().context()
        let item = Item(context: context)
        item.name = "Buy milk!"
        var request = FetchRequest(Item.self)
        // snippet.FetchPredicate
        let open = FetchPredicate(#Predicate<Item> { !$0.done && $0.name.contains("milk") })
        let recent = FetchPredicate.compare("createdAt", .greaterOrEqual, Date(timeIntervalSinceNow: -86_400))
        request.predicate = open && recent && .string("name", .endsWith, "!", .caseInsensitive)
        // snippet.end
        #expect(try context.fetch(request) == [item])
    }

    @Test func predicatesOnRelatedObjects() throws {
        let author = EntityDescription(
            name: "Author", attributes: [AttributeDescription("name", .string)],
            relationships: [RelationshipDescription("books", to: "Book", inverse: "author", isToMany: true)])
        let book = EntityDescription(
            name: "Book", attributes: [AttributeDescription("title", .string)],
            relationships: [RelationshipDescription("author", to: "Author", inverse: "books")])
        let context = try SnippetStore(ManagedObjectModel(entities: [author, book])).context()
        var request = FetchRequest(entityName: "Author")
        // snippet.FetchPredicate.related
        request.predicate = .any("books", .compare("title", .equal, "Orlando")) && .count("books", .greater, 3)
        // snippet.end
        #expect(try context.fetch(request).isEmpty)
    }

    @Test func asynchronousFetchRequest() async throws {
        let context = try SnippetStore(items: 3).context(.privateQueue)
        let delivered = try await context.perform {
            // snippet.AsynchronousFetchRequest
            let request = AsynchronousFetchRequest(fetchRequest: FetchRequest(Item.self)) { result in
                show(result.finalResult ?? [])
            }
            let result = try context.execute(request)  // returns at once
            result.progressHandler = { print("Fetched \($0) records") }
            // snippet.end
            return result
        }
        for await _ in delivered.progressUpdates {}
        #expect(try await context.perform { delivered.finalResult?.count } == 3)
    }

    @Test func batchUpdateRequest() throws {
        let context = try SnippetStore(items: 3).context()
        // snippet.BatchUpdateRequest
        var request = BatchUpdateRequest(entityName: "Item", set: ["done": .value(true)])
        request.resultType = .updatedObjectIDs
        let result = try context.execute(request)
        // snippet.end
        guard case .updatedObjectIDs(let ids) = result else { throw CocoaError(.coderInvalidValue) }
        #expect(ids.count == 3)
    }

    @Test func batchExpression() throws {
        let context = try SnippetStore(items: 1).context()
        var request = BatchUpdateRequest(Item.self)
        // snippet.BatchExpression
        request.propertiesToUpdate = [
            "visits": .attribute("visits") + 1, "done": !.attribute("done"), "name": "unnamed",
        ]
        // snippet.end
        _ = try context.execute(request)
        let item = try context.items()[0]
        #expect(item.visits == 1 && item.done && item.name == "unnamed")
    }

    @Test func batchDeleteRequest() throws {
        let context = try SnippetStore(items: 3).context()
        try context.items()[1].done = true
        try context.save()
        // snippet.BatchDeleteRequest
        let done = FetchRequest(Item.self, predicate: .compare("done", .equal, true))
        var request = BatchDeleteRequest(fetchRequest: done)
        request.resultType = .count
        let result = try context.execute(request)
        // snippet.end
        guard case .count(1) = result else { throw CocoaError(.coderInvalidValue) }
    }

    @Test func batchInsertRequest() throws {
        let context = try SnippetStore().context()
        // snippet.BatchInsertRequest
        var number = 0
        let request = BatchInsertRequest(Item.self) { item in
            if number == 1_000 { return true }
            item.name = "Item \(number)"
            item.createdAt = Date()
            number += 1
            return false
        }
        _ = try context.execute(request)
        // snippet.end
        #expect(try context.count(for: FetchRequest(Item.self)) == 1_000)
    }

    @MainActor @Test func fetchedResultsController() async throws {
        let context = try SnippetStore().context(.mainQueue)
        let task = Task {
            // snippet.FetchedResultsController
            let request = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)])
            let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
            try controller.performFetch()
            for await changes in controller.changes { print(changes.inserts.count, "new items") }
            // snippet.end
        }
        task.cancel()
        try await task.value
    }
}

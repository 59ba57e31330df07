// snippet.GettingStarted.model
import Foundation
import ManagedStore

// snippet.end
import TestSupport
import Testing

/// GettingStarted.md, from the beginning to the end.
@Suite struct GettingStartedSnippets {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    // snippet.GettingStarted.model
    // swift-format-ignore
    final class Item: ManagedObject {
        static let name = Attribute("name", \Item.name, minLength: 1)
        static let createdAt = Attribute("createdAt", \Item.createdAt)
        static let done = Attribute("done", \Item.done, default: false)
        override class var attributes: [any AttributeKey] { [name, createdAt, done] }

        var name: String { get { self[Item.name] } set { self[Item.name] = newValue } }
        var createdAt: Date { get { self[Item.createdAt] } set { self[Item.createdAt] = newValue } }
        var done: Bool { get { self[Item.done] } set { self[Item.done] = newValue } }
    }
    // snippet.end

    /// Stands in for the initialiser: the file lies in the test's folder.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    private func URL(filePath: String) -> Foundation.URL { directory.file(filePath) }

    @Test func fromTheBeginningToTheEnd() async throws {
        // snippet.GettingStarted.store
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
        try coordinator.addPersistentStore(.sqlite, at: URL(filePath: "items.sqlite"))
        let context = ManagedObjectContext(concurrencyType: .privateQueue, coordinator: coordinator)
        // snippet.end

        // snippet.GettingStarted.insert
        try await context.perform {
            for name in ["Buy milk", "Call mum", "Water the plants"] {
                let item = Item(context: context)
                item.name = name
                item.createdAt = Date()
            }
            try context.save()
        }
        // snippet.end

        // snippet.GettingStarted.fetch
        try await context.perform {
            var request = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)])
            request.predicate = FetchPredicate(#Predicate<Item> { !$0.done })
            for item in try context.fetch(request) { print(item.name) }
        }
        // snippet.end

        // snippet.GettingStarted.change
        try await context.perform {
            let request = FetchRequest(Item.self, predicate: FetchPredicate(#Predicate<Item> { $0.name == "Buy milk" }))
            for item in try context.fetch(request) { item.done = true }
            try context.save()
        }
        // snippet.end
        #expect(try await names(done: true, context) == ["Buy milk"])

        // snippet.GettingStarted.delete
        try await context.perform {
            let request = FetchRequest(Item.self, predicate: FetchPredicate(#Predicate<Item> { $0.done }))
            for item in try context.fetch(request) { context.delete(item) }
            try context.save()
        }
        // snippet.end
        #expect(try await names(done: true, context) == [])

        // snippet.GettingStarted.error
        try await context.perform {
            let item = Item(context: context)
            do {
                try context.save()
            } catch let error as StoreError {
                print(error.code, error.message)
                context.delete(item)
            }
        }
        // snippet.end
        #expect(try await names(done: false, context) == ["Call mum", "Water the plants"])

        // snippet.GettingStarted.close
        try coordinator.removePersistentStore()
        // snippet.end
    }

    private func names(done: Bool, _ context: ManagedObjectContext) async throws -> [String] {
        try await context.perform {
            let request = FetchRequest(
                Item.self, sortBy: [SortDescriptor(\.createdAt)], predicate: .compare("done", .equal, done))
            return try context.fetch(request).map(\.name)
        }
    }
}

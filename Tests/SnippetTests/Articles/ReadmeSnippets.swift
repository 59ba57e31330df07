// snippet.README.minute
import Foundation
import ManagedStore

// snippet.end
import TestSupport
import Testing

/// What the README shows of ManagedStore.
@Suite struct ReadmeSnippets {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    // snippet.README.minute
    // swift-format-ignore
    final class Item: ManagedObject {
        static let name = Attribute("name", \Item.name)
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

    @Test func minute() async throws {
        // snippet.README.minute
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
        try coordinator.addPersistentStore(.sqlite, at: URL(filePath: "items.sqlite"))
        let context = ManagedObjectContext(concurrencyType: .privateQueue, coordinator: coordinator)

        try await context.perform {
            let item = Item(context: context)
            item.name = "Buy milk"
            item.createdAt = Date()
            try context.save()

            var request = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)])
            request.predicate = FetchPredicate(#Predicate<Item> { !$0.done })
            for item in try context.fetch(request) { print(item.name) }
        }
        // snippet.end
        #expect(try await context.perform { try context.count(for: FetchRequest(Item.self)) } == 1)
        try await asynchronously(context)
        try coordinator.removePersistentStore()
    }

    private func asynchronously(_ context: ManagedObjectContext) async throws {
        // snippet.README.asynchronous
        let request = AsynchronousFetchRequest(fetchRequest: FetchRequest(Item.self)) { result in
            print("Fetched \(result.finalResult?.count ?? 0) records")
        }
        try await context.perform {
            let result = try context.execute(request)  // returns at once
            result.progressHandler = { print("\($0) so far") }
            // result.cancel() stops it, SQLite included
        }
        // snippet.end
        let count = try await context.fetch(FetchRequest(Item.self)) { $0.count }
        #expect(count == 1)
    }
}

// snippet.README.store
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

    // snippet.README.store
    // swift-format-ignore
    final class Item: ManagedObject {
        static let name = Attribute("name", \Item.name)
        override class var attributes: [any AttributeKey] { [name] }
        var name: String { get { self[Item.name] } set { self[Item.name] = newValue } }
    }
    // snippet.end

    /// Stands in for the initialiser: the file lies in the test's folder.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    private func URL(filePath: String) -> Foundation.URL { directory.file(filePath) }

    @Test func store() async throws {
        // snippet.README.store
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
        try coordinator.addPersistentStore(.sqlite, at: URL(filePath: "items.sqlite"))
        let context = ManagedObjectContext(concurrencyType: .privateQueue, coordinator: coordinator)
        try await context.perform {
            Item(context: context).name = "Buy milk"
            try context.save()
            for item in try context.fetch(FetchRequest(Item.self)) { print(item.name) }
        }
        // snippet.end
        #expect(try await context.perform { try context.count(for: FetchRequest(Item.self)) } == 1)
        try coordinator.removePersistentStore()
    }
}

import Foundation
import ManagedStore

/// A store that a snippet begins with.
struct SnippetStore {
    let coordinator: PersistentStoreCoordinator

    /// A store in memory with `count` items "Item 0", "Item 1", ... of a second each.
    init(_ model: ManagedObjectModel? = nil, items count: Int = 0) throws {
        coordinator = PersistentStoreCoordinator(managedObjectModel: try model ?? ManagedObjectModel(Item.self))
        try coordinator.addPersistentStore(.inMemory)
        guard count > 0 else { return }
        let context = context()
        for number in 0..<count {
            let item = Item(context: context)
            item.name = "Item \(number)"
            item.createdAt = Date(timeIntervalSinceReferenceDate: Double(number))
        }
        try context.save()
    }

    /// A context; without a type one of the calling thread.
    func context(_ type: ManagedObjectContext.ConcurrencyType = .confinement) -> ManagedObjectContext {
        ManagedObjectContext(concurrencyType: type, coordinator: coordinator)
    }
}

extension ManagedObjectContext {
    /// All items, in the order of `createdAt`.
    func items() throws -> [Item] { try fetch(FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)])) }
}

/// Stands in for what an application does with the results of a snippet.
func show(_ items: [Item]) {}
func show(_ count: Int) {}

/// Snippets print; tests do not.
func print(_ items: Any..., terminator: String = "\n") {}

import Foundation
import ManagedStore

/// The to-do list's entity, as most pages mean it. Every attribute has a default, so that a snippet may leave any of
/// them out.
class Item: ManagedObject {
    static let name = Attribute("name", \Item.name, default: "Buy milk!")
    static let createdAt = Attribute("createdAt", \Item.createdAt, default: Date())
    static let done = Attribute("done", \Item.done, default: false)
    static let visits = Attribute("visits", \Item.visits, default: 0)
    override class var attributes: [any AttributeKey] { [name, createdAt, done, visits] }

    var name: String {
        get { self[Item.name] }
        set { self[Item.name] = newValue }
    }
    var createdAt: Date {
        get { self[Item.createdAt] }
        set { self[Item.createdAt] = newValue }
    }
    var done: Bool {
        get { self[Item.done] }
        set { self[Item.done] = newValue }
    }
    var visits: Int64 {
        get { self[Item.visits] }
        set { self[Item.visits] = newValue }
    }
}

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

/// What a snippet shows somebody.
func show(_ items: [Item]) {}
func show(_ count: Int) {}

/// Snippets print; tests do not.
func print(_ items: Any..., terminator: String = "\n") {}

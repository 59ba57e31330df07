import Foundation
import ManagedStore

/// A task to do: the only entity of the model.
///
/// Each property consists of a checked key and an accessor. The typed key tells the compiler the type of `name`;
/// `#Predicate` and `SortDescriptor` use the accessor.
final class Item: ManagedObject {
    // A save rejects an item without a name, wherever it was made.
    static let name = Attribute("name", \Item.name, minLength: 1)
    static let createdAt = Attribute("createdAt", \Item.createdAt)
    static let done = Attribute("done", \Item.done, default: false)
    override class var attributes: [any AttributeKey] { [name, createdAt, done] }

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

    /// Makes a new item, which the context's next save writes.
    convenience init(_ name: String, createdAt: Date = Date(), done: Bool = false, in context: ManagedObjectContext) {
        self.init(context: context)
        self.name = name
        self.createdAt = createdAt
        self.done = done
    }
}

extension Item {
    enum Filter: Sendable {
        case all
        case done
        case open
    }

    /// Returns a request for the items in display order. Requests are values, so code makes them where it needs them,
    /// on any queue.
    static func sorted(_ filter: Filter = .all) -> FetchRequest<Item> {
        var request = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)])
        switch filter {
        case .all: break
        // Conditions become SQL, so the store never reads the other items.
        case .done: request.predicate = FetchPredicate(#Predicate<Item> { $0.done })
        case .open: request.predicate = FetchPredicate(#Predicate<Item> { !$0.done })
        }
        return request
    }
}

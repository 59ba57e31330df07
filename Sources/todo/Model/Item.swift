import Foundation
import ManagedStore

/// Something to do: the one entity of the model.
///
/// Each property is a checked key and an accessor over it. The key is typed, so that the compiler knows what `name`
/// holds, and the accessor is what `#Predicate` and `SortDescriptor` are written with.
final class Item: ManagedObject {
    // A save refuses an item without a name, wherever it was made.
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

    /// A new item, which the context's next save writes.
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

    /// The items in the order in which they are shown. Requests are values: made where they are needed, they cross
    /// queues.
    static func sorted(_ filter: Filter = .all) -> FetchRequest<Item> {
        var request = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)])
        switch filter {
        case .all: break
        // Conditions become SQL: items that were not asked for are never read.
        case .done: request.predicate = FetchPredicate(#Predicate<Item> { $0.done })
        case .open: request.predicate = FetchPredicate(#Predicate<Item> { !$0.done })
        }
        return request
    }
}

import Foundation
import ManagedStore

/// The to-do list's entity.
final class Item: ManagedObject {
    static let name = Attribute("name", \Item.name)
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
}

extension Item {
    /// A valid new item.
    @discardableResult
    convenience init(_ name: String, at seconds: Double = 0, done: Bool = false, in context: ManagedObjectContext) {
        self.init(context: context)
        self.name = name
        createdAt = Date(timeIntervalSinceReferenceDate: seconds)
        self.done = done
    }
}

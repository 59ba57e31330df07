import Foundation
import ManagedStore

/// The to-do item of the main scenarios, declared as an application would declare it.
final class ItemObject: ManagedObject {
    static let name = Attribute("name", \ItemObject.name)
    static let createdAt = Attribute("createdAt", \ItemObject.createdAt)
    static let done = Attribute("done", \ItemObject.done, default: false)

    override class var entityName: String { "Item" }
    override class var attributes: [any AttributeKey] { [name, createdAt, done] }

    var name: String {
        get { self[ItemObject.name] }
        set { self[ItemObject.name] = newValue }
    }
    var createdAt: Date {
        get { self[ItemObject.createdAt] }
        set { self[ItemObject.createdAt] = newValue }
    }
    var done: Bool {
        get { self[ItemObject.done] }
        set { self[ItemObject.done] = newValue }
    }
}

import Foundation
import ManagedStore

/// The to-do item of the main scenarios, declared as an application would declare it.
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

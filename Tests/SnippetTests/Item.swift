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

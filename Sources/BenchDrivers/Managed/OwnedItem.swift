import Foundation
import ManagedStore

/// The to-do item that belongs to a list, declared as an application would declare it.
final class OwnedItem: ManagedObject {
    static let name = Attribute("name", \OwnedItem.name)
    static let createdAt = Attribute("createdAt", \OwnedItem.createdAt)
    static let done = Attribute("done", \OwnedItem.done, default: false)
    static let list = Relationship("list", \OwnedItem.list, inverse: "items")

    override class var entityName: String { "Item" }
    override class var attributes: [any AttributeKey] { [name, createdAt, done] }
    override class var relationships: [any RelationshipKey] { [list] }

    var name: String {
        get { self[OwnedItem.name] }
        set { self[OwnedItem.name] = newValue }
    }
    var createdAt: Date {
        get { self[OwnedItem.createdAt] }
        set { self[OwnedItem.createdAt] = newValue }
    }
    var done: Bool {
        get { self[OwnedItem.done] }
        set { self[OwnedItem.done] = newValue }
    }
    var list: ItemList? {
        get { self[OwnedItem.list] }
        set { self[OwnedItem.list] = newValue }
    }
}

/// A list of to-do items.
final class ItemList: ManagedObject {
    static let name = Attribute("name", \ItemList.name)
    static let position = Attribute("position", \ItemList.position)
    static let items = Relationship("items", \ItemList.items, inverse: "list")

    override class var entityName: String { "List" }
    override class var attributes: [any AttributeKey] { [name, position] }
    override class var relationships: [any RelationshipKey] { [items] }

    var name: String {
        get { self[ItemList.name] }
        set { self[ItemList.name] = newValue }
    }
    var position: Int64 {
        get { self[ItemList.position] }
        set { self[ItemList.position] = newValue }
    }
    var items: Set<OwnedItem> {
        get { self[ItemList.items] }
        set { self[ItemList.items] = newValue }
    }
}

import Foundation
import ManagedStore

/// The to-do item of a list, declared as an application would declare it.
final class OwnedItemObject: ManagedObject {
    static let name = Attribute("name", \OwnedItemObject.name)
    static let createdAt = Attribute("createdAt", \OwnedItemObject.createdAt)
    static let done = Attribute("done", \OwnedItemObject.done, default: false)
    static let list = Relationship("list", \OwnedItemObject.list, inverse: "items")

    override class var entityName: String { "Item" }
    override class var attributes: [any AttributeKey] { [name, createdAt, done] }
    override class var relationships: [any RelationshipKey] { [list] }

    var name: String {
        get { self[OwnedItemObject.name] }
        set { self[OwnedItemObject.name] = newValue }
    }
    var createdAt: Date {
        get { self[OwnedItemObject.createdAt] }
        set { self[OwnedItemObject.createdAt] = newValue }
    }
    var done: Bool {
        get { self[OwnedItemObject.done] }
        set { self[OwnedItemObject.done] = newValue }
    }
    var list: ListObject? {
        get { self[OwnedItemObject.list] }
        set { self[OwnedItemObject.list] = newValue }
    }
}

/// A list of to-do items.
final class ListObject: ManagedObject {
    static let name = Attribute("name", \ListObject.name)
    static let position = Attribute("position", \ListObject.position)
    static let items = Relationship("items", \ListObject.items, inverse: "list")

    override class var entityName: String { "List" }
    override class var attributes: [any AttributeKey] { [name, position] }
    override class var relationships: [any RelationshipKey] { [items] }

    var name: String {
        get { self[ListObject.name] }
        set { self[ListObject.name] = newValue }
    }
    var position: Int64 {
        get { self[ListObject.position] }
        set { self[ListObject.position] = newValue }
    }
    var items: Set<OwnedItemObject> {
        get { self[ListObject.items] }
        set { self[ListObject.items] = newValue }
    }
}

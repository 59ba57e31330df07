import Foundation
import ManagedStore

/// Related to others, and to others like it, in every way there is.
final class Holder: ManagedObject {
    static let name = Attribute<String>("name", default: "", maxLength: 1_000)
    static let number = Attribute<Int64?>("number")
    static let assets = Relationship("assets", \Holder.assets, inverse: "holder", deleteRule: .cascade)
    static let favourite = Relationship("favourite", \Holder.favourite, inverse: "admirers")
    static let friends = Relationship("friends", \Holder.friends, inverse: "friends")
    static let deputy = Relationship("deputy", \Holder.deputy, inverse: "principal")
    static let principal = Relationship("principal", \Holder.principal, inverse: "deputy")
    static let boss = Relationship("boss", \Holder.boss, inverse: "staff")
    static let staff = Relationship("staff", \Holder.staff, inverse: "boss", deleteRule: .deny)
    static let pin = Relationship("pin", \Holder.pin)
    override class var attributes: [any AttributeKey] { [name, number] }
    override class var relationships: [any RelationshipKey] {
        [assets, favourite, friends, deputy, principal, boss, staff, pin]
    }
    override class var uniquenessConstraints: [[String]] { [["name", "number"]] }

    var assets: [Asset] {
        get { self[Holder.assets] }
        set { self[Holder.assets] = newValue }
    }
    var favourite: Atlas? {
        get { self[Holder.favourite] }
        set { self[Holder.favourite] = newValue }
    }
    var friends: Set<Holder> {
        get { self[Holder.friends] }
        set { self[Holder.friends] = newValue }
    }
    var deputy: Holder? {
        get { self[Holder.deputy] }
        set { self[Holder.deputy] = newValue }
    }
    var principal: Holder? {
        get { self[Holder.principal] }
        set { self[Holder.principal] = newValue }
    }
    var boss: Holder? {
        get { self[Holder.boss] }
        set { self[Holder.boss] = newValue }
    }
    var staff: [Holder] {
        get { self[Holder.staff] }
        set { self[Holder.staff] = newValue }
    }
    var pin: Tag? {
        get { self[Holder.pin] }
        set { self[Holder.pin] = newValue }
    }
}

/// Cannot be without its book.
final class Cover: ManagedObject {
    static let colour = Attribute<String>("colour")
    static let book = Relationship("book", \Cover.book, inverse: "cover", isOptional: false)
    override class var attributes: [any AttributeKey] { [colour] }
    override class var relationships: [any RelationshipKey] { [book] }

    var book: Book? {
        get { self[Cover.book] }
        set { self[Cover.book] = newValue }
    }
}

/// Keeps its assets in an order of its own.
final class Tag: ManagedObject {
    static let name = Attribute<String>("name", minLength: 1)
    static let assets = Relationship("assets", \Tag.assets, inverse: "tags")
    override class var attributes: [any AttributeKey] { [name] }
    override class var relationships: [any RelationshipKey] { [assets] }

    var assets: [Asset] {
        get { self[Tag.assets] }
        set { self[Tag.assets] = newValue }
    }
}

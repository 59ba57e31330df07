import ManagedStore

/// An account of the store of related records; see ``RelatedSession``.
final class RelatedAccount: ManagedObject {
    static let number = Attribute("number", \RelatedAccount.number)
    static let revision = Attribute("revision", \RelatedAccount.revision, default: 1)
    static let balance = Attribute("balance", \RelatedAccount.balance, default: 0)
    static let list = Relationship("list", \RelatedAccount.list, inverse: "members", isOptional: false)
    static let queue = Relationship("queue", \RelatedAccount.queue, inverse: "queue")
    static let next = Relationship("next", \RelatedAccount.next, inverse: "previous")
    static let previous = Relationship("previous", \RelatedAccount.previous, inverse: "next")
    static let tags = Relationship("tags", \RelatedAccount.tags, inverse: "accounts")

    override class var entityName: String { "Account" }
    override class var attributes: [any AttributeKey] { [number, revision, balance] }
    override class var relationships: [any RelationshipKey] { [list, queue, next, previous, tags] }

    var number: Int {
        get { self[RelatedAccount.number] }
        set { self[RelatedAccount.number] = newValue }
    }
    var revision: Int {
        get { self[RelatedAccount.revision] }
        set { self[RelatedAccount.revision] = newValue }
    }
    var balance: Int {
        get { self[RelatedAccount.balance] }
        set { self[RelatedAccount.balance] = newValue }
    }
    var list: RelatedList? {
        get { self[RelatedAccount.list] }
        set { self[RelatedAccount.list] = newValue }
    }
    var queue: RelatedList? {
        get { self[RelatedAccount.queue] }
        set { self[RelatedAccount.queue] = newValue }
    }
    var next: RelatedAccount? {
        get { self[RelatedAccount.next] }
        set { self[RelatedAccount.next] = newValue }
    }
    var previous: RelatedAccount? {
        get { self[RelatedAccount.previous] }
        set { self[RelatedAccount.previous] = newValue }
    }
    var tags: Set<RelatedTag> {
        get { self[RelatedAccount.tags] }
        set { self[RelatedAccount.tags] = newValue }
    }
}

/// A list of accounts, which cannot be deleted while it has members.
final class RelatedList: ManagedObject {
    static let number = Attribute("number", \RelatedList.number)
    static let members = Relationship("members", \RelatedList.members, inverse: "list", deleteRule: .deny)
    static let queue = Relationship("queue", \RelatedList.queue, inverse: "queue")

    override class var entityName: String { "List" }
    override class var attributes: [any AttributeKey] { [number] }
    override class var relationships: [any RelationshipKey] { [members, queue] }

    var number: Int {
        get { self[RelatedList.number] }
        set { self[RelatedList.number] = newValue }
    }
    var members: Set<RelatedAccount> {
        get { self[RelatedList.members] }
        set { self[RelatedList.members] = newValue }
    }
    var queue: [RelatedAccount] {
        get { self[RelatedList.queue] }
        set { self[RelatedList.queue] = newValue }
    }
}

/// A tag of accounts.
final class RelatedTag: ManagedObject {
    static let number = Attribute("number", \RelatedTag.number)
    static let accounts = Relationship("accounts", \RelatedTag.accounts, inverse: "tags")

    override class var entityName: String { "Tag" }
    override class var attributes: [any AttributeKey] { [number] }
    override class var relationships: [any RelationshipKey] { [accounts] }

    var number: Int {
        get { self[RelatedTag.number] }
        set { self[RelatedTag.number] = newValue }
    }
    var accounts: Set<RelatedAccount> {
        get { self[RelatedTag.accounts] }
        set { self[RelatedTag.accounts] = newValue }
    }
}

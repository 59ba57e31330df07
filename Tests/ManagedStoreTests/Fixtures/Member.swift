import Foundation
import ManagedStore

/// An entity with values that must be unique: the email, and the number within a club.
class Member: ManagedObject {
    static let email = Attribute("email", \Member.email)
    static let club = Attribute("club", \Member.club)
    static let number = Attribute("number", \Member.number)
    static let note = Attribute("note", \Member.note)
    override class var attributes: [any AttributeKey] { [email, club, number, note] }
    override class var uniquenessConstraints: [[String]] { [["email"], ["club", "number"]] }
    override class var entityName: String { "Member" }

    var email: String? {
        get { self[Member.email] }
        set { self[Member.email] = newValue }
    }
    var club: String? {
        get { self[Member.club] }
        set { self[Member.club] = newValue }
    }
    var number: Int64? {
        get { self[Member.number] }
        set { self[Member.number] = newValue }
    }
    var note: String? {
        get { self[Member.note] }
        set { self[Member.note] = newValue }
    }
}

/// A member with a title that must be unique among those who have one.
final class Officer: Member {
    static let title = Attribute("title", \Officer.title)
    override class var attributes: [any AttributeKey] { super.attributes + [title] }
    override class var uniquenessConstraints: [[String]] { super.uniquenessConstraints + [["title"]] }
    override class var entityName: String { "Officer" }

    var title: String? {
        get { self[Officer.title] }
        set { self[Officer.title] = newValue }
    }
}

extension Member {
    /// A new member.
    @discardableResult
    convenience init(_ email: String?, note: String? = nil, in context: ManagedObjectContext) {
        self.init(context: context)
        self.email = email
        self.note = note
    }

    /// Members and officers.
    static func model() throws -> ManagedObjectModel {
        let member = EntityDescription(Member.self)
        return try ManagedObjectModel(entities: [member, EntityDescription(Officer.self, superentity: member)])
    }
}

import Foundation
import ManagedStore

/// A person with a name that must be unique, related to others in every way.
final class Artisan: ManagedObject {
    static let name = Attribute("name", \Artisan.name)
    static let guild = Relationship("guild", \Artisan.guild, inverse: "members")
    static let tools = Relationship("tools", \Artisan.tools, inverse: "owner", deleteRule: .cascade)
    static let skills = Relationship("skills", \Artisan.skills, inverse: "artisans")
    override class var attributes: [any AttributeKey] { [name] }
    override class var relationships: [any RelationshipKey] { [guild, tools, skills] }
    override class var uniquenessConstraints: [[String]] { [["name"]] }

    var name: String {
        get { self[Artisan.name] }
        set { self[Artisan.name] = newValue }
    }
    var guild: Guild? {
        get { self[Artisan.guild] }
        set { self[Artisan.guild] = newValue }
    }
    var tools: Set<Tool> {
        get { self[Artisan.tools] }
        set { self[Artisan.tools] = newValue }
    }
    var skills: Set<Skill> {
        get { self[Artisan.skills] }
        set { self[Artisan.skills] = newValue }
    }

    convenience init(_ name: String, _ guild: Guild, _ tool: Tool, _ skill: Skill) {
        self.init(context: guild.managedObjectContext!)
        (self.name, self.guild, tools, skills) = (name, guild, [tool], [skill])
    }
}

final class Guild: ManagedObject {
    static let members = Relationship("members", \Guild.members, inverse: "guild")
    override class var relationships: [any RelationshipKey] { [members] }

    var members: Set<Artisan> {
        get { self[Guild.members] }
        set { self[Guild.members] = newValue }
    }

    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(Artisan.self, Guild.self, Tool.self, Skill.self)
    }
}

final class Tool: ManagedObject {
    static let owner = Relationship("owner", \Tool.owner, inverse: "tools")
    override class var relationships: [any RelationshipKey] { [owner] }

    var owner: Artisan? {
        get { self[Tool.owner] }
        set { self[Tool.owner] = newValue }
    }
}

final class Skill: ManagedObject {
    static let artisans = Relationship("artisans", \Skill.artisans, inverse: "skills")
    override class var relationships: [any RelationshipKey] { [artisans] }

    var artisans: Set<Artisan> {
        get { self[Skill.artisans] }
        set { self[Skill.artisans] = newValue }
    }
}

/// What a scenario's records belong to: each of them to one owner, through a to-one relationship whose inverse leads
/// from the owner to its records.
///
/// The owner is one more attribute of the record, behind the others: an integer that is the number of its owner, 1 for
/// the first. So what is true of attributes is true of it. It is written, read, changed and verified as they are; a
/// store keeps it as a relationship.
public struct OwnerSpec: Sendable, Equatable, Codable {
    /// The relationship from a record to its owner, such as `list`.
    public var relationship: String
    /// The relationship from an owner to its records, such as `items`.
    public var inverse: String
    /// The name of the owners' entity, such as `List`.
    public var entityName: String
    /// The owners' attributes, at least one.
    public var attributes: [AttributeSpec]
    /// Owners in a seeded store.
    public var records: Int

    /// Creates a description of owners.
    public init(
        relationship: String, inverse: String, entityName: String, attributes: [AttributeSpec], records: Int
    ) {
        self.relationship = relationship
        self.inverse = inverse
        self.entityName = entityName
        self.attributes = attributes
        self.records = records
    }

    /// The owners' entity.
    public var entity: EntitySpec { EntitySpec(name: entityName, attributes: attributes) }

    /// What a record's owner is told by.
    var attribute: AttributeSpec { AttributeSpec(name: relationship, type: .int64, generator: .owner) }
}

extension EntitySpec {
    /// The attributes without the one that is the number of the owner.
    public var attributesOfItsOwn: ArraySlice<AttributeSpec> {
        owner == nil ? attributes[...] : attributes.dropLast()
    }

    /// The position of the attribute that is the number of the owner, the last; nil for an entity without owners.
    public var ownerAttribute: Int? { owner.map { _ in attributes.count - 1 } }

    /// The position among the owners' attributes of the one that `key` leads to, such as `list.name`; nil for a key of
    /// another kind.
    public func ownersAttribute(_ key: String) -> Int? {
        guard let owner, key.hasPrefix(owner.relationship + ".") else { return nil }
        let name = key.dropFirst(owner.relationship.utf8.count + 1)
        return owner.attributes.firstIndex { $0.name == name }
    }
}

/// Goes from what was fetched to what is related to it, and reads that too.
public struct FollowSpec: Sendable, Equatable, Codable {
    /// The relationship. That to the owner is followed from the records, its inverse from the owners, which are then
    /// what is fetched.
    public var relationship: String
    /// Whether what is related is read for all of them at once, rather than one by one, as each is read.
    public var prefetch: Bool

    /// Creates the work.
    public init(relationship: String, prefetch: Bool) {
        self.relationship = relationship
        self.prefetch = prefetch
    }

    /// Whether it leads from the owners of `entity` to their records.
    public func leadsToRecords(of entity: EntitySpec) -> Bool { entity.owner?.inverse == relationship }
}

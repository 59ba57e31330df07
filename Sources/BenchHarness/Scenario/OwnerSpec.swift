/// The owners of a scenario's records: each record belongs to one owner, through a to-one relationship whose inverse
/// leads from the owner to its records.
///
/// The owner is one more attribute of the record, after the others: an integer with the number of its owner, from 1. So
/// the rules for attributes hold for it: it is written, read, changed and verified like them. A store keeps it as a
/// relationship.
public struct OwnerSpec: Sendable, Equatable, Codable {
    /// The relationship from a record to its owner, such as `list`.
    public var relationship: String
    /// The relationship from an owner to its records, such as `items`.
    public var inverse: String
    /// The name of the owners' entity, such as `List`.
    public var entityName: String
    /// The owners' attributes, at least one.
    public var attributes: [AttributeSpec]
    /// The number of owners in a seeded store.
    public var records: Int
    /// How many records belong to each owner; nil if all owners are equally likely. Optional, since older files lack
    /// it.
    public var distribution: Distribution?
    /// Whether the deletion of an owner deletes its records. Only in a scenario with several entities; optional, since
    /// older files lack it.
    public var cascade: Bool?
    /// Whether the inverse keeps its records in order: new ones come last. Only in a scenario with several entities;
    /// optional, since older files lack it.
    public var ordered: Bool?
    /// Makes the values of owners that are one of several entities of a scenario.
    var salt: UInt64?

    /// How records are spread over owners.
    public enum Distribution: String, Sendable, Codable, CaseIterable {
        /// All owners are equally likely.
        case uniform
        /// A few owners have most of the records, as in YCSB: the popular ones are scattered over all owners.
        case zipfian
    }

    /// Creates a description of owners.
    public init(
        relationship: String, inverse: String, entityName: String, attributes: [AttributeSpec], records: Int,
        distribution: Distribution? = nil
    ) {
        self.relationship = relationship
        self.inverse = inverse
        self.entityName = entityName
        self.attributes = attributes
        self.records = records
        self.distribution = distribution
    }

    /// The owners' entity, without its own relationships.
    public var entity: EntitySpec {
        var entity = EntitySpec(name: entityName, attributes: attributes)
        (entity.salt, entity.records) = (salt, records)
        return entity
    }

    /// Whether the deletion of an owner deletes its records.
    public var cascades: Bool { cascade == true }

    /// Whether the inverse keeps its records in order.
    public var isOrdered: Bool { ordered == true }

    /// The attribute that identifies a record's owner.
    var attribute: AttributeSpec { AttributeSpec(name: relationship, type: .int64, generator: .owner) }
}

extension EntitySpec {
    /// The relationships to one record of another entity: the owner, or those to the scenario's other entities.
    public var toOnes: [OwnerSpec] { owner.map { [$0] } ?? references ?? [] }

    /// The attributes without the numbers of related records.
    public var attributesOfItsOwn: ArraySlice<AttributeSpec> { attributes.dropLast(toOnes.count) }

    /// The positions of the numbers of related records, in the order of ``toOnes``.
    public var toOneAttributes: Range<Int> { attributes.count - toOnes.count..<attributes.count }

    /// Returns the place in ``toOnes`` of the relationship that a key such as `list.name` leads through, and the
    /// position of the attribute that it leads to; nil for another kind of key.
    public func reached(by key: String) -> (toOne: Int, attribute: Int)? {
        for (place, target) in toOnes.enumerated() where key.hasPrefix(target.relationship + ".") {
            let name = key.dropFirst(target.relationship.count + 1)
            return target.attributes.firstIndex { $0.name == name }.map { (place, $0) }
        }
        return nil
    }

    /// The position of the number of the owner, the last attribute; nil for an entity without owners.
    public var ownerAttribute: Int? { owner.map { _ in attributes.count - 1 } }
}

/// A relationship to follow from the fetched records, and to read.
public struct FollowSpec: Sendable, Equatable, Codable {
    /// The relationship. The one to the owner leads from the records; its inverse leads from the owners, which the
    /// phase then fetches.
    public var relationship: String
    /// Whether the related records are read all at once, not one by one on access.
    public var prefetch: Bool

    /// Creates the work.
    public init(relationship: String, prefetch: Bool) {
        self.relationship = relationship
        self.prefetch = prefetch
    }

    /// Returns whether it leads from the owners of `entity` to their records.
    public func leadsToRecords(of entity: EntitySpec) -> Bool { entity.owner?.inverse == relationship }
}

/// A relationship from each record of an entity to one record of an entity of the scenario, or to none; its inverse
/// leads back.
///
/// The relationship is one more attribute of the record, after the others: an integer with the number of the record
/// that it leads to, from 1. So the rules for attributes hold for it: it is written, read, changed and verified like
/// them. A store keeps it as a relationship.
public struct ReferenceSpec: Sendable, Equatable, Codable {
    /// The relationship from a record, such as `list`.
    public var relationship: String
    /// The relationship that leads back, such as `items`.
    public var inverse: String
    /// The name of the entity that it leads to, such as `List`, or of the one from which that inherits.
    public var entityName: String
    /// The number of records of that entity in a seeded store.
    public var records: Int
    /// How many records lead to each of those; nil if all are equally likely. Optional, since older files lack it.
    public var distribution: Distribution?
    /// What becomes of the records that lead to a deleted one; nil if they lead nowhere. Optional, since older files
    /// lack it.
    public var deleteRule: DeleteRule?
    /// Whether the inverse keeps its records in order: new ones come last. Optional, since older files lack it.
    public var ordered: Bool?
    /// The subentity whose records alone have the relationship; nil if all records have it.
    public var subentity: String?
    /// The subentity to whose records alone it leads; nil if it may lead to any.
    public var target: TargetKind?

    /// How relationships are spread over the records that they lead to.
    public enum Distribution: String, Sendable, Codable, CaseIterable {
        /// All are equally likely.
        case uniform
        /// A few have most of the relationships, as in YCSB: the popular ones are scattered over all records.
        case zipfian
    }

    /// What becomes of the records that lead to a deleted one.
    public enum DeleteRule: String, Sendable, Codable, CaseIterable {
        /// They lead nowhere.
        case nullify
        /// They are deleted, too.
        case cascade
        /// The deletion is refused if any of them stays, and nothing is deleted.
        case deny
    }

    /// Creates a description of a relationship.
    public init(
        relationship: String, inverse: String, entityName: String, records: Int, distribution: Distribution? = nil
    ) {
        self.relationship = relationship
        self.inverse = inverse
        self.entityName = entityName
        self.records = records
        self.distribution = distribution
    }

    /// What becomes of the records that lead to a deleted one.
    public var rule: DeleteRule { deleteRule ?? .nullify }

    /// Whether the inverse keeps its records in order.
    public var isOrdered: Bool { ordered == true }

    /// Returns the attribute with the number of the record that it leads to, from an entity.
    func attribute(of entity: String) -> AttributeSpec {
        var attribute = AttributeSpec(
            name: relationship, type: .int64, generator: entityName == entity ? .earlier : .owner)
        attribute.subentity = subentity
        // No record may be of that kind, or none before.
        attribute.mayLoseValues = target == nil ? nil : true
        return attribute
    }
}

extension EntitySpec {
    /// The relationships to one record.
    public var toOnes: [ReferenceSpec] { references ?? [] }

    /// The attributes without the numbers of related records.
    public var attributesOfItsOwn: ArraySlice<AttributeSpec> { attributes.dropLast(toOnes.count) }

    /// The attributes that a scenario names: without the numbers of a record's entity and of related records.
    public var namedAttributes: ArraySlice<AttributeSpec> { attributesOfItsOwn.dropLast(subentities == nil ? 0 : 1) }

    /// The positions of the numbers of related records, in the order of ``toOnes``.
    public var toOneAttributes: Range<Int> { attributes.count - toOnes.count..<attributes.count }

    /// Returns the place in ``toOnes`` of the relationship that a key such as `list.name` leads through, and the rest
    /// of the key, which names an attribute of what it leads to; nil for another kind of key.
    public func reached(by key: String) -> (toOne: Int, rest: String)? {
        guard let dot = key.firstIndex(of: "."),
            let place = toOnes.firstIndex(where: { $0.relationship == key[..<dot] })
        else { return nil }
        return (place, String(key[key.index(after: dot)...]))
    }
}

/// A relationship to follow from the fetched records, and to read.
public struct FollowSpec: Sendable, Equatable, Codable {
    /// The relationship.
    public var relationship: String
    /// Whether the related records are read all at once, not one by one on access.
    public var prefetch: Bool

    /// Creates the work.
    public init(relationship: String, prefetch: Bool) {
        self.relationship = relationship
        self.prefetch = prefetch
    }
}

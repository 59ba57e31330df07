import Foundation

/// Reads what is in a store's file, whichever program wrote it, so that `bench describe` can write a scenario like it.
public protocol StoreSurveyor: Sendable {
    /// Reads the entities of the file at `url`, and changes nothing.
    ///
    /// - Throws: An error whose description says what is wrong with the file.
    /// - Complexity: O(*n*) in the number of values in the file.
    func survey(_ url: URL) throws -> StoreSurvey
}

/// What is in a store's file: how many values of which kind, and not the values themselves.
public struct StoreSurvey: Sendable {
    /// The entities, in any order.
    public var entities: [SurveyedEntity]
    /// Those entities from which others inherit, with the records of these among theirs, as a store that is a copy of
    /// the file has them.
    public var families: [SurveyedEntity]
    /// The many-to-many relationships between them, in any order.
    public var links: [SurveyedLink]
    /// What of the file is in no entity, a line each.
    public var remarks: [String]

    /// Creates a survey.
    public init(
        entities: [SurveyedEntity], families: [SurveyedEntity] = [], links: [SurveyedLink] = [], remarks: [String] = []
    ) {
        self.entities = entities
        self.families = families
        self.links = links
        self.remarks = remarks
    }

    /// The entity called `name`, with the records of those that inherit from it.
    func whole(_ name: String) -> SurveyedEntity? {
        families.first { $0.name == name } ?? entities.first { $0.name == name }
    }
}

/// An entity of a store's file, or a table of one that has no entities.
public struct SurveyedEntity: Sendable {
    /// The entity's name.
    public var name: String
    /// The number of its records.
    public var records: Int
    /// Its attributes, in the order of the columns.
    public var attributes: [SurveyedAttribute]
    /// Its to-one relationships.
    public var references: [SurveyedReference]
    /// The entity that it inherits from, directly or not, and that itself inherits from none; nil if there is none.
    public var root: String?

    /// Creates an entity.
    public init(
        name: String, records: Int, attributes: [SurveyedAttribute], references: [SurveyedReference] = [],
        root: String? = nil
    ) {
        self.name = name
        self.records = records
        self.attributes = attributes
        self.references = references
        self.root = root
    }
}

/// An attribute of a store's file.
public struct SurveyedAttribute: Sendable {
    /// The attribute's name.
    public var name: String
    /// What its values are like.
    public var values: ValueSpread
    /// Whether a unique index has its values.
    public var isUnique: Bool
    /// Whether another index has them.
    public var isIndexed: Bool

    /// Creates an attribute.
    public init(name: String, values: ValueSpread, isUnique: Bool = false, isIndexed: Bool = false) {
        self.name = name
        self.values = values
        self.isUnique = isUnique
        self.isIndexed = isIndexed
    }
}

/// A to-one relationship of a store's file.
public struct SurveyedReference: Sendable {
    /// The relationship's name.
    public var name: String
    /// The entity that it leads to; nil if that cannot be told.
    public var entity: String?
    /// The number of records without one.
    public var nulls: Int
    /// The most records that refer to the same one.
    public var most: Int
    /// Whether the records that refer to the same one are in an order of their own.
    public var isOrdered: Bool
    /// Whether the deletion of what it leads to deletes the records that refer to it.
    public var cascades: Bool

    /// Creates a relationship.
    public init(
        name: String, entity: String?, nulls: Int, most: Int, isOrdered: Bool = false, cascades: Bool = false
    ) {
        self.name = name
        self.entity = entity
        self.nulls = nulls
        self.most = most
        self.isOrdered = isOrdered
        self.cascades = cascades
    }
}

/// A many-to-many relationship of a store's file.
public struct SurveyedLink: Sendable {
    /// One of its two ends.
    public struct End: Sendable {
        /// The entity of the records at this end.
        public var entity: String
        /// The name of the relationship that leads to this end.
        public var relationship: String
        /// The fewest records of the other end that one of this end leads to.
        public var fewest: Int
        /// The most records of the other end that one of this end leads to.
        public var most: Int
        /// Whether a record of this end keeps those of the other end in order.
        public var isOrdered: Bool

        /// Creates an end.
        public init(entity: String, relationship: String, fewest: Int, most: Int, isOrdered: Bool = false) {
            self.entity = entity
            self.relationship = relationship
            self.fewest = fewest
            self.most = most
            self.isOrdered = isOrdered
        }
    }

    /// One end.
    public var first: End
    /// The other end.
    public var second: End
    /// The number of pairs of related records.
    public var pairs: Int

    /// Creates a relationship.
    public init(_ first: End, _ second: End, pairs: Int) {
        self.first = first
        self.second = second
        self.pairs = pairs
    }
}

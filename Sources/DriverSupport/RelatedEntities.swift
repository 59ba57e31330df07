import BenchHarness

/// The entities of a scenario, and what their relationships lead to.
///
/// Drivers whose stores hold several entities resolve the names of relationships by it.
public struct RelatedEntities: Sendable {
    /// The entity that a session is about.
    public let entity: EntitySpec
    /// The scenario's other entities.
    public let others: [EntitySpec]

    /// Creates the entities of a scenario.
    public init(_ entity: EntitySpec, others: [EntitySpec] = []) {
        self.entity = entity
        self.others = others
    }

    /// Creates the entities of a store.
    public init(_ configuration: StoreConfiguration) {
        self.init(configuration.entity, others: configuration.others)
    }

    /// Every entity, that of the session first.
    public var all: [EntitySpec] { [entity] + others }

    /// Returns the entity called `name`; nil if there is none.
    public func named(_ name: String) -> EntitySpec? { all.first { $0.name == name } }

    /// Returns the same entities for a session about another one of them.
    public func focused(on entity: EntitySpec) -> RelatedEntities {
        RelatedEntities(entity, others: all.filter { $0.name != entity.name })
    }

    /// The number of an entity in the order of the names, from 1.
    public func number(of name: String) -> Int { 1 + all.count { $0.name < name } }

    /// The many-to-many relationships of all entities.
    public var links: [DeclaredLink] { all.flatMap(\.declaredLinks) }

    /// Returns the relationship of an entity that leads to many records; nil for another one.
    public func toMany(_ relationship: String, of entity: EntitySpec) -> ToManyRelationship? {
        for other in all {
            for (place, toOne) in other.toOnes.enumerated()
            where toOne.entityName == entity.name && toOne.inverse == relationship {
                return ToManyRelationship(target: other, place: .inverse(place), isOrdered: toOne.isOrdered)
            }
        }
        for link in links {
            let isForward = link.source.name == entity.name && link.spec.relationship == relationship
            let isBack = link.spec.entityName == entity.name && link.spec.inverse == relationship
            guard isForward || isBack, let target = isForward ? named(link.spec.entityName) : link.source else {
                continue
            }
            return ToManyRelationship(target: target, place: .pairs(link, isForward: isForward))
        }
        return nil
    }

    /// Returns the relationships to one record by which records belong to those of an entity, and are deleted with
    /// them: the entity that has one, and its place in ``EntitySpec/toOnes``.
    public func belonging(to name: String) -> [(entity: EntitySpec, place: Int)] {
        all.flatMap { entity in
            entity.toOnes.enumerated().filter { $1.entityName == name && $1.cascades }.map { (entity, $0.offset) }
        }
    }
}

/// A many-to-many relationship, and the entity that declares it.
public struct DeclaredLink: Sendable {
    /// The entity that declares it.
    public let source: EntitySpec
    /// Its place in ``EntitySpec/links`` of that entity.
    public let place: Int
    /// Its names.
    public let spec: LinkSpec

    /// `Product.tags`: no other relationship of the scenario has this name.
    public var name: String { "\(source.name).\(spec.relationship)" }

    /// Creates the description of a relationship.
    public init(source: EntitySpec, place: Int, spec: LinkSpec) {
        (self.source, self.place, self.spec) = (source, place, spec)
    }
}

extension EntitySpec {
    /// The many-to-many relationships that the entity declares.
    public var declaredLinks: [DeclaredLink] {
        (links ?? []).enumerated().map { DeclaredLink(source: self, place: $0, spec: $1) }
    }
}

/// A relationship that leads to many records, and what keeps it.
public struct ToManyRelationship: Sendable {
    /// What keeps a relationship.
    public enum Place: Sendable {
        /// The records that it leads to: each has the number of the one that it leads from, by the relationship at a
        /// place in their ``EntitySpec/toOnes``.
        case inverse(Int)
        /// Pairs of numbers. It leads from the entity that declares it, or back.
        case pairs(DeclaredLink, isForward: Bool)
    }

    /// The entity that it leads to.
    public let target: EntitySpec
    /// What keeps it.
    public let place: Place
    /// Whether it keeps its records in order.
    public let isOrdered: Bool

    /// Creates the description of a relationship.
    public init(target: EntitySpec, place: Place, isOrdered: Bool = false) {
        (self.target, self.place, self.isOrdered) = (target, place, isOrdered)
    }
}

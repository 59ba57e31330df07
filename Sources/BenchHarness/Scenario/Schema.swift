/// The entities of a store and the relationships between them, with both ends of each.
///
/// An entity is known by its place, and so is the one that a phase is about: the *focus*. The entities are those that
/// inherit from none, in the order of the file, then those that inherit from one of them.
public struct Schema: Sendable, Equatable {
    /// A kind of record.
    public struct Entity: Sendable, Equatable {
        /// The entity's name, such as `Item`.
        public let name: String
        /// Its attributes, without those that it inherits.
        public let attributes: [AttributeSpec]
        /// The relationships that lead from its records: to one, back from those, to many by pairs, back from these.
        public fileprivate(set) var relationships: [Relationship] = []
        /// The place of the entity that it inherits from; nil if it inherits from none.
        public let superentity: Int?
        /// The values of its records in order, which it shares with the entity that it inherits from.
        public let record: EntitySpec

        /// The number of records in a seeded store; nil outside of a scenario, and for one that inherits.
        public var count: Int? { superentity == nil ? record.records : nil }
    }

    /// One end of a relationship.
    public struct Relationship: Sendable, Equatable {
        /// What keeps a relationship.
        public enum Place: Sendable, Equatable {
            /// The number in the record, for the relationship at a place in its ``EntitySpec/toOnes``.
            case number(Int)
            /// The numbers in the records that it leads to, for the relationship at a place in theirs.
            case inverse(Int)
            /// Pairs of numbers. It leads from the entity that declares it, or back.
            case pairs(Link, isForward: Bool)
        }

        /// The relationship's name, such as `list`.
        public let name: String
        /// The name of the relationship that leads back, such as `items`.
        public let inverse: String
        /// The place of the entity that it leads to.
        public let destination: Int
        /// What keeps it.
        public let place: Place
        /// Whether it keeps the records that it leads to in order: new ones come last.
        public var isOrdered = false
        /// What becomes of the records that it leads to when the one that it leads from is deleted.
        public var deleteRule = ReferenceSpec.DeleteRule.nullify
        /// The subentity whose records alone have it; nil if all records have it.
        public var subentity: String?
        /// The subentity to whose records alone it leads; nil if it may lead to any.
        public var target: String?

        /// Whether it leads to many records.
        public var isToMany: Bool { if case .number = place { false } else { true } }
        /// Whether pairs keep it.
        package var isManyToMany: Bool { if case .pairs = place { true } else { false } }
    }

    /// A many-to-many relationship.
    public struct Link: Sendable, Equatable {
        /// The places of the entity that declares it, and of the one that it leads to.
        public let source: Int, destination: Int
        /// The relationship's place in ``EntitySpec/links`` of the entity that declares it.
        public let place: Int
        /// `Product.tags`: no other relationship of the scenario has this name.
        public let name: String
        /// Its names, and how many records it leads to.
        public let spec: LinkSpec
    }

    /// The entities, by their places.
    public private(set) var entities: [Entity]
    /// The place of the entity that a phase is about.
    public var focus = 0
    /// The entities that it was made of, which inherit from none.
    private let specs: [EntitySpec]

    /// Creates the schema of entities that inherit from none; the first is the focus.
    public init(_ specs: [EntitySpec]) {
        self.specs = specs
        entities = specs.map { spec in
            Entity(
                name: spec.name, attributes: spec.namedAttributes.filter { $0.subentity == nil },
                superentity: nil, record: spec)
        }
        entities += specs.enumerated().flatMap { place, spec in
            (spec.subentities ?? []).map { Entity($0, inheritingFrom: spec, at: place) }
        }
        connect()
    }

    /// Creates the schema of a scenario with one entity.
    public init(_ entity: EntitySpec) { self.init([entity]) }

    /// Gives both entities of each relationship their ends of it.
    private mutating func connect() {
        for place in roots { entities[place].relationships = numbers(of: place) }
        for source in roots {
            for end in entities[source].relationships {
                guard case .number(let toOne) = end.place else { continue }
                let spec = entities[source].record.toOnes[toOne]
                entities[end.destination].relationships.append(
                    Relationship(
                        name: end.inverse, inverse: end.name, destination: source, place: .inverse(toOne),
                        isOrdered: spec.isOrdered, deleteRule: spec.rule, subentity: spec.target?.name,
                        target: spec.subentity))
            }
        }
        let links = self.links
        for (isForward, link) in links.map({ (true, $0) }) + links.map({ (false, $0) }) {
            let (own, other) = isForward ? (link.source, link.destination) : (link.destination, link.source)
            let (name, inverse) = (link.spec.relationship, link.spec.inverse)
            let (source, target) = (link.spec.subentity, link.spec.target?.name)
            entities[own].relationships.append(
                Relationship(
                    name: isForward ? name : inverse, inverse: isForward ? inverse : name, destination: other,
                    place: .pairs(link, isForward: isForward), isOrdered: isForward && link.spec.isOrdered,
                    subentity: isForward ? source : target, target: isForward ? target : source))
        }
    }

    /// Returns the relationships to one record that an entity declares.
    private func numbers(of place: Int) -> [Relationship] {
        entities[place].record.toOnes.enumerated().compactMap { toOne, spec in
            self.place(of: spec.entityName).map {
                Relationship(
                    name: spec.relationship, inverse: spec.inverse, destination: $0, place: .number(toOne),
                    subentity: spec.subentity, target: spec.target?.name)
            }
        }
    }

    /// The many-to-many relationships, in the order of the entities that declare them.
    public var links: [Link] {
        roots.flatMap { source in
            (entities[source].record.links ?? []).enumerated().compactMap { place, spec in
                self.place(of: spec.entityName).map {
                    Link(
                        source: source, destination: $0, place: place,
                        name: "\(entities[source].name).\(spec.relationship)", spec: spec)
                }
            }
        }
    }
}

extension Schema.Entity {
    fileprivate init(_ spec: SubentitySpec, inheritingFrom entity: EntitySpec, at place: Int) {
        self.init(
            name: spec.name, attributes: entity.attributes.filter { $0.subentity == spec.name }, superentity: place,
            record: entity)
    }
}

// MARK: - Looking up

extension Schema {
    /// What a scenario's entities may have that not every store can hold.
    public enum Feature: Sendable {
        /// Records of several entities, of which a phase is about one.
        case severalEntities
        /// Entities that inherit from another.
        case inheritance
        /// Relationships between several entities that lead in a circle.
        case circles
        /// Relationships whose delete rule is ``ReferenceSpec/DeleteRule/deny``.
        case denials
        /// Many-to-many relationships that keep an order.
        case orderedPairs

        /// That a store lacks it.
        public var lack: String {
            switch self {
            case .severalEntities: "its stores hold records of one entity"
            case .inheritance: "its stores have no inheritance"
            case .circles: "its records must not lead in a circle"
            case .denials: "its stores deny no deletions"
            case .orderedPairs: "its stores keep no order of a many-to-many relationship"
            }
        }
    }

    /// What these entities have of that.
    public var features: [Feature] {
        (specs.count > 1 ? [.severalEntities] : [])
            + (entities.contains { $0.superentity != nil } ? [.inheritance] : []) + (isCircular ? [.circles] : [])
            + (entities.contains { $0.relationships.contains { $0.deleteRule == .deny } } ? [.denials] : [])
            + (links.contains(where: \.spec.isOrdered) ? [.orderedPairs] : [])
    }

    /// The entity that a phase is about.
    public var entity: Entity { entities[focus] }

    /// Returns the same entities for a phase about another one.
    public func focused(on place: Int) -> Schema {
        var schema = self
        schema.focus = place
        return schema
    }

    /// The places of the entities that inherit from none, which have tables of their own.
    public var roots: Range<Int> { specs.indices }

    /// The values of the records in these tables, in their order.
    public var records: [EntitySpec] { roots.map { entities[$0].record } }

    /// The places of those that the phase is not about.
    public var others: [Int] { roots.filter { $0 != focus } }

    /// Returns the place of the entity called `name`; nil if there is none.
    public func place(of name: String) -> Int? { entities.firstIndex { $0.name == name } }

    /// Returns the end of a relationship that leads from the entity at a place, the focus by default; nil if there is
    /// none of that name.
    public func relationship(_ name: String, of place: Int? = nil) -> Relationship? {
        entities[place ?? focus].relationships.first { $0.name == name }
    }

    /// The number of an entity with a table, or of one that inherits from it: in the order of the names from 1, after
    /// those that inherit from earlier ones.
    public func number(of place: Int, kind: String? = nil) -> Int {
        if let kind { return Int(entities[place].record.number(ofKind: kind)) }
        return roots.filter { entities[$0].name < entities[place].name }
            .reduce(1) { $0 + 1 + (entities[$1].record.subentities ?? []).count }
    }

    /// Whether the keys of the records in the table of an entity follow from their ordinals in every store. Where an
    /// entity has subentities, a store may give keys to each of these in turn: only where relationships know records by
    /// their keys, drivers see to it that they follow.
    public func hasNumbers(_ place: Int) -> Bool {
        let entity = entities[place]
        return entity.record.subentities == nil
            || entity.relationships.contains { relationship in
                guard case .number(let toOne) = relationship.place else { return true }
                return entity.record.toOnes[toOne].isOrdered
            }
    }

    /// The places of the entities with tables, each after those that its relationships to one and its pairs lead to.
    /// Where these lead in a circle, the first of its entities comes first.
    public var inSeedingOrder: [Int] {
        var (ordered, left) = ([Int](), Array(roots))
        while let first = left.first {
            let ready = left.filter { place in
                entities[place].relationships.allSatisfy {
                    !$0.isDeclared || $0.destination == place || !left.contains($0.destination)
                }
            }
            ordered += ready.isEmpty ? [first] : ready
            left.removeAll(where: ordered.contains)
        }
        return ordered
    }

    /// Whether records lead to some that are made later: in a circle, or by pairs of one entity. A store of objects
    /// makes all of them in one save.
    public var leadsToLaterRecords: Bool { isCircular || links.contains { $0.source == $0.destination } }

    /// Whether relationships between several entities lead in a circle.
    public var isCircular: Bool {
        let order = inSeedingOrder
        return order.indices.contains { index in
            entities[order[index]].relationships.contains {
                $0.isDeclared && order[(index + 1)...].contains($0.destination)
            }
        }
    }
}

// MARK: - Deleting

extension Schema {
    /// Returns the places of the entities whose records the deletion of records of one deletes: its own, and those that
    /// belong to it, directly or not.
    func deleted(with place: Int) -> Set<Int> {
        var (deleted, next) = (Set([place]), [place])
        while let place = next.popLast() {
            for relationship in entities[place].relationships where relationship.deleteRule == .cascade {
                if deleted.insert(relationship.destination).inserted { next.append(relationship.destination) }
            }
        }
        return deleted
    }

    /// Whether new records of an entity, or deleted ones, change what others hold: their records, or pairs.
    func affectsOthers(byRecordsOf place: Int, deletes: Bool) -> Bool {
        entities[place].relationships.contains { end in
            switch end.place {
            case .pairs: true
            case .inverse: deletes
            case .number: false
            }
        }
    }

    /// Whether a deletion of records of an entity may delete more of them, or none: a rule cascades to the entity
    /// itself, or denies the deletion of what is deleted.
    func isUncertain(deletionOf place: Int) -> Bool {
        let relationships = deleted(with: place).flatMap { entities[$0].relationships }
        return relationships.contains { $0.deleteRule == .deny }
            || entities[place].relationships.contains { $0.deleteRule == .cascade && $0.destination == place }
    }

    /// The first relationship whose deletions lead in a circle of several entities; nil if there is none.
    var cascadeInACircle: (relationship: Relationship, place: Int)? {
        for place in roots {
            for relationship in entities[place].relationships where relationship.deleteRule == .cascade {
                let next = relationship.destination
                if next != place, deleted(with: next).contains(place) { return (relationship, next) }
            }
        }
        return nil
    }

    /// Returns the relationships that lead from an entity to the many which lead to its records, and the position of
    /// the number by which these do.
    package func inverses(of place: Int) -> [(relationship: Relationship, attribute: Int)] {
        entities[place].relationships.compactMap { relationship in
            guard case .inverse(let toOne) = relationship.place else { return nil }
            return (relationship, entities[relationship.destination].record.toOneAttributes.lowerBound + toOne)
        }
    }

    /// Returns the specifications of the entities, in which the relationships to records of an entity that a deletion
    /// leaves, or of those that it deletes, may lose what they lead to.
    func losing(_ place: Int) -> [EntitySpec] {
        var specs = specs
        for lost in deleted(with: place) {
            for (back, attribute) in inverses(of: lost) where back.deleteRule == .nullify {
                specs[back.destination].attributes[attribute].mayLoseValues = true
            }
        }
        return specs
    }
}

extension Schema.Relationship {
    /// Whether it is the inverse of one that the first entity declares.
    var isOfFirst: Bool { if case .inverse = place { destination == 0 } else { false } }

    /// Whether the entity that it leads from declares it.
    public var isDeclared: Bool {
        switch place {
        case .number: true
        case .inverse: false
        case .pairs(_, let isForward): isForward
        }
    }
}

extension Schema: Codable {
    private struct Parts: Codable {
        var entities: [EntitySpec]
        var focus: Int
    }

    /// Reads the entities and the focus.
    public init(from decoder: any Decoder) throws {
        let parts = try Parts(from: decoder)
        self.init(parts.entities)
        focus = parts.focus
    }

    /// Writes the entities and the focus.
    public func encode(to encoder: any Encoder) throws {
        try Parts(entities: specs, focus: focus).encode(to: encoder)
    }
}

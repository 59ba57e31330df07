/// The entities of a store and the relationships between them, with both ends of each.
///
/// An entity is known by its place, and so is the one that a phase is about: the *focus*. The entities are those of the
/// scenario, the scenario's own first, then the owners of its records or the entities that inherit from it.
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

        /// The number of records in a seeded store; nil if only the scenario has it, and for one that inherits.
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
        /// Whether the deletion of a record deletes those that it leads to.
        public var cascades = false

        /// Whether it leads to many records.
        public var isToMany: Bool { if case .number = place { false } else { true } }
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
    /// The entities of the scenario that it was made of.
    private let specs: [EntitySpec]

    /// Creates the schema of a scenario's entities, whose own comes first.
    public init(_ specs: [EntitySpec]) {
        self.specs = specs
        entities = specs.map { spec in
            Entity(
                name: spec.name, attributes: spec.attributesOfItsOwn.filter { $0.subentity == nil && !$0.isKind },
                superentity: nil, record: spec)
        }
        entities += specs.enumerated().flatMap { place, spec in
            (spec.owner.map { [Entity(owners: $0)] } ?? [])
                + (spec.subentities ?? []).map { Entity($0, inheritingFrom: spec, at: place) }
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
                        isOrdered: spec.isOrdered, cascades: spec.cascades))
            }
        }
        let links = self.links
        for (isForward, link) in links.map({ (true, $0) }) + links.map({ (false, $0) }) {
            let (own, other) = isForward ? (link.source, link.destination) : (link.destination, link.source)
            let (name, inverse) = (link.spec.relationship, link.spec.inverse)
            entities[own].relationships.append(
                Relationship(
                    name: isForward ? name : inverse, inverse: isForward ? inverse : name, destination: other,
                    place: .pairs(link, isForward: isForward)))
        }
    }

    /// Returns the relationships to one record that an entity declares.
    private func numbers(of place: Int) -> [Relationship] {
        entities[place].record.toOnes.enumerated().compactMap { toOne, spec in
            self.place(of: spec.entityName).map {
                Relationship(
                    name: spec.relationship, inverse: spec.inverse, destination: $0, place: .number(toOne))
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
    /// Creates the owners of a scenario's records.
    fileprivate init(owners: OwnerSpec) {
        self.init(name: owners.entityName, attributes: owners.attributes, superentity: nil, record: owners.entity)
    }

    fileprivate init(_ spec: SubentitySpec, inheritingFrom entity: EntitySpec, at place: Int) {
        self.init(
            name: spec.name, attributes: entity.attributes.filter { $0.subentity == spec.name }, superentity: place,
            record: entity)
    }
}

// MARK: - Looking up

extension Schema {
    /// What entities may have besides attributes and owners, which not every store can hold.
    public enum Feature: Sendable {
        /// Records of several entities, of which a phase is about one.
        case severalEntities
        /// Entities that inherit from another.
        case inheritance

        /// That a store lacks it.
        public var lack: String {
            switch self {
            case .severalEntities: "its stores hold records of one entity"
            case .inheritance: "its stores have no inheritance"
            }
        }
    }

    /// What these entities have of that.
    public var features: [Feature] {
        (specs.count > 1 ? [.severalEntities] : [])
            + (entities.contains { $0.superentity != nil } ? [.inheritance] : [])
    }

    /// The entity that a phase is about.
    public var entity: Entity { entities[focus] }

    /// Returns the same entities for a phase about another one.
    public func focused(on place: Int) -> Schema {
        var schema = self
        schema.focus = place
        return schema
    }

    /// Returns the schema with the focus on the records that a fetch finds: the owners, if it follows a relationship
    /// from these.
    public func found(by work: FetchWork) -> Schema {
        guard let follow = work.follow, follow.leadsToRecords(of: entity.record), let owner = entity.record.owner,
            let place = place(of: owner.entityName)
        else { return self }
        return focused(on: place)
    }

    /// The places of the entities that inherit from none, which have tables of their own.
    public var roots: [Int] { entities.indices.filter { entities[$0].superentity == nil } }

    /// The values of the records in these tables, in their order.
    public var records: [EntitySpec] { roots.map { entities[$0].record } }

    /// The places of those that the scenario declares as entities of their own.
    var declared: Range<Int> { specs.indices }

    /// The places of those that no phase is about: of the owners of its records, or of the scenario's other entities.
    public var others: [Int] { roots.filter { $0 != focus } }

    /// Returns the place of the entity called `name`; nil if there is none.
    public func place(of name: String) -> Int? { entities.firstIndex { $0.name == name } }

    /// Returns the end of a relationship that leads from the entity at a place, the focus by default; nil if there is
    /// none of that name.
    public func relationship(_ name: String, of place: Int? = nil) -> Relationship? {
        entities[place ?? focus].relationships.first { $0.name == name }
    }

    /// The number of an entity with a table in the order of the names, from 1.
    public func number(of place: Int) -> Int { 1 + roots.count { entities[$0].name < entities[place].name } }

    /// The places of the entities with tables, each after those that its relationships to one and its pairs lead to;
    /// nil if some lead in a circle.
    public var inSeedingOrder: [Int]? {
        var (ordered, left) = ([Int](), roots)
        while !left.isEmpty {
            let ready = left.filter { place in
                entities[place].relationships.allSatisfy { !$0.isDeclared || !left.contains($0.destination) }
            }
            if ready.isEmpty { return nil }
            ordered += ready
            left.removeAll(where: ready.contains)
        }
        return ordered
    }
}

// MARK: - Deleting

extension Schema {
    /// Returns the places of the entities whose records the deletion of records of one deletes: its own, and those that
    /// belong to it, directly or not.
    func deleted(with place: Int) -> Set<Int> {
        var (deleted, next) = (Set([place]), [place])
        while let place = next.popLast() {
            for relationship in entities[place].relationships where relationship.cascades {
                if deleted.insert(relationship.destination).inserted { next.append(relationship.destination) }
            }
        }
        return deleted
    }

    /// Returns the first relationship that would lead to a deleted record after a deletion of records of an entity, of
    /// those to the entity itself before others, and the places of both entities; nil if there is none.
    func reference(leftBy place: Int) -> (relationship: String, source: Int, target: Int)? {
        let deleted = self.deleted(with: place)
        for target in [place] + deleted.subtracting([place]).sorted() {
            for back in entities[target].relationships where !back.cascades {
                if case .inverse = back.place { return (back.inverse, back.destination, target) }
            }
        }
        return nil
    }

    /// Whether new and deleted records of an entity change what others hold: their records, or pairs.
    func affectsOthers(byRecordsOf place: Int) -> Bool {
        entities[place].relationships.contains { end in
            if case .pairs = end.place { true } else { end.cascades }
        }
    }
}

extension Schema.Relationship {
    /// Whether the entity that it leads from declares it.
    public var isDeclared: Bool {
        switch place {
        case .number: true
        case .inverse: false
        case .pairs(_, let isForward): isForward
        }
    }
}

extension AttributeSpec {
    /// Whether it is the number of the entity that a record is of, no attribute of a scenario.
    fileprivate var isKind: Bool { name == EntitySpec.kindName }
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

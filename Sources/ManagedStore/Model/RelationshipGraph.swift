/// A relationship whose ends were found in a model: what contexts and stores work with.
struct ResolvedRelationship: Sendable {
    /// How the store keeps it.
    enum Kind: Sendable, Equatable {
        /// As a reference in the object's own row: the field's position among the row's fields.
        case toOne(field: Int)
        /// As references in the rows of the related objects: the field's position in rows of the destination.
        case toMany(field: Int)
        /// As pairs in a join table: its number in the model, and whether the table is named after this end.
        case manyToMany(join: Int, isFirst: Bool)
    }

    let description: RelationshipDescription
    /// The position of the entity that has the relationship, or inherits it.
    let entity: Int
    /// The relationship's position among the entity's relationships.
    let position: Int
    /// The position of the entity that declares it.
    let declaring: Int
    /// The position of the entity that it leads to.
    let destination: Int
    /// The inverse's position among the destination's relationships, and those of entities that inherit from it.
    let inverse: Int?
    let kind: Kind

    var name: String { description.name }
    var isToMany: Bool { description.isToMany }
    var isOrdered: Bool { description.isOrdered }
    /// Whether both ends are the same relationship, as that of friends.
    var isItsOwnInverse: Bool { inverse == position && destination == declaring }

    /// Whether both ends lead to one object. `relationships` are all of the model.
    func isOneToOne(among relationships: [[ResolvedRelationship]]) -> Bool {
        guard case .toOne = kind, let inverse else { return false }
        return !relationships[destination][inverse].isToMany
    }
}

/// The relationships of a model's entities, both ends found.
struct RelationshipGraph: Sendable {
    /// By the entity's position and the relationship's.
    let relationships: [[ResolvedRelationship]]
    /// Of each many-to-many relationship, the end that its join table is named after.
    let joins: [ResolvedRelationship]
    /// The ends of one-to-one relationships, each as the entity that declares it has it.
    let partners: [ResolvedRelationship]
    /// By the entity's position, what a save looks at in each of its rows.
    let references: [[ReferenceField]]

    var isEmpty: Bool { relationships.allSatisfy(\.isEmpty) }

    /// No relationships at all.
    init() {
        (relationships, joins, partners, references) = ([], [], [], [])
    }

    /// `entities` are in alphabetical order.
    ///
    /// - Throws: `StoreError` with `invalidModel` for a relationship whose ends do not fit together.
    init(_ entities: [EntityDescription], _ hierarchy: EntityHierarchy) throws(StoreError) {
        var builder = Builder(entities: entities, hierarchy: hierarchy)
        relationships = try entities.indices.map { entity throws(StoreError) in try builder.resolve(entity) }
        let ends = relationships.joined().filter { $0.entity == $0.declaring }
        joins = builder.joinNumbers.sorted { $0.value < $1.value }.compactMap { join in
            ends.first { $0.entity == join.key.entity && $0.position == join.key.position }
        }
        let all = relationships
        let partners = ends.filter { $0.isOneToOne(among: all) }
        self.partners = partners
        references = zip(entities, all).map { entity, own in
            own.compactMap { ReferenceField($0, entity.layout, partners) }
        }
    }

    private struct End: Hashable {
        let entity: Int
        let position: Int
    }

    private struct Builder {
        let entities: [EntityDescription]
        let hierarchy: EntityHierarchy
        /// By the end that the table is named after.
        var joinNumbers: [End: Int] = [:]

        mutating func resolve(_ entity: Int) throws(StoreError) -> [ResolvedRelationship] {
            var resolved: [ResolvedRelationship] = []
            for position in entities[entity].relationships.indices {
                resolved.append(try resolve(position, of: entity))
            }
            return resolved
        }

        private mutating func resolve(_ position: Int, of entity: Int) throws(StoreError) -> ResolvedRelationship {
            let description = entities[entity].relationships[position]
            let declaring = declaring(position, entity)
            let name = "\(entities[declaring].name).\(description.name)"
            if let fault = description.fault { throw StoreError(.invalidModel, "\(name): \(fault)") }
            guard let destination = entities.firstIndex(where: { $0.name == description.destinationEntityName }) else {
                throw StoreError(
                    .invalidModel, "\(name) leads to \(description.destinationEntityName), which is not in the model")
            }
            let inverse = try inverse(of: description, name, declaring, destination)
            return ResolvedRelationship(
                description: description, entity: entity, position: position, declaring: declaring,
                destination: destination, inverse: inverse,
                kind: kind(description, End(entity: declaring, position: position), entity, destination, inverse))
        }

        private func declaring(_ position: Int, _ entity: Int) -> Int {
            var declaring = entities[entity]
            while let superentity = declaring.superentity, position < superentity.relationships.count {
                declaring = superentity
            }
            return entities.firstIndex { $0 === declaring } ?? entity
        }

        private func inverse(
            of description: RelationshipDescription, _ name: String, _ declaring: Int, _ destination: Int
        ) throws(StoreError) -> Int? {
            guard let inverseName = description.inverseName else { return nil }
            let other = entities[destination]
            guard let position = other.relationships.firstIndex(where: { $0.name == inverseName }) else {
                throw StoreError(
                    .invalidModel,
                    "\(name): \(other.name) has no relationship \"\(inverseName)\" that could be its inverse")
            }
            let back = other.relationships[position]
            guard back.inverseName == description.name, back.destinationEntityName == entities[declaring].name else {
                throw StoreError(
                    .invalidModel,
                    "\(name) has the inverse \(other.name).\(inverseName), whose inverse is "
                        + "\(back.inverseName.map { "\(back.destinationEntityName).\($0)" } ?? "none"); each must name the other"
                )
            }
            return position
        }

        private mutating func kind(
            _ description: RelationshipDescription, _ end: End, _ entity: Int, _ destination: Int, _ inverse: Int?
        ) -> ResolvedRelationship.Kind {
            guard description.isToMany, let inverse else {
                return .toOne(field: entities[entity].field(ofToOne: end.position))
            }
            let back = entities[destination].relationships[inverse]
            if !back.isToMany { return .toMany(field: entities[destination].field(ofToOne: inverse)) }
            let other = End(entity: declaring(inverse, destination), position: inverse)
            let isFirst = isFirst(end, description, other, back)
            let first = isFirst ? end : other
            let join = joinNumbers[first] ?? joinNumbers.count
            joinNumbers[first] = join
            return .manyToMany(join: join, isFirst: isFirst)
        }

        /// The ordered end comes first, else that of the entity with the lower number.
        private func isFirst(
            _ end: End, _ description: RelationshipDescription, _ other: End, _ back: RelationshipDescription
        ) -> Bool {
            if description.isOrdered != back.isOrdered { return description.isOrdered }
            let numbers = [end, other].map { hierarchy.numbering.firstIndex(of: $0.entity) ?? 0 }
            return numbers[0] == numbers[1] ? end.position <= other.position : numbers[0] < numbers[1]
        }
    }
}

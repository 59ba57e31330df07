/// A relationship with both ends resolved, as contexts and stores use it.
///
/// A class, since every change of a relationship hands it on several times: to copy the strings of the description
/// costs more than the change.
final class ResolvedRelationship: Sendable {
    /// How the store keeps the relationship.
    enum Kind: Sendable, Equatable {
        /// As a reference in the object's own row, at a position among the row's fields.
        case toOne(field: Int)
        /// As references in the rows of the related objects, at a position among the fields of the destination.
        case toMany(field: Int)
        /// As pairs in a join table: the table's number in the model, and whether this end gives the table its name.
        case manyToMany(join: Int, isFirst: Bool)
    }

    let description: RelationshipDescription
    /// The position of the entity that has or inherits the relationship.
    let entity: Int
    /// The relationship's position among the entity's relationships.
    let position: Int
    /// The position of the entity that declares the relationship.
    let declaring: Int
    /// The position of the destination entity.
    let destination: Int
    /// The inverse's position among the relationships of the destination and of its subentities.
    let inverse: Int?
    let kind: Kind
    /// The identity of the checked key; nil for a relationship without one.
    let key: ObjectIdentifier?

    fileprivate init(
        _ description: RelationshipDescription, of entity: Int, at position: Int, declaring: Int, destination: Int,
        inverse: Int?, kind: Kind, key: ObjectIdentifier?
    ) {
        self.description = description
        self.entity = entity
        self.position = position
        self.declaring = declaring
        self.destination = destination
        self.inverse = inverse
        self.kind = kind
        self.key = key
    }

    var name: String { description.name }
    var isToMany: Bool { description.isToMany }
    var isOrdered: Bool { description.isOrdered }
    /// Whether a context notes what comes to the relationship and leaves it, since the members' rows tell all of it.
    var isNoted: Bool {
        guard case .toMany = kind else { return false }
        return !isOrdered
    }
    /// Whether both ends are the same relationship, as with friends.
    var isItsOwnInverse: Bool { inverse == position && destination == declaring }

    /// Whether both ends lead to one object. `relationships` are those of the whole model.
    func isOneToOne(among relationships: [[ResolvedRelationship]]) -> Bool {
        guard case .toOne = kind, let inverse else { return false }
        return !relationships[destination][inverse].isToMany
    }
}

/// The relationships of a model's entities with both ends resolved.
struct RelationshipGraph: Sendable {
    /// The relationships, by the entity's position and their own.
    let relationships: [[ResolvedRelationship]]
    /// For each many-to-many relationship, the end that gives its join table the name.
    let joins: [ResolvedRelationship]
    /// The ends of one-to-one relationships, as their declaring entities have them.
    let partners: [ResolvedRelationship]
    /// For each entity, by position, the references that a save checks in each row.
    let references: [[ReferenceField]]

    let isEmpty: Bool
    /// For each entity, by position, whether one of its relationships limits the number of its members; empty if none
    /// of the model does.
    let hasCountLimits: [Bool]

    /// `entities` are in alphabetical order.
    ///
    /// - Throws: `StoreError` with `invalidModel` for a relationship whose ends do not fit together.
    init(_ entities: [EntityDescription], _ hierarchy: EntityHierarchy) throws(StoreError) {
        var builder = Builder(entities: entities, hierarchy: hierarchy)
        relationships = try entities.indices.map { entity throws(StoreError) in try builder.resolve(entity) }
        isEmpty = relationships.allSatisfy(\.isEmpty)
        let limited = relationships.map { $0.contains(where: \.description.hasCountLimits) }
        hasCountLimits = limited.contains(true) ? limited : []
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
        /// The number of each join, by the end that gives the table its name.
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
                description, of: entity, at: position, declaring: declaring, destination: destination,
                inverse: inverse,
                kind: kind(description, End(entity: declaring, position: position), entity, destination, inverse),
                key: entities[entity].relationshipKeys[position].map { ObjectIdentifier($0) })
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

        /// Whether this end is the first: the ordered one or, if neither is ordered, the one whose entity has the lower
        /// number.
        private func isFirst(
            _ end: End, _ description: RelationshipDescription, _ other: End, _ back: RelationshipDescription
        ) -> Bool {
            if description.isOrdered != back.isOrdered { return description.isOrdered }
            let numbers = [end, other].map { hierarchy.numbering.firstIndex(of: $0.entity) ?? 0 }
            return numbers[0] == numbers[1] ? end.position <= other.position : numbers[0] < numbers[1]
        }
    }
}

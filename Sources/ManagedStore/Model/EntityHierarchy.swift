/// The inheritance among a model's entities, by their positions in the model.
struct EntityHierarchy: Sendable {
    /// For each entity, the position of its topmost superentity, or its own position.
    let roots: [Int]
    /// For each entity, the entity itself and all that inherit from it, in ascending order.
    let families: [[Int]]
    /// The positions in Core Data's order of entity numbers: alphabetical, with subentities directly after their
    /// superentity.
    let numbering: [Int]

    /// - Parameter entities: the entities in alphabetical order.
    init(_ entities: [EntityDescription]) {
        let positions = Dictionary(
            entities.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { first, _ in first })
        roots = entities.enumerated().map { positions[ObjectIdentifier($1.root)] ?? $0 }
        families = entities.map { base in entities.indices.filter { entities[$0].isKindOf(entity: base) } }
        var numbering: [Int] = []
        func append(_ position: Int) {
            numbering.append(position)
            for other in entities.indices where entities[other].superentity === entities[position] { append(other) }
        }
        for position in entities.indices where entities[position].superentity == nil { append(position) }
        self.numbering = numbering
    }

    /// Whether an entity inherits or is inherited from, so that its table holds objects of several entities.
    func isShared(_ entity: Int) -> Bool { families[roots[entity]].count > 1 }
}

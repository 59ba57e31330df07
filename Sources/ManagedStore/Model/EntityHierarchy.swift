/// Who inherits from whom among a model's entities, by their positions in the model.
struct EntityHierarchy: Sendable {
    /// For each entity, the position of the last of its superentities, or its own.
    let roots: [Int]
    /// For each entity, itself and all that inherit from it, in ascending order.
    let families: [[Int]]
    /// The positions in the order in which Core Data numbers entities: alphabetical, those that inherit right after the
    /// one that they inherit from.
    let numbering: [Int]

    /// `entities` are in alphabetical order.
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

    /// Whether an entity inherits, or is inherited from: objects of several entities lie in its table.
    func isShared(_ entity: Int) -> Bool { families[roots[entity]].count > 1 }
}

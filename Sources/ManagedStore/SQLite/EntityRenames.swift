/// Finds out which entities of a file that Core Data migrated have another name in the model: `Z_PRIMARYKEY` keeps the
/// name that an entity had at first, and so may its table, while the hashes in the metadata name the entities as they
/// are called now.
struct EntityRenames {
    /// The model's names, by the number of the entity.
    private var names: [Int: String] = [:]
    /// The names in `Z_PRIMARYKEY`, by the model's.
    private(set) var formerNames: [String: String] = [:]
    /// What cannot be told.
    private(set) var ambiguities: [String] = []
    private let tables: [String: [String: FileSchema.Column]]
    private let all: [FileSchema.Entity]

    /// `hashed` are the names in the metadata.
    init(
        _ model: ManagedObjectModel, _ entities: [FileSchema.Entity], _ tables: [String: [String: FileSchema.Column]],
        hashed: Set<String>
    ) {
        (self.tables, all) = (tables, entities)
        let known = Set(entities.map(\.name))
        let former = entities.filter { $0.number < FileSchema.firstReservedNumber && !hashed.contains($0.name) }
        let new = model.entities.filter { hashed.contains($0.name) && !known.contains($0.name) }
        if new.isEmpty || former.isEmpty { return }
        var candidates = new.map { entity in (entity, former.filter { fits(entity, $0, new) }) }
        // Once it is known what one of them was called, another may have but one possible name left.
        while let index = candidates.firstIndex(where: { $0.1.count == 1 }) {
            let (entity, found) = (candidates[index].0, candidates[index].1[0])
            names[found.number] = entity.name
            formerNames[entity.name] = found.name
            candidates.remove(at: index)
            for other in candidates.indices { candidates[other].1.removeAll { $0.number == found.number } }
        }
        ambiguities = candidates.map { Self.ambiguity($0.0, $0.1.isEmpty ? former : $0.1, tables, fits: !$0.1.isEmpty) }
    }

    /// The entity under the model's name.
    func renamed(_ entity: FileSchema.Entity) -> FileSchema.Entity {
        guard let name = names[entity.number] else { return entity }
        return FileSchema.Entity(name: name, number: entity.number, superNumber: entity.superNumber)
    }

    /// Whether the model's entity may be the file's: both inherit from the same or from none, and the table has the
    /// columns.
    private func fits(_ entity: EntityDescription, _ former: FileSchema.Entity, _ new: [EntityDescription]) -> Bool {
        let above = all.first { $0.number == former.superNumber }
        guard (entity.superentity == nil) == (above == nil) else { return false }
        if let superentity = entity.superentity, superentity.name != above?.name,
            !new.contains(where: { $0 === superentity })
        {
            return false
        }
        let names = [EntityTable.name(of: entity), "Z" + root(of: former).name.uppercased()]
        let found = Set(names).filter { tables[$0] != nil }
        guard found.count == 1, let columns = found.first.flatMap({ tables[$0] }) else { return false }
        return entity.ownAttributes.allSatisfy { has($0.name, $0.attributeType, columns) }
            && entity.ownRelationships.allSatisfy { $0.isToMany || has($0.name, .objectID, columns) }
    }

    private func has(_ property: String, _ type: AttributeType, _ columns: [String: FileSchema.Column]) -> Bool {
        columns.contains { $0.isNumbered("Z" + property.uppercased()) && type.fits(declared: $1.type) }
    }

    private func root(of entity: FileSchema.Entity) -> FileSchema.Entity {
        var root = entity
        for _ in all { root = all.first { $0.number == root.superNumber } ?? root }
        return root
    }

    private static func ambiguity(
        _ entity: EntityDescription, _ former: [FileSchema.Entity], _ tables: [String: [String: FileSchema.Column]],
        fits: Bool
    ) -> String {
        let names = former.map(\.name).joined(separator: ", ")
        let found =
            "Z_PRIMARYKEY has no entity \(entity.name), which the metadata names; it may be what was called \(names), "
            + (fits ? "as far as columns tell" : "but the columns or the superentity do not fit")
        guard fits else { return found + ": correct the model" }
        let hasOwnTable = entity.superentity != nil || tables[EntityTable.name(of: entity)] != nil
        guard hasOwnTable else {
            return found + ": call the entity in the model by the one of these names that is right"
        }
        let numbers = former.map { String($0.number) }.joined(separator: " or ")
        return found + ": in a copy of the file, say which "
            + "(UPDATE Z_PRIMARYKEY SET Z_NAME = '\(entity.name)' WHERE Z_ENT = \(numbers))"
    }
}

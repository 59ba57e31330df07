/// Detects the entities of a file that Core Data migrated whose names differ from the model's. `Z_PRIMARYKEY`, and
/// sometimes the table, keep an entity's original name; the hashes in the metadata have the current names.
struct EntityRenames {
    /// The model's names, by entity number.
    private var names: [Int: String] = [:]
    /// The names in `Z_PRIMARYKEY`, by the model's names.
    private(set) var formerNames: [String: String] = [:]
    /// The descriptions of entities that cannot be matched.
    private(set) var ambiguities: [String] = []
    private let tables: [String: [String: ExistingColumn]]
    private let byNumber: [Int: ExistingEntity]
    private let roots: [Int: Int]

    /// - Parameters:
    ///   - roots: the number of each entity's root entity.
    ///   - hashed: the names in the metadata.
    init(
        _ model: ManagedObjectModel, _ entities: [ExistingEntity], _ byNumber: [Int: ExistingEntity],
        _ roots: [Int: Int], _ tables: [String: [String: ExistingColumn]], hashed: Set<String>
    ) {
        (self.byNumber, self.roots, self.tables) = (byNumber, roots, tables)
        let known = Set(entities.map(\.name))
        let former = entities.filter { $0.number < FileSchema.firstReservedNumber && !hashed.contains($0.name) }
        let new = model.entities.filter { hashed.contains($0.name) && !known.contains($0.name) }
        if new.isEmpty || former.isEmpty { return }
        var candidates = new.map { entity in (entity, former.filter { fits(entity, $0, new) }) }
        // A match may leave only one candidate for another entity.
        while let index = candidates.firstIndex(where: { $0.1.count == 1 }) {
            let (entity, found) = (candidates[index].0, candidates[index].1[0])
            names[found.number] = entity.name
            formerNames[entity.name] = found.name
            candidates.remove(at: index)
            for other in candidates.indices { candidates[other].1.removeAll { $0.number == found.number } }
        }
        ambiguities = candidates.map { Self.ambiguity($0.0, $0.1.isEmpty ? former : $0.1, tables, fits: !$0.1.isEmpty) }
    }

    /// Returns the entity under its name in the model.
    func renamed(_ entity: ExistingEntity) -> ExistingEntity {
        guard let name = names[entity.number] else { return entity }
        return ExistingEntity(name: name, number: entity.number, superNumber: entity.superNumber)
    }

    /// Whether the model's entity can be the file's: both have the same superentity or none, and the table has the
    /// columns.
    private func fits(_ entity: EntityDescription, _ former: ExistingEntity, _ new: [EntityDescription]) -> Bool {
        let above = byNumber[former.superNumber]
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

    private func has(_ property: String, _ type: AttributeType, _ columns: [String: ExistingColumn]) -> Bool {
        columns.contains { $0.isNumbered("Z" + property.uppercased()) && type.fits(declared: $1.type) }
    }

    private func root(of entity: ExistingEntity) -> ExistingEntity {
        roots[entity.number].flatMap { byNumber[$0] } ?? entity
    }

    private static func ambiguity(
        _ entity: EntityDescription, _ former: [ExistingEntity], _ tables: [String: [String: ExistingColumn]],
        fits: Bool
    ) -> String {
        let names = former.map(\.name).joined(separator: ", ")
        let found =
            "Z_PRIMARYKEY has no entity \(entity.name), which the metadata names; its former name may be one "
            + "of \(names), "
            + (fits ? "whose columns fit" : "but the columns or the superentity do not fit")
        guard fits else { return found + ": correct the model" }
        let hasOwnTable = entity.superentity != nil || tables[EntityTable.name(of: entity)] != nil
        guard hasOwnTable else {
            return found + ": give the entity in the model the correct one of these names"
        }
        let numbers = former.map { String($0.number) }.joined(separator: " or ")
        return found + ": in a copy of the file, say which "
            + "(UPDATE Z_PRIMARYKEY SET Z_NAME = '\(entity.name)' WHERE Z_ENT = \(numbers))"
    }
}

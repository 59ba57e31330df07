/// Scenarios with several entities.
extension Scenario {
    /// Every entity, that of the scenario first.
    public var entities: [EntitySpec] { [entity] + (others ?? []) }

    /// The number of records of all entities in a seeded store.
    var recordsOfAll: Int { records + (others ?? []).reduce(0) { $0 + ($1.records ?? 0) } }

    /// Returns the scenario as one whose own entity is another of its entities, for the phases that are about that;
    /// the scenario itself for nil, and for a subentity.
    func focused(on name: String?) -> Scenario {
        guard let name, var others, let place = others.firstIndex(where: { $0.name == name }) else { return self }
        var scenario = self
        var other = entity
        other.records = records
        scenario.entity = others[place]
        scenario.records = others[place].records ?? 0
        scenario.entity.records = nil
        others[place] = other
        scenario.others = others
        return scenario
    }

    /// Returns whether two phases are about the same entity, or one that inherits from it.
    func haveSameEntity(_ phase: Phase, _ other: Phase) -> Bool {
        focused(on: phase.entity).entity.name == focused(on: other.entity).entity.name
    }
}

extension [EntitySpec] {
    /// Returns the relationships of these entities that lead to the one with a name.
    func toOnes(to name: String) -> [OwnerSpec] { flatMap(\.toOnes).filter { $0.entityName == name } }

    /// Whether a relationship of an entity to many of these keeps the order of its records.
    public func keepOrder(by relationship: String, of entity: EntitySpec) -> Bool {
        toOnes(to: entity.name).contains { $0.inverse == relationship && $0.isOrdered }
    }

    /// Returns the relationships of an entity that lead to many records of others.
    func toMany(of entity: EntitySpec) -> [ToMany] {
        let there = (entity.links ?? []).map { link in
            ToMany(
                relationship: link.relationship,
                attributes: first { $0.name == link.entityName }.map { [AttributeSpec]($0.attributesOfItsOwn) } ?? [])
        }
        return there
            + flatMap { other in
                let links = (other.links ?? []).filter { $0.entityName == entity.name }.map(\.inverse)
                let inverses = other.toOnes.filter { $0.entityName == entity.name }.map(\.inverse) + links
                return inverses.map { ToMany(relationship: $0, attributes: [AttributeSpec](other.attributesOfItsOwn)) }
            }
    }

    /// Returns the names of the entities whose records the deletion of records of one deletes: its own, and those that
    /// belong to it, directly or not.
    func deleted(with name: String) -> Set<String> {
        var deleted: Set<String> = [name]
        var count = 0
        while count < deleted.count {
            count = deleted.count
            for entity in self where entity.toOnes.contains(where: { $0.cascades && deleted.contains($0.entityName) }) {
                deleted.insert(entity.name)
            }
        }
        return deleted
    }

    /// Returns the first relationship that would lead to a deleted record after a deletion of records of an entity, of
    /// those to the entity itself before others; nil if there is none.
    func reference(leftBy name: String) -> (entity: String, relationship: String, target: String)? {
        let deleted = self.deleted(with: name)
        let targets = [name] + map(\.name).filter { $0 != name && deleted.contains($0) }
        for target in targets {
            for entity in self {
                if let kept = entity.toOnes.first(where: { $0.entityName == target && !$0.cascades }) {
                    return (entity.name, kept.relationship, target)
                }
            }
        }
        return nil
    }
}

extension EntitySpec {
    /// Returns the entity with scaled numbers of records, its own and those of the records that it leads to.
    func scaled(_ scale: (Int) -> Int) -> EntitySpec {
        var entity = self
        if let owners = owner?.records { entity.owner?.records = scale(owners) }
        entity.references = references.map { references in
            references.map { reference in
                var reference = reference
                reference.records = scale(reference.records)
                return reference
            }
        }
        entity.links = links.map { links in
            links.map { link in
                var link = link
                link.records = scale(link.records)
                return link
            }
        }
        entity.records = records.map(scale)
        return entity
    }
}

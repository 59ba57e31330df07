/// Scenarios with several entities.
extension Scenario {
    /// The entity that phases are about unless they name another.
    public var entity: EntitySpec {
        get { entities[focus] }
        set {
            let records = records
            entities[focus] = newValue
            if newValue.records == nil { self.records = records }
        }
    }

    /// The number of its records in a seeded store; the largest number if there are several ``sizes``.
    public var records: Int {
        get { entities[focus].records ?? 0 }
        set { entities[focus].records = newValue }
    }

    /// The entities and both ends of their relationships.
    public var schema: Schema { Schema(entities) }

    /// Returns the same for a phase: with the entity that it is about as the focus.
    public func schema(of phase: Phase) -> Schema {
        schema.focused(on: focus(of: phase))
    }

    /// The place of the entity that a phase is about; one about an entity that inherits is about the whole table.
    private func focus(of phase: Phase) -> Int { place(of: phase.entity) }

    /// The place of the entity with a name, or of the one from which it inherits; the first for nil.
    private func place(of name: String?) -> Int {
        entities.firstIndex { entity in
            entity.name == name || (entity.subentities ?? []).contains { $0.name == name }
        } ?? 0
    }

    /// The number of records of all entities in a seeded store.
    var recordsOfAll: Int { entities.reduce(0) { $0 + ($1.records ?? 0) } }

    /// Returns the scenario as a phase sees it which is about the entity with a name; the scenario itself for nil, and
    /// for a subentity.
    func focused(on name: String?) -> Scenario {
        var scenario = self
        scenario.focus = place(of: name)
        return scenario
    }

    /// Returns whether two phases are about the same entity, or one that inherits from it.
    func haveSameEntity(_ phase: Phase, _ other: Phase) -> Bool { focus(of: phase) == focus(of: other) }
}

extension EntitySpec {
    /// Returns the entity with scaled numbers of records, its own and those of the records that it leads to.
    func scaled(_ scale: (Int) -> Int) -> EntitySpec {
        var entity = self
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

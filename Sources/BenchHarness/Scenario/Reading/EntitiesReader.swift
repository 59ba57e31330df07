/// Reads the entities of a scenario with several of them.
struct EntitiesReader {
    /// The largest ordinal that any phase gives to a record of the scenario's own entity.
    let ordinalMax: Int
    /// The number of records of the scenario's own entity.
    let records: Int

    /// An entity whose relationships are still to be read.
    private struct Draft {
        let object: JSONObjectCursor
        let name: String
        let attributes: [AttributeSpec]
        let records: Int
        /// The names of its attributes, of its relationships and of those that lead back.
        var names: [String]
    }

    /// Reads the scenario's own entity and the others; no others if the scenario has none.
    func read(_ own: JSONCursor, _ others: JSONCursor?) -> (entity: EntitySpec, others: [EntitySpec]?) {
        let own = own.object(.entity)
        guard let others else {
            let entity = EntityReader(ordinalMax: ordinalMax).read(own)
            own["relationships"]?.refuse(
                "relationships in a scenario with one entity",
                expected: entity.subentities == nil
                    ? "the key \"entities\", with those they lead to" : "subentities alone, without relationships")
            return (entity, nil)
        }
        var drafts = [draft(own, records: records)]
        own["owner"]?.refuse(
            "an owner in a scenario with several entities", expected: "a relationship that leads to one of them")
        own["subentities"]?.refuse(
            "subentities in a scenario with several entities", expected: "a scenario with one entity")
        for cursor in others.array(count: ScenarioLimits.otherEntities, of: "entities") {
            let object = cursor.object(.otherEntity)
            let draft = draft(object, records: object["records"]?.integer(in: ScenarioLimits.records) ?? 1)
            if drafts.contains(where: { $0.name.isSameName(as: draft.name) }) {
                object["name"]?.refuse(
                    "a second entity \(draft.name.quoted)",
                    expected: "names that differ in more than upper and lower case")
            }
            drafts.append(draft)
        }
        let relationships = drafts.indices.map { self.relationships(of: $0, &drafts) }
        let entities = zip(drafts, relationships).map { draft, relationships in
            var entity = EntitySpec(
                name: draft.name, attributes: draft.attributes, references: relationships.references,
                records: draft.records)
            entity.links = relationships.links.isEmpty ? nil : relationships.links
            return entity
        }
        if Schema(entities).inSeedingOrder == nil {
            others.refuse("relationships that lead in a circle", expected: "relationships that lead one way")
        }
        var entity = entities[0]
        entity.records = nil
        return (entity, Array(entities.dropFirst()))
    }

    private func draft(_ object: JSONObjectCursor, records: Int) -> Draft {
        let attributes = EntityReader.attributes(object, upTo: ordinalMax)
        return Draft(
            object: object, name: object["name"]?.identifier() ?? "", attributes: attributes, records: records,
            names: attributes.map(\.name))
    }

    /// Reads the relationships of the entity at a place: those to one record, and those to many.
    private func relationships(
        of place: Int, _ drafts: inout [Draft]
    ) -> (references: [OwnerSpec], links: [LinkSpec]) {
        var (references, links): ([OwnerSpec], [LinkSpec]) = ([], [])
        let list = drafts[place].object["relationships"]
        for cursor in list?.array(count: ScenarioLimits.relationships, of: "relationships") ?? [] {
            let object = cursor.object(.relationship)
            guard let name = object["name"], let relationship = self.name(name, of: place, &drafts),
                let to = object["to"], let target = target(to, from: place, among: drafts),
                let back = object["inverse"], let inverse = self.name(back, of: target, &drafts)
            else { continue }
            if let count = object["count"] {
                links += [
                    link(object, count, relationship, inverse, to: drafts[target].name, drafts[target].records)
                ].compactMap(\.self)
                continue
            }
            object["count_max"]?.refuse("count_max without count", expected: "count beside it")
            var reference = OwnerSpec(
                relationship: relationship, inverse: inverse, entityName: drafts[target].name,
                attributes: drafts[target].attributes, records: drafts[target].records,
                distribution: object["distribution"]?.choice("distribution"))
            reference.cascade = object["cascade"]?.bool() == true ? true : nil
            reference.ordered = object["ordered"]?.bool() == true ? true : nil
            reference.salt = EntitySpec.salt(reference.entityName)
            references.append(reference)
        }
        return (references, links)
    }

    /// Reads what a many-to-many relationship has besides its names.
    private func link(
        _ object: JSONObjectCursor, _ count: JSONCursor, _ relationship: String, _ inverse: String, to entity: String,
        _ records: Int
    ) -> LinkSpec? {
        object["cascade"]?.refuse(
            "cascade in a relationship to many records", expected: "it in a relationship to one record")
        object["ordered"]?.refuse(
            "an order of a relationship to many records", expected: "it in a relationship to one record")
        guard let min = count.unswept.integer(in: ScenarioLimits.links) else { return nil }
        let max = object["count_max"]?.unswept.integer(in: ScenarioLimits.links) ?? min
        if max < min { object["count_max"]?.refuse("count_max below count", expected: "\(min) or more") }
        if max > records {
            (object["count_max"] ?? count).refuse(
                "relationships to \(max) of \(records) records", expected: "at most \(records)")
        }
        return LinkSpec(
            relationship: relationship, inverse: inverse, entityName: entity, records: records, min: min,
            max: Swift.max(min, max), distribution: object["distribution"]?.choice("distribution"))
    }

    private func target(_ cursor: JSONCursor, from place: Int, among drafts: [Draft]) -> Int? {
        guard let name = cursor.string(lengthMax: ScenarioLimits.nameLength) else { return nil }
        let names = drafts.map(\.name)
        guard let target = names.firstIndex(of: name) else {
            cursor.refuseUnknown("entity", name, among: names)
            return nil
        }
        if target == place {
            cursor.refuse("a relationship to the entity itself", expected: "another entity")
            return nil
        }
        return target
    }

    /// Reads the name of a relationship of the entity at a place, which may have no other member of that name.
    private func name(_ cursor: JSONCursor, of place: Int, _ drafts: inout [Draft]) -> String? {
        guard let name = cursor.identifier() else { return nil }
        if drafts[place].names.contains(where: name.isSameName) {
            cursor.refuse(
                "the relationship \(name.quoted), while \(drafts[place].name) has that already",
                expected: "a different name")
        }
        drafts[place].names.append(name)
        return name
    }
}

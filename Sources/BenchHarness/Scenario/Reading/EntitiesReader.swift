/// Reads the entities of a scenario.
struct EntitiesReader {
    /// The largest ordinal that any phase gives to a record: sequences of integers must reach it without rounding.
    let ordinalMax: Int
    /// The number of records of the first entity.
    let records: Int

    /// An entity whose relationships are still to be read.
    struct Draft {
        let object: JSONObjectCursor
        let name: String
        let attributes: [AttributeSpec]
        /// The number of records; for one that inherits, its share of those of the other.
        var records = 1
        var share = 0.0
        /// The place of the entity that it inherits from; nil if it inherits from none.
        var superentity: Int?
        /// The names of its attributes, of its relationships and of those that lead back; of an entity with those that
        /// inherit from it, since all share a table.
        var names: [String] = []
        var references: [ReferenceSpec] = []
        var links: [LinkSpec] = []
    }

    /// Reads the list of entities; those that inherit become part of the one that they inherit from.
    func read(_ cursor: JSONCursor) -> [EntitySpec] {
        var drafts: [Draft] = []
        for element in cursor.array(of: "entities") {
            drafts.append(draft(element.object(.entity), after: drafts))
        }
        inherit(&drafts)
        for place in drafts.indices { readRecords(of: place, &drafts) }
        for place in drafts.indices { RelationshipsReader.read(place, &drafts) }
        let entities = drafts.indices.filter { drafts[$0].superentity == nil }.map { Self.table(of: $0, in: drafts) }
        if let (relationship, place) = Schema(entities).cascadeInACircle {
            drafts[place].object["relationships"]?.refuse(
                "deletions that lead in a circle of several entities, by \(relationship.inverse)",
                expected: "another \"delete_rule\" in one of them"
            )
        }
        return entities
    }

    private func draft(_ object: JSONObjectCursor, after others: [Draft]) -> Draft {
        let name = object["name"]?.identifier() ?? ""
        if others.contains(where: { $0.name.isSameName(as: name) }) {
            object["name"]?.refuse(
                "a second entity \(name.quoted)", expected: "names that differ in more than upper and lower case")
        }
        let attributes = EntityReader.attributes(object, upTo: ordinalMax)
        return Draft(object: object, name: name, attributes: attributes, names: attributes.map(\.name))
    }

    /// Reads the number of records, which the scenario itself has for its first entity.
    private func readRecords(of place: Int, _ drafts: inout [Draft]) {
        let (object, cursor) = (drafts[place].object, drafts[place].object["records"])
        if drafts[place].superentity != nil {
            cursor?.refuse(
                "the number of records of an entity that inherits", expected: "\"share\", its part of all of them")
        } else if place == 0 {
            drafts[place].records = records
            cursor?.refuse(
                "the number of records of the first entity", expected: "it in the key \"records\" of the scenario")
        } else if let cursor {
            drafts[place].records = cursor.integer() ?? 1
        } else if object["superentity"] == nil {
            object.cursor.refuse("the key \"records\" is missing", expected: "it in all entities but the first")
        }
    }

    /// Returns an entity with what those that inherit from it have.
    static func table(of place: Int, in drafts: [Draft]) -> EntitySpec {
        let draft = drafts[place]
        let kinds = drafts.filter { $0.superentity == place }
        return EntitySpec(
            name: draft.name, attributes: draft.attributes,
            references: draft.references + kinds.flatMap(\.references),
            links: draft.links + kinds.flatMap(\.links),
            subentities: kinds.map { (SubentitySpec(name: $0.name, share: $0.share), $0.attributes) },
            number: kinds.isEmpty ? nil : number(of: place, among: drafts), records: draft.records)
    }

    /// Returns the number of an entity, with which those that inherit from it come after it.
    private static func number(of place: Int, among drafts: [Draft]) -> Int {
        1 + drafts.count { ($0.superentity.map { drafts[$0].name } ?? $0.name) < drafts[place].name }
    }
}

// MARK: - Inheritance

extension EntitiesReader {
    /// Reads which entities inherit from another.
    private func inherit(_ drafts: inout [Draft]) {
        for place in drafts.indices { readSuperentity(of: place, &drafts) }
        for place in drafts.indices where drafts[place].superentity == nil {
            let kinds = drafts.indices.filter { drafts[$0].superentity == place }
            for kind in kinds { join(kind, to: place, &drafts) }
            let most = ScenarioLimits.attributes.upperBound
            if !kinds.isEmpty, drafts[place].names.count > most {
                drafts[place].object.cursor.refuse(
                    "\(drafts[place].names.count) attributes in one table",
                    expected: "at most \(most), with those of the entities that inherit")
            }
            if kinds.map({ SubentitySpec(name: "", share: drafts[$0].share) }).restOfShares < 0 {
                drafts[kinds[0]].object["share"]?.refuse(
                    "shares of more than all records of \(drafts[place].name)",
                    expected: "shares whose sum is at most 1")
            }
        }
    }

    private func readSuperentity(of place: Int, _ drafts: inout [Draft]) {
        let object = drafts[place].object
        guard let cursor = object["superentity"] else {
            object["share"]?.refuse("a share of no records", expected: "\"superentity\" beside it")
            return
        }
        guard let name = cursor.string() else { return }
        guard let other = drafts.firstIndex(where: { $0.name == name }) else {
            return cursor.refuseUnknown("entity", name, among: drafts.map(\.name).filter { $0 != drafts[place].name })
        }
        if place == 0 || other == place || drafts[other].object["superentity"] != nil {
            cursor.refuse(
                place == 0
                    ? "a superentity of the first entity" : "a superentity that inherits from another",
                expected: "an entity that inherits from none, before those that inherit from it")
            return
        }
        drafts[place].superentity = other
        guard let share = object["share"] else {
            object.cursor.refuse("the key \"share\" is missing", expected: "\"share\" beside \"superentity\"")
            return
        }
        drafts[place].share = share.unswept.number(in: ScenarioLimits.share) ?? 0
        if drafts[place].share == 0 { share.refuse("a subentity without records", expected: "a share above 0") }
    }

    /// Adds the names of an entity to those of the one that it inherits from, and checks that they differ.
    private func join(_ kind: Int, to place: Int, _ drafts: inout [Draft]) {
        let cursor = drafts[kind].object["attributes"]
        for attribute in drafts[kind].attributes {
            if drafts[place].names.contains(where: attribute.name.isSameName) {
                cursor?.refuse(
                    "a second attribute \(attribute.name.quoted)",
                    expected: "names that \(drafts[place].name) and its other subentities do not have")
            }
            if attribute.isUnique {
                cursor?.refuse(
                    "the unique attribute \(attribute.name.quoted) of a subentity",
                    expected: "unique attributes in \(drafts[place].name) alone")
            }
            drafts[place].names.append(attribute.name)
        }
    }
}

/// Reads the relationships of an entity of a scenario.
struct RelationshipsReader {
    private let place: Int
    private var drafts: [EntitiesReader.Draft]

    /// Reads the relationships of the entity at a place, and notes the names of those that lead back.
    static func read(_ place: Int, _ drafts: inout [EntitiesReader.Draft]) {
        var reader = RelationshipsReader(place: place, drafts: drafts)
        let list = drafts[place].object["relationships"]
        for cursor in list?.array(of: "relationships") ?? [] {
            reader.read(cursor.object(.relationship))
        }
        drafts = reader.drafts
    }

    private mutating func read(_ object: JSONObjectCursor) {
        guard let nameCursor = object["name"], let name = name(nameCursor, of: place),
            let target = object["to"].flatMap(target), let back = object["inverse"],
            let inverse = self.name(back, of: target)
        else { return }
        let table = drafts[target].superentity ?? target
        let (entity, records) = (drafts[table].name, drafts[table].records)
        let subentity = drafts[place].superentity.map { _ in drafts[place].name }
        let kind =
            table == target ? nil : TargetKind(drafts[target].name, of: EntitiesReader.table(of: table, in: drafts))
        let ordered = object["ordered"]?.bool() == true ? true : nil
        if let count = object["count"] {
            guard let range = range(object, count, of: records) else { return }
            var link = LinkSpec(
                relationship: name, inverse: inverse, entityName: entity, records: records, min: range.lowerBound,
                max: range.upperBound, distribution: object["distribution"]?.choice("distribution"))
            (link.subentity, link.target) = (subentity, kind)
            link.ordered = ordered
            drafts[place].links.append(link)
            return
        }
        object["count_max"]?.refuse("count_max without count", expected: "count beside it")
        var reference = ReferenceSpec(
            relationship: name, inverse: inverse, entityName: entity, records: records,
            distribution: object["distribution"]?.choice("distribution"))
        reference.deleteRule = object["delete_rule"]?.choice("delete rule")
        reference.ordered = ordered
        (reference.subentity, reference.target) = (subentity, kind)
        drafts[place].references.append(reference)
    }

    /// Reads how many of so many records a many-to-many relationship leads to.
    private func range(_ object: JSONObjectCursor, _ count: JSONCursor, of records: Int) -> ClosedRange<Int>? {
        object["delete_rule"]?.refuse(
            "delete_rule in a relationship to many records", expected: "it in a relationship to one record")
        guard let min = count.integer() else { return nil }
        let max = object["count_max"]?.integer() ?? min
        if max < min { object["count_max"]?.refuse("count_max below count", expected: "\(min) or more") }
        if max > records {
            (object["count_max"] ?? count).refuse(
                "relationships to \(max) of \(records) records", expected: "at most \(records)")
        }
        return min...Swift.max(min, max)
    }

    private func target(_ cursor: JSONCursor) -> Int? {
        guard let name = cursor.string() else { return nil }
        let names = drafts.map(\.name)
        guard let target = names.firstIndex(of: name) else {
            cursor.refuseUnknown("entity", name, among: names)
            return nil
        }
        return target
    }

    /// Reads the name of a relationship of the entity at a place, which may have no other member of that name.
    private mutating func name(_ cursor: JSONCursor, of place: Int) -> String? {
        guard let name = cursor.identifier() else { return nil }
        let table = drafts[place].superentity ?? place
        if drafts[table].names.contains(where: name.isSameName) {
            cursor.refuse(
                "the relationship \(name.quoted), while \(drafts[place].name) has that already",
                expected: "a different name")
        }
        drafts[table].names.append(name)
        return name
    }
}

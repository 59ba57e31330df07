/// Reads the subentities of a scenario's entity.
struct SubentityReader {
    let entity: EntitySpec
    /// The largest ordinal that any phase gives to a record.
    let ordinalMax: Int

    func read(_ cursor: JSONCursor) -> [(spec: SubentitySpec, attributes: [AttributeSpec])] {
        var subentities: [(spec: SubentitySpec, attributes: [AttributeSpec])] = []
        var names = entity.attributes.map(\.name)
        for cursor in cursor.array(count: ScenarioLimits.subentities, of: "subentities") {
            let object = cursor.object(.subentity)
            let nameCursor = object["name"]
            let name = nameCursor?.identifier() ?? ""
            if ([entity.name] + subentities.map(\.spec.name)).contains(where: name.isSameName) {
                nameCursor?.refuse(
                    "a second entity \(name.quoted)", expected: "names that differ in more than upper and lower case")
            }
            let share = object["share"]?.unswept.number(in: ScenarioLimits.share) ?? 0
            if share == 0, let share = object["share"] {
                share.refuse("a subentity without records", expected: "a share above 0")
            }
            let attributes = EntityReader.attributes(object, upTo: ordinalMax)
            check(attributes, object, &names)
            subentities.append((SubentitySpec(name: name, share: share), attributes))
        }
        let most = ScenarioLimits.attributes.upperBound
        if names.count > most {
            cursor.refuse("\(names.count) attributes in one table", expected: "at most \(most), with the entity's own")
        }
        if subentities.map(\.spec).restOfShares < 0 {
            cursor.refuse("shares of more than all records", expected: "shares whose sum is at most 1")
        }
        return subentities
    }

    /// Checks that the attributes differ from those of the entity and of its other subentities, with which they share
    /// a table.
    private func check(_ attributes: [AttributeSpec], _ object: JSONObjectCursor, _ names: inout [String]) {
        for attribute in attributes {
            if names.contains(where: attribute.name.isSameName) {
                object["attributes"]?.refuse(
                    "a second attribute \(attribute.name.quoted)",
                    expected: "names that the entity and its other subentities do not have")
            }
            if attribute.isUnique {
                object["attributes"]?.refuse(
                    "the unique attribute \(attribute.name.quoted) of a subentity",
                    expected: "unique attributes in the entity alone")
            }
        }
        names += attributes.map(\.name)
    }
}

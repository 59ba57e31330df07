/// Reads the attributes of an entity.
struct EntityReader {
    /// The largest ordinal that any phase gives to a record: sequences of integers must reach it without rounding.
    let ordinalMax: Int

    /// Reads the attributes of an entity, the ordinals of whose records go up to `ordinalMax`.
    static func attributes(_ object: JSONObjectCursor, upTo ordinalMax: Int) -> [AttributeSpec] {
        let reader = EntityReader(ordinalMax: ordinalMax)
        let cursors = object["attributes"]?.array(count: ScenarioLimits.attributes, of: "attributes") ?? []
        var attributes: [AttributeSpec] = []
        for cursor in cursors {
            let object = cursor.object(.attribute)
            let name = object["name"]?.identifier()
            if let name, attributes.contains(where: { $0.name.isSameName(as: name) }) {
                object["name"]?.refuse(
                    "a second attribute \(name.quoted)",
                    expected: "names that differ in more than upper and lower case")
            }
            if let attribute = reader.attribute(object, called: name) { attributes.append(attribute) }
        }
        return attributes
    }

    private func attribute(_ object: JSONObjectCursor, called name: String?) -> AttributeSpec? {
        guard let type: FieldType = object["type"]?.choice("attribute type"),
            let generator = object["generator"].flatMap({ generator($0, type) })
        else { return nil }
        let isUnique = object["unique"]?.bool() ?? false
        if isUnique, !generator.isDistinct(type, upTo: ordinalMax) {
            object["unique"]?.refuse(
                "a unique attribute whose values may repeat", expected: "a sequence that counts")
        }
        let nullShare = object["null_share"]?.number(in: ScenarioLimits.share)
        if isUnique, nullShare != nil {
            object["null_share"]?.refuse("nulls in a unique attribute", expected: "an attribute that is not unique")
        }
        let isIndexed = object["indexed"]?.bool() ?? false
        if isIndexed, isUnique || type == .data {
            object["indexed"]?.refuse(
                isUnique ? "an index of a unique attribute, which has one" : "an index of data, which has no order",
                expected: "another attribute")
        }
        return name.map {
            AttributeSpec(
                name: $0, type: type, generator: generator, isUnique: isUnique, isIndexed: isIndexed,
                nullShare: nullShare)
        }
    }
}

extension Generator {
    /// Returns whether no two records up to ordinal `last` get the same value.
    fileprivate func isDistinct(_ type: FieldType, upTo last: Int) -> Bool {
        guard case .sequence(_, let start, let step) = self, step != 0 else { return false }
        guard type == .double || type == .date else { return true }
        // Rounding of the product and the sum can bring two neighbours closer by three units in the last place.
        let farthest = max(abs(start), abs(start + step * Double(last)))
        return abs(step) > 3 * farthest.ulp
    }
}

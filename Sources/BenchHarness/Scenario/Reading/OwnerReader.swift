/// Reads the owners of a scenario's records.
struct OwnerReader {
    /// The name and attributes of the records' entity.
    let entity: EntitySpec

    func read(_ cursor: JSONCursor) -> OwnerSpec {
        let object = cursor.object(.owner)
        let owner = OwnerSpec(
            relationship: object["relationship"]?.identifier() ?? "", inverse: object["inverse"]?.identifier() ?? "",
            entityName: object["entity"]?.identifier() ?? "",
            attributes: EntityReader.attributes(object, upTo: ScenarioLimits.records.upperBound),
            records: object["records"]?.integer(in: ScenarioLimits.records) ?? 1,
            distribution: object["distribution"]?.choice("distribution"))
        check(owner.relationship, object["relationship"], isNoneOf: entity.attributes, of: entity.name)
        check(owner.inverse, object["inverse"], isNoneOf: owner.attributes, of: owner.entityName)
        if owner.entityName.isSameName(as: entity.name) {
            object["entity"]?.refuse(
                "owners of the records' own entity", expected: "an entity other than \(entity.name)")
        }
        if let unique = owner.attributes.first(where: \.isUnique) {
            cursor.refuse(
                "the unique attribute \(unique.name.quoted) of owners",
                expected: "no \"unique\": only an attribute of the records can be")
        }
        if let indexed = owner.attributes.first(where: \.isIndexed) {
            cursor.refuse(
                "the indexed attribute \(indexed.name.quoted) of owners",
                expected: "no \"indexed\": only an attribute of the records can be")
        }
        return owner
    }

    /// Checks a relationship's name.
    private func check(
        _ name: String, _ cursor: JSONCursor?, isNoneOf attributes: [AttributeSpec], of entity: String
    ) {
        guard attributes.contains(where: { $0.name.isSameName(as: name) }) else { return }
        cursor?.refuse(
            "the relationship \(name.quoted), which is also an attribute of \(entity)", expected: "a different name")
    }
}

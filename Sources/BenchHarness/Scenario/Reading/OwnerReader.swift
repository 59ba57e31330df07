/// Reads what the records of a scenario belong to.
struct OwnerReader {
    /// The name and attributes of the records' entity.
    let entity: EntitySpec

    func read(_ cursor: JSONCursor) throws(ScenarioError) -> OwnerSpec {
        let object = try cursor.object(.owner)
        let relationship = try object.required("relationship")
        let owner = OwnerSpec(
            relationship: try relationship.identifier(), inverse: try object.required("inverse").identifier(),
            entityName: try object.required("entity").identifier(),
            attributes: try EntityReader.attributes(object, upTo: ScenarioLimits.records.upperBound),
            records: try object.required("records").integer(in: ScenarioLimits.records))
        try check(owner.relationship, relationship, isNoneOf: entity.attributes, of: entity.name)
        try check(owner.inverse, object.required("inverse"), isNoneOf: owner.attributes, of: owner.entityName)
        // Names of tables know no case.
        if owner.entityName.lowercased() == entity.name.lowercased() {
            throw try object.required("entity").error(
                "owners of the records' own entity", expected: "another entity than \(entity.name)")
        }
        if let unique = owner.attributes.first(where: \.isUnique) {
            throw cursor.error("the unique attribute \(unique.name.quoted) of owners", expected: "none")
        }
        return owner
    }

    /// Columns know no case, so neither do names.
    private func check(
        _ name: String, _ cursor: JSONCursor, isNoneOf attributes: [AttributeSpec], of entity: String
    ) throws(ScenarioError) {
        guard attributes.contains(where: { $0.name.lowercased() == name.lowercased() }) else { return }
        throw cursor.error(
            "the relationship \(name.quoted), which is an attribute of \(entity) too", expected: "a name of its own")
    }
}

/// Reads how a fetch follows a relationship.
struct FollowReader {
    let entity: EntitySpec

    func read(_ cursor: JSONCursor, of work: FetchWork) throws(ScenarioError) -> FollowSpec {
        let object = try cursor.object(.follow)
        let relationship = try object.required("relationship")
        guard let owner = entity.owner else {
            throw relationship.error(
                "a relationship of \(entity.name), which has no owner", expected: "an entity with one")
        }
        let name = try relationship.string(lengthMax: ScenarioLimits.nameLength)
        let known = [owner.relationship, owner.inverse]
        guard known.contains(name) else { throw relationship.unknown("relationship", name, among: known) }
        let follow = FollowSpec(relationship: name, prefetch: try object["prefetch"]?.bool() ?? false)
        try check(work, follow, cursor)
        return follow
    }

    private func check(_ work: FetchWork, _ follow: FollowSpec, _ cursor: JSONCursor) throws(ScenarioError) {
        if work.mode != .sync {
            throw cursor.error("a relationship followed in mode \(work.mode)", expected: "it in mode sync alone")
        }
        if work.touch != .all || work.attributes != nil {
            throw cursor.error(
                "a relationship followed without touching everything", expected: "touch all, no attributes")
        }
        if follow.leadsToRecords(of: entity), work.filter != nil || !work.sort.isEmpty || work.limit > 0 {
            throw cursor.error(
                "sort, filter or limit in a fetch of owners", expected: "none of them: every owner is fetched")
        }
    }
}

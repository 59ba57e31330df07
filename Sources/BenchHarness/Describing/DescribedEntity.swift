/// The entity of a scenario that is like one of a survey, with its owners, and what of it a scenario cannot say.
struct DescribedEntity {
    let spec: EntitySpec
    private(set) var remarks: [String] = []

    /// Describes an entity of a survey.
    init(_ entity: SurveyedEntity, of survey: StoreSurvey) {
        var names = UsedNames()
        let own = Self.attributes(of: entity, &names, &remarks)
        guard let reference = Self.owner(of: entity, in: survey),
            let owners = reference.entity.flatMap(survey.whole)
        else {
            spec = EntitySpec(name: ScenarioName.identifier(entity.name), attributes: own)
            remarks += ScenarioName.remarks("the entity \(entity.name)", entity.name, spec.name)
            remarks += Self.leftOut(entity, entity.references, survey)
            return
        }
        var ownersNames = UsedNames()
        let ownerName = ScenarioName.identifier(owners.name)
        let entityName = ScenarioName.identifier(entity.name)
        // An index of owners is no part of a scenario yet.
        let ownersAttributes = Self.attributes(of: owners, &ownersNames, &remarks).map {
            AttributeSpec(name: $0.name, type: $0.type, generator: $0.generator, nullShare: $0.nullShare)
        }
        let relationship = names.unused(ScenarioName.identifier(reference.name))
        let owner = OwnerSpec(
            relationship: relationship,
            inverse: ownersNames.unused(ScenarioName.identifier(entity.name.lowercased() + "s")),
            entityName: ownerName.lowercased() == entityName.lowercased() ? ownerName + "2" : ownerName,
            attributes: ownersAttributes, records: max(owners.records, 1),
            distribution: .like(reference, of: entity, to: owners))
        spec = EntitySpec(name: entityName, attributes: own, owner: owner)
        remarks += ScenarioName.remarks("the entity \(entity.name)", entity.name, entityName)
        remarks += ScenarioName.remarks("the entity \(owners.name)", owners.name, owner.entityName)
        remarks += ScenarioName.remarks(
            "the relationship \(entity.name).\(reference.name)", reference.name, relationship)
        remarks += reference.remarks(of: entity)
        if reference.cascades {
            remarks.append(
                "a deletion of \(owners.name) deletes its records of \(entity.name) in the file; no phase deletes an owner"
            )
        }
        remarks += Self.leftOut(entity, entity.references.filter { $0.name != reference.name }, survey)
    }

    /// The relationship whose destinations own the records: the one that most records have; of these, the one with the
    /// most destinations.
    private static func owner(of entity: SurveyedEntity, in survey: StoreSurvey) -> SurveyedReference? {
        let sizes = Dictionary(
            survey.entities.compactMap { survey.whole($0.name) }.map { ($0.name, $0.root == nil ? $0.records : 0) }
        ) { first, _ in first }
        let candidates = entity.references.filter { reference in
            guard let destination = reference.entity, reference.nulls < entity.records else { return false }
            return destination != entity.name && sizes[destination] ?? 0 > 0
        }
        return candidates.min {
            ($0.nulls, -(sizes[$0.entity ?? ""] ?? 0)) < ($1.nulls, -(sizes[$1.entity ?? ""] ?? 0))
        }
    }

    static func attributes(
        of entity: SurveyedEntity, _ names: inout UsedNames, _ remarks: inout [String]
    ) -> [AttributeSpec] {
        var specs: [AttributeSpec] = []
        for var attribute in entity.attributes {
            if specs.count == ScenarioLimits.attributes.upperBound {
                remarks.append("\(entity.name) has more than \(specs.count) attributes; the others are left out")
                break
            }
            attribute.values.takeBitsAsBools()
            if attribute.values.misfits > 0 {
                let misfits = Figure.count(attribute.values.misfits, "value")
                remarks.append("\(misfits) of \(entity.name).\(attribute.name) of another type became null")
            }
            let place = "\(entity.name).\(attribute.name)"
            let name = names.unused(ScenarioName.identifier(attribute.name))
            remarks += ScenarioName.remarks("the attribute \(place)", attribute.name, name)
            attribute.name = name
            let spec = attribute.spec
            remarks += attribute.remarks(on: spec, place)
            specs.append(spec)
        }
        if specs.isEmpty {
            remarks.append("\(entity.name) has no attribute; number stands for one")
            specs = [
                AttributeSpec(
                    name: "number", type: .int64, generator: .sequence(prefix: "", start: 0, step: 1))
            ]
        }
        return specs
    }

    private static func leftOut(
        _ entity: SurveyedEntity, _ references: [SurveyedReference], _ survey: StoreSurvey
    ) -> [String] {
        let linked = survey.links.flatMap { link in
            [(link.first, link.second), (link.second, link.first)].filter { $0.0.entity == entity.name }
                .map(\.1.relationship)
        }
        let reasons = references.map { reference in
            let target = reference.entity.flatMap(survey.whole)
            let reason = target?.root.map { ": \(target?.name ?? "") inherits from \($0), as no owner may" }
            return reference.name + " is left out" + (reason ?? "")
        }
        return (reasons + linked.map { $0 + " is left out" }).map { "the relationship \(entity.name).\($0)" }
    }
}

extension SurveyedReference {
    /// What becomes of records of `entity` without the relationship.
    func remarks(of entity: SurveyedEntity) -> [String] {
        nulls > 0 ? ["\(Figure.count(nulls, "record")) of \(entity.name) without \(name) get one too"] : []
    }
}

extension OwnerSpec.Distribution? {
    /// The distribution of a relationship that is like one of a survey.
    static func like(_ reference: SurveyedReference, of entity: SurveyedEntity, to target: SurveyedEntity) -> Self {
        like(pairs: entity.records - reference.nulls, records: target.records, most: reference.most)
    }

    /// Zipfian where one of the records has so many of the pairs that chance alone would not give them to it.
    static func like(pairs: Int, records: Int, most: Int) -> Self {
        let mean = Double(pairs) / Double(max(records, 1))
        return records > 1 && Double(most) > 10 * max(mean, 1) ? .zipfian : nil
    }
}

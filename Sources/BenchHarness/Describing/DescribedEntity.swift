/// The entity of a scenario that is like one of a survey, with its owners, and what of it a scenario cannot say.
struct DescribedEntity {
    let spec: EntitySpec
    let records: Int
    private(set) var remarks: [String] = []

    /// Describes the entity called `name` of a survey; the one with the most records for nil.
    ///
    /// - Throws: `RunError` that says which entities there are.
    init(_ survey: StoreSurvey, name: String?) throws(RunError) {
        let entity = try Self.entity(of: survey, name)
        records = max(entity.records, 1)
        var names = UsedNames()
        let own = Self.attributes(of: entity, &names, &remarks)
        guard let reference = Self.owner(of: entity, in: survey),
            let owners = survey.entities.first(where: { $0.name == reference.entity })
        else {
            spec = EntitySpec(name: ScenarioName.identifier(entity.name), attributes: own)
            remarks += Self.leftOut(entity.references)
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
            distribution: Self.isUneven(reference, entity, owners) ? .zipfian : nil)
        spec = EntitySpec(name: entityName, attributes: own, owner: owner)
        if reference.nulls > 0 {
            remarks.append(
                "\(Figure.count(reference.nulls, "record")) of \(entity.name) without \(reference.name) get one too")
        }
        remarks += Self.leftOut(entity.references.filter { $0.name != reference.name })
    }

    private static func entity(of survey: StoreSurvey, _ name: String?) throws(RunError) -> SurveyedEntity {
        guard let largest = survey.entities.max(by: { $0.records < $1.records }) else {
            throw RunError(.results, "there is no table with records in it")
        }
        guard let name else { return largest }
        guard let entity = survey.entities.first(where: { $0.name == name }) else {
            let names = survey.entities.map(\.name)
            let nearest = NearestName.among(names, to: name).map { "; did you mean \($0.quoted)?" }
            let all = "; expected one of \(names.sorted().map(\.printable).joined(separator: ", "))"
            throw RunError(.results, "there is no entity \(name.quoted)\(nearest ?? all)")
        }
        return entity
    }

    /// The relationship whose destinations own the records: the one that most records have; of these, the one with the
    /// most destinations.
    private static func owner(of entity: SurveyedEntity, in survey: StoreSurvey) -> SurveyedReference? {
        let sizes = Dictionary(survey.entities.map { ($0.name, $0.records) }) { first, _ in first }
        let candidates = entity.references.filter { reference in
            guard let destination = reference.entity, reference.nulls < entity.records else { return false }
            return destination != entity.name && sizes[destination] ?? 0 > 0
        }
        return candidates.min {
            ($0.nulls, -(sizes[$0.entity ?? ""] ?? 0)) < ($1.nulls, -(sizes[$1.entity ?? ""] ?? 0))
        }
    }

    /// Whether one owner has so many records that chance alone would not give them to it.
    private static func isUneven(
        _ reference: SurveyedReference, _ entity: SurveyedEntity, _ owners: SurveyedEntity
    ) -> Bool {
        let mean = Double(entity.records - reference.nulls) / Double(max(owners.records, 1))
        return owners.records > 1 && Double(reference.most) > 10 * max(mean, 1)
    }

    private static func attributes(
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
            attribute.name = names.unused(ScenarioName.identifier(attribute.name))
            specs.append(attribute.spec)
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

    private static func leftOut(_ references: [SurveyedReference]) -> [String] {
        references.map { "the relationship \($0.name) is left out" }
    }
}

/// Names as scenarios allow them.
enum ScenarioName {
    /// The name with an underscore for each character that names of entities and attributes cannot have.
    static func identifier(_ name: String) -> String {
        var scalars = String.UnicodeScalarView(name.unicodeScalars.map { $0.isInNames ? $0 : "_" })
        if scalars.first?.isLetter != true { scalars.insert("x", at: scalars.startIndex) }
        // What is left of the length is for a number.
        while scalars.reduce(0, { $0 + UTF8.width($1) }) > ScenarioLimits.nameLength - 4 { scalars.removeLast() }
        return String(scalars)
    }
}

/// The names that one entity has already.
private struct UsedNames {
    private var names: Set<String> = []

    /// The name, with a number after it if it is used already.
    mutating func unused(_ name: String) -> String {
        var (found, number) = (name, 2)
        // SQLite ignores the case of column names.
        while !names.insert(found.lowercased()).inserted {
            found = name + String(number)
            number += 1
        }
        return found
    }
}

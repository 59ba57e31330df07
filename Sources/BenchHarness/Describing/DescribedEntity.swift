/// What a scenario says of an entity of a survey.
enum DescribedEntity {
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
}

extension SurveyedReference {
    /// What becomes of records of `entity` without the relationship.
    func remarks(of entity: SurveyedEntity) -> [String] {
        nulls > 0 ? ["\(Figure.count(nulls, "record")) of \(entity.name) without \(name) get one too"] : []
    }
}

extension ReferenceSpec.Distribution? {
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

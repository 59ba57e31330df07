/// The form of a scenario in manifests, and between processes.
extension Scenario {
    private enum Key: String, CodingKey {
        case name, summary, seed, repetitions, warmups, isolation, drivers, store, entities, phases, thresholdsPercent
        case sizes, growth, variants
        /// What older manifests have in place of the list of entities.
        case entity, others, records
    }

    /// Reads a scenario of this version, or of an older one.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        name = try values.decode(String.self, forKey: .name)
        summary = try values.decode(String.self, forKey: .summary)
        seed = try values.decode(UInt64.self, forKey: .seed)
        repetitions = try values.decode(Int.self, forKey: .repetitions)
        warmups = try values.decode(Int.self, forKey: .warmups)
        isolation = try values.decode(Isolation.self, forKey: .isolation)
        drivers = try values.decode([String].self, forKey: .drivers)
        store = try values.decode(StoreOptions.self, forKey: .store)
        phases = try values.decode([Phase].self, forKey: .phases)
        thresholdsPercent = try values.decodeIfPresent([String: Double].self, forKey: .thresholdsPercent)
        sizes = try values.decodeIfPresent([Int].self, forKey: .sizes)
        growth = try values.decodeIfPresent(GrowthSpec.self, forKey: .growth)
        variants = try values.decodeIfPresent([ScenarioVariant].self, forKey: .variants)
        if let list = try values.decodeIfPresent([EntitySpec].self, forKey: .entities) {
            entities = list
        } else {
            entities = [try values.decode(EntitySpec.self, forKey: .entity)]
            entities += try values.decodeIfPresent([EntitySpec].self, forKey: .others) ?? []
            if let owner = try values.decode(OlderEntity.self, forKey: .entity).owner {
                entities[0].references = [owner.reference]
                entities.append(owner.entity)
            }
            records = try values.decode(Int.self, forKey: .records)
        }
    }

    /// Writes the scenario, whatever it is seen from.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(name, forKey: .name)
        try values.encode(summary, forKey: .summary)
        try values.encode(seed, forKey: .seed)
        try values.encode(repetitions, forKey: .repetitions)
        try values.encode(warmups, forKey: .warmups)
        try values.encode(isolation, forKey: .isolation)
        try values.encode(drivers, forKey: .drivers)
        try values.encode(store, forKey: .store)
        try values.encode(entities, forKey: .entities)
        try values.encode(phases, forKey: .phases)
        try values.encodeIfPresent(thresholdsPercent, forKey: .thresholdsPercent)
        try values.encodeIfPresent(sizes, forKey: .sizes)
        try values.encodeIfPresent(growth, forKey: .growth)
        try values.encodeIfPresent(variants, forKey: .variants)
    }
}

/// The entity of an older manifest, whose records may have owners that are no entity of the scenario.
private struct OlderEntity: Decodable {
    struct Owner: Decodable {
        let reference: ReferenceSpec
        let entity: EntitySpec

        private enum Key: CodingKey { case attributes }

        init(from decoder: any Decoder) throws {
            reference = try ReferenceSpec(from: decoder)
            let attributes = try decoder.container(keyedBy: Key.self).decode([AttributeSpec].self, forKey: .attributes)
            entity = EntitySpec(name: reference.entityName, attributes: attributes, records: reference.records)
        }
    }

    let owner: Owner?
}

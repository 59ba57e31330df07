/// Phases for a scenario to begin with: what its entity lets every store do.
struct DescribedPhases {
    /// Fewer records are too few for the changes of a merge.
    private static let recordsOfMerge = 10_000

    let schema: Schema

    /// The phases as JSON, a line each.
    var lines: [String] {
        [
            #"{ "name": "seed", "kind": "seed", "from": "empty", "save_every_records": 1000 }"#, fetch, filteredFetch,
            follow, update, merge,
        ].compactMap(\.self)
    }

    private var entity: EntitySpec { schema.entity.record }

    private var own: ArraySlice<AttributeSpec> { entity.attributesOfItsOwn }

    private var fetch: String {
        let key = own.first { $0.type == .date } ?? own.first { [.int64, .double].contains($0.type) } ?? own.first
        let sort = key.map { ", \"sort\": [{ \"key\": \(DescribedScenario.json($0.name)), \"ascending\": true }]" }
        let isSortable = key.map { $0.type != .data } ?? false
        let order = isSortable ? sort ?? "" : ""
        return "{ \"name\": \"fetch-sync\", \"kind\": \"fetch\", \"from\": \"seeded\", \"mode\": \"sync\"\(order) }"
    }

    /// The records with the most frequent value of a few.
    private var filteredFetch: String? {
        for attribute in own {
            guard case .choice(let values, _) = attribute.generator, let value = values.first else { continue }
            let (key, text) = (DescribedScenario.json(attribute.name), DescribedScenario.json(value))
            return "{ \"name\": \"fetch-filtered\", \"kind\": \"fetch\", \"from\": \"seeded\", \"mode\": \"sync\", "
                + "\"filter\": { \"key\": \(key), \"op\": \"==\", \"value\": \(text) } }"
        }
        return nil
    }

    /// The records with what the first relationship leads to.
    private var follow: String? {
        (entity.toOnes.first?.relationship ?? entity.links?.first?.relationship).map {
            "{ \"name\": \"fetch-related\", \"kind\": \"fetch\", \"from\": \"seeded\", \"mode\": \"sync\", "
                + "\"follow\": { \"relationship\": \(DescribedScenario.json($0)), \"prefetch\": true } }"
        }
    }

    private var update: String? {
        change.map {
            "{ \"name\": \"update-chunked\", \"kind\": \"update\", \"from\": \"seeded\", \"mode\": \"chunked\", "
                + "\"chunk_records\": 1000, \"set\": \($0) }"
        }
    }

    private var merge: String? {
        guard entity.records ?? 0 >= Self.recordsOfMerge, let change else { return nil }
        let (inserts, deletes) = (canGrow ? 10 : 0, isReferredTo ? 0 : 5)
        return "{ \"name\": \"merge\", \"kind\": \"merge\", \"from\": \"seeded\", \"writers\": 2, "
            + "\"saves_per_writer\": 10, \"inserts_per_save\": \(inserts), \"changes_per_save\": 10, "
            + "\"deletes_per_save\": \(deletes), \"set\": \(change) }"
    }

    /// Whether the saves of a merge can add records: no new ones have relationships to many, or come into an order.
    private var canGrow: Bool { (entity.links ?? []).isEmpty && !entity.toOnes.contains(where: \.isOrdered) }

    /// Whether other records lead to those of the entity, which a merge must not delete then.
    private var isReferredTo: Bool { schema.entity.relationships.contains(where: \.isToMany) }

    /// A new value of an attribute, as JSON: a truth value if there is one; nil if every attribute must stay as it is.
    private var change: String? {
        let free = own.filter { !$0.isUnique }
        guard let attribute = free.first(where: { $0.type == .bool }) ?? free.first else { return nil }
        let value: FieldValue =
            switch attribute.type {
            case .string: .string("changed")
            case .bool: .bool(true)
            case .date: .date(0)
            case .int64: .int64(1)
            case .double: .double(1)
            case .data: .data(.init([1, 2, 3]))
            }
        return "{ \(DescribedScenario.json(attribute.name)): \(DescribedScenario.json(value)) }"
    }
}

import BenchHarness

/// The fetches besides those of whole results.
enum ReadingChecks {
    static let all = [EntitySpec.item, .everything, .ownedSample].map(single) + [missing]

    private static func getting(
        _ behaviour: String, _ variant: String? = nil, entity: EntitySpec = .item,
        body: @escaping @Sendable (CheckedStore) throws -> Void
    ) -> ConformanceCheck {
        ConformanceCheck(
            "getting", behaviour, variant, entity: entity, needs: [.get(GetWork(count: 1))], body: body)
    }

    /// One of them twice, and none in the order of the keys.
    private static func single(_ entity: EntitySpec) -> ConformanceCheck {
        let name = entity.owner == nil ? entity.name : "with owners"
        return getting("fetches the records with the keys that are asked for", name, entity: entity) { store in
            let session = try store.seeded(300)
            try session.get([17, 299, 0, 17, 150]) { ordinal, found in
                try session.expectHeld(found, "the get found", store.expected([ordinal]))
            }
        }
    }

    private static let missing = getting("finds no record that is not there") { store in
        let session = try store.seeded(300)
        try session.get([300, 5_000]) { _, found in
            try session.expectHeld(found, "the get found", store.expected([]))
        }
    }
}

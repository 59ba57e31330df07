import BenchHarness

/// The addition of records to those of the store.
enum InsertingChecks {
    static let all = [EntitySpec.item, .everything, .boxedSample].flatMap { [added($0), found($0)] }

    private static func check(
        _ behaviour: String, _ entity: EntitySpec, needs works: [Phase.Work] = [],
        body: @escaping @Sendable (CheckedStore) throws -> Void
    ) -> ConformanceCheck {
        ConformanceCheck(
            "inserting", behaviour, entity.references == nil ? entity.name : "with a relationship", entity: entity,
            needs: [.insert(InsertWork(records: 1))] + works, body: body)
    }

    /// In two saves, and in a session that has not seeded the store.
    private static func added(_ entity: EntitySpec) -> ConformanceCheck {
        check("adds records to those of the store", entity) { store in
            try store.seeded(300).close()
            let session = try store.open()
            try session.insert(300..<420)
            session.finish()
            try session.insert(420..<425)
            session.finish()
            try session.expectStored(store.expectedWithTargets(0..<425))
            try session.expectSound()
        }
    }

    /// The last record was the last one of the seeded store, and its key is not given out again.
    private static func found(_ entity: EntitySpec) -> ConformanceCheck {
        let filter = FilterSpec.compare(key: entity.attributes[0].name, .equal, .string(lastTitle(entity)))
        let deletion = DeleteWork(mode: .perObject, filter: filter)
        return check(
            "gives new records the keys after all others", entity,
            needs: [.delete(deletion), .get(GetWork(count: 1))]
        ) { store in
            let session = try store.seeded(300)
            try session.delete(deletion)
            try session.insert(300..<310)
            session.finish()
            try session.get([309, 299, 300, 298]) { ordinal, found in
                try session.expectHeld(found, "the get found", store.expected(ordinal == 299 ? [] : [ordinal]))
            }
        }
    }

    /// The text of the first attribute of record 299.
    private static func lastTitle(_ entity: EntitySpec) -> String {
        RecordGenerator.conformance(entity).string(0, 299)
    }
}

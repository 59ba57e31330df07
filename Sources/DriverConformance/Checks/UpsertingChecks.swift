import BenchHarness

/// The saves of received records, some of which the store holds.
enum UpsertingChecks {
    static let all = [check("alone", entity()), check("with a relationship", entity(EntitySpec.boxedSample.toOnes))]

    /// A unique number, and an attribute of every type; some values are null.
    private static func entity(_ references: [ReferenceSpec] = []) -> EntitySpec {
        let number = AttributeSpec(
            name: "number", type: .int64, generator: .sequence(prefix: "", start: 5, step: 3), isUnique: true)
        return EntitySpec(
            name: "Sample", attributes: EntitySpec.everything.attributes + [number], references: references)
    }

    /// In a session that has not seeded the store; one record arrives twice.
    private static func check(_ variant: String, _ entity: EntitySpec) -> ConformanceCheck {
        ConformanceCheck(
            "upserting", "replaces the records that have the same unique value, and adds others", variant,
            entity: entity, needs: [.upsert(UpsertWork(records: 1))]
        ) { store in
            try store.seeded(300).close()
            let session = try store.open()
            let received = [store.records.revised(1), store.records.revised(2)]
            try session.upsert([17, 300, 4, 299, 301, 0], of: received[0])
            session.finish()
            try session.upsert([4, 150, 302], of: received[1])
            session.finish()
            let latest = [17: 0, 300: 0, 299: 0, 301: 0, 0: 0, 4: 1, 150: 1, 302: 1]
            try session.expectStored(
                store.expectedWithTargets(0..<303) { ordinal, values in
                    guard let source = latest[ordinal] else { return }
                    for index in values.indices { values[index] = received[source].value(index, ordinal) }
                })
            try session.expectSound()
        }
    }
}

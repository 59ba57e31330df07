import BenchHarness

/// The expected content of the store, and of the merging context, after several writers have saved at once.
enum MergingChecks {
    static let all = [complete, followed, oneKind, insertsAlone] + [EntitySpec.listedItem, .boxedSample].map(owned)

    private static let seeded = 0..<1_000
    private static let plan = MergePlan(
        set: [AttributeChange(attribute: "done", operation: .assign(.bool(true)))],
        writers: (0..<3).map { writer in
            (0..<4).map { save in
                let first = (writer * 4 + save) * 50
                return MergePlan.Save(
                    inserts: 1_000 + first..<1_000 + first + 30, changes: first..<first + 25,
                    deletes: first + 25..<first + 35)
            }
        })

    /// - Parameter plan: The merge; the harness first asks the driver whether it supports it.
    private static func check(
        _ behaviour: String, variant: String? = nil, entity: EntitySpec = .item, _ plan: MergePlan,
        body: @escaping @Sendable (CheckedStore) throws -> Void
    ) -> ConformanceCheck {
        let saves = plan.writers.joined()
        let work = MergeWork(
            writers: plan.writers.count, savesPerWriter: plan.writers.map(\.count).max() ?? 0,
            insertsPerSave: saves.map(\.inserts.count).max() ?? 0,
            changesPerSave: saves.map(\.changes.count).max() ?? 0,
            deletesPerSave: saves.map(\.deletes.count).max() ?? 0, set: plan.set)
        return ConformanceCheck("merging", behaviour, variant, entity: entity, needs: [.merge(work)], body: body)
    }

    private static let complete = check("loses no save of several writers", plan) { store in
        let session = try store.seeded(seeded.count)
        _ = try session.merge(plan)
        let deleted = Set(plan.writers.joined().flatMap(\.deletes))
        let inserted = plan.writers.joined().flatMap(\.inserts)
        try session.expectStored(
            store.expected(seeded.filter { !deleted.contains($0) } + inserted, changing: change))
        try session.expectSound()
        try expectKnown(try session.counters().conflicts, "conflicts of writers that never meet:", "0") { $0 == 0 }
        session.finish()
    }

    /// Each new record leads to one to which other writers add records at the same time.
    private static func owned(_ entity: EntitySpec) -> ConformanceCheck {
        let other = RecordGenerator.conformance(entity).value(2, 5)
        let plan = MergePlan(
            set: [AttributeChange(attribute: entity.attributes[2].name, operation: .assign(other))],
            writers: plan.writers)
        return check(
            "loses no save of several writers", variant: "\(entity.name), with a relationship", entity: entity, plan
        ) {
            store in
            let session = try store.seeded(seeded.count)
            let merged = try session.merge(plan)
            let saves = plan.writers.joined()
            let (changed, inserted) = (Set(saves.flatMap(\.changes)), saves.flatMap(\.inserts))
            func change(_ ordinal: Int, _ values: inout [FieldValue]) {
                if changed.contains(ordinal) { values[2] = other }
            }
            try session.expectHeld(
                merged, "the merging context holds", store.expected(Array(changed) + inserted, changing: change))
            let deleted = Set(saves.flatMap(\.deletes))
            try session.expectStored(
                store.expectedWithTargets(seeded.filter { !deleted.contains($0) } + inserted, changing: change))
            try session.expectSound()
            try expectKnown(try session.counters().conflicts, "conflicts of writers that never meet:", "0") { $0 == 0 }
            session.finish()
        }
    }

    private static let followed = check(
        "ends up holding what was changed and inserted, and nothing that was deleted", plan
    ) { store in
        let session = try store.seeded(seeded.count)
        let merged = try session.merge(plan)
        let ordinals = plan.writers.joined().flatMap { Array($0.changes) + Array($0.inserts) }
        try session.expectHeld(merged, "the merging context holds", store.expected(ordinals, changing: change))
        session.finish()
    }

    private static let oneKind: ConformanceCheck = {
        let saves = [
            MergePlan.Save(inserts: 1_000..<1_003, changes: 0..<0, deletes: 0..<0),
            MergePlan.Save(inserts: 0..<0, changes: 0..<2, deletes: 0..<0),
            MergePlan.Save(inserts: 0..<0, changes: 0..<0, deletes: 5..<6),
        ]
        let plan = MergePlan(set: Self.plan.set, writers: [saves])
        return check("inserts alone, changes alone and deletes alone", plan) { store in
            let session = try store.seeded(seeded.count)
            let merged = try session.merge(plan)
            try expectEqual(merged.count, 5, "the merging context holds this number of records:")
            try expectEqual(session.scanned().count, 1_002, "the store holds this number of records:")
            session.finish()
        }
    }()

    private static let insertsAlone: ConformanceCheck = {
        let save = MergePlan.Save(inserts: 1_000..<1_010, changes: 0..<0, deletes: 0..<0)
        let plan = MergePlan(set: [], writers: [[save]])
        return check("needs to be told what to set only when something is changed", plan) { store in
            let session = try store.seeded(seeded.count)
            let merged = try session.merge(plan)
            try expectEqual(merged.count, 10, "the merging context holds this number of records:")
            session.finish()
        }
    }()

    @Sendable private static func change(_ ordinal: Int, _ values: inout [FieldValue]) {
        if plan.writers.joined().contains(where: { $0.changes.contains(ordinal) }) { values[2] = .bool(true) }
    }
}

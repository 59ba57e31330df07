import BenchHarness

/// Complete loads on a small scale: the harness itself proves that nothing was lost.
enum LoadChecks {
    static let all =
        [mixed(.numbered), mixed(.listedNumbered), paced, headed]
        + [EntitySpec.numbered, .listedNumbered].flatMap { entity in
            SaveSpec.Mode.allCases.map { contended($0, entity) }
        }
        + ConflictPolicy.allCases.map(settled)

    private static func check(
        _ behaviour: String, _ variant: String? = nil, entity: EntitySpec = .numbered, _ work: LoadWork,
        body: @escaping @Sendable (PhaseReport) throws -> Void
    ) -> ConformanceCheck {
        ConformanceCheck("loads", behaviour, variant, entity: entity, needs: [.load(work)]) { store in
            let report = try store.report(on: work)
            try expect(
                report.row.status == .ok, "the load is \(report.row.status): \(report.row.error); expected ok")
            try body(report)
        }
    }

    private static func mixed(_ entity: EntitySpec) -> ConformanceCheck {
        let operations: [OperationKind: Double] = [
            .read: 3, .update: 3, .insert: 2, .scan: 1, .readModifyWrite: 2, .delete: 1,
        ]
        let mix = MixSpec(operations: operations, keys: .hotSet(records: 5, share: 0.5), scanLengthMax: 10)
        let work = LoadWork(source: .mix(mix), workers: 3, pace: PaceSpec(operations: 400))
        return check(
            "does every operation of a mix, and loses nothing", entity.references.map { _ in "with a relationship" },
            entity: entity,
            work
        ) { report in
            try expectEqual(report.row.operations, 400, "the operations done are")
            try expectEqual(report.row.errors, 0, "the operations that failed are")
            try expectEqual(report.operationKinds, Set(OperationKind.single), "the kinds of operation done are")
        }
    }

    private static let paced: ConformanceCheck = {
        let pace = PaceSpec(
            durationSeconds: 0.4, rate: RateSpec(perSecond: 100, arrivals: .poisson), sampleSeconds: 0.1)
        let work = LoadWork(
            source: .mix(MixSpec(operations: [.read: 1])), workers: 2, pace: pace,
            limits: ["read": LimitSpec(milliseconds: ["p99_ms": 60_000], errors: 0)])
        return check("keeps to a rate, in time and with samples", nil, work) { report in
            let row = report.row
            try expectEqual(row.limits, "met", "the limits are")
            let done = row.operations ?? 0
            try expect((10...90).contains(done), "\(done) operations were done; expected 10 to 90")
            try expectEqual(row.ratePerSecond, 100, "the rate per second is")
            try expectEqual(row.dropped, 0, "the operations dropped are")
        }
    }()

    private static func saves(_ mode: SaveSpec.Mode) -> LoadWork.Source {
        .saves(
            SaveSpec(
                mode: mode, insertsPerSave: 2, changesPerSave: 6, deletesPerSave: 1,
                set: [
                    AttributeChange(attribute: "done", operation: .toggle),
                    AttributeChange(attribute: "score", operation: .add(1)),
                ],
                contention: 0.5, hotRecords: 8, windowRecords: 100,
                sort: [SortSpec(key: "score", ascending: false), SortSpec(key: "number")]))
    }

    /// Checks contended saves: scores count every save, so one that overwrites another's leaves one too few.
    private static func contended(_ mode: SaveSpec.Mode, _ entity: EntitySpec) -> ConformanceCheck {
        let work = LoadWork(source: saves(mode), workers: 4, pace: PaceSpec(operations: 120))
        let variant = mode.rawValue + (entity.references == nil ? "" : ", with a relationship")
        return check("counts every one of the saves that meet", variant, entity: entity, work) { report in
            try expectEqual(report.row.operations, 120, "the saves done are")
        }
    }

    /// A window at the head of a feed: each save adds records there, and deletes some of those that it added.
    private static let headed: ConformanceCheck = {
        let spec = SaveSpec(
            mode: .controller, insertsPerSave: 3, changesPerSave: 2, deletesPerSave: 2,
            set: [AttributeChange(attribute: "score", operation: .add(1))], windowRecords: 20, window: .head,
            sort: [SortSpec(key: "number", ascending: false)])
        let work = LoadWork(source: .saves(spec), workers: 3, pace: PaceSpec(operations: 60))
        return check("shows the head of a feed after every save", nil, work) { report in
            try expectEqual(report.row.operations, 60, "the saves done are")
        }
    }()

    private static func settled(_ policy: ConflictPolicy) -> ConformanceCheck {
        let work = LoadWork(source: saves(.unobserved), workers: 4, pace: PaceSpec(operations: 120), policy: policy)
        return check("settles conflicts by the policy", policy.rawValue, work) { _ in }
    }
}

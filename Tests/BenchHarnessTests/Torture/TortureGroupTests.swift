import Testing

@testable import BenchHarness

@Suite struct TortureGroupTests {
    private func scenario(_ works: [LoadWork]) -> Scenario {
        Scenario(
            name: "s", records: 10, entity: EntitySpec(name: "Item", attributes: []),
            phases: [Phase(name: "seed", from: .empty, work: .seed(SeedWork()))]
                + works.enumerated().map { Phase(name: "\($0)", from: .seeded, work: .load($1)) })
    }

    private func mix(_ kind: OperationKind, _ policy: ConflictPolicy = .error) -> LoadWork {
        LoadWork(source: .mix(MixSpec(operations: [kind: 1])), workers: 1, pace: PaceSpec(), policy: policy)
    }

    private let saves = LoadWork(
        source: .saves(
            SaveSpec(mode: .notifications, insertsPerSave: 1, changesPerSave: 0, deletesPerSave: 0, set: [])),
        workers: 1, pace: PaceSpec())

    @Test func phasesThatOneLedgerCanTellShareAStore() {
        let groups = TortureGroup.all(of: scenario([mix(.update), saves, mix(.insert), mix(.delete, .overwrite)]))
        #expect(groups.map(\.phases) == [[1, 3], [2], [4]])
    }

    @Test func phasesAboutDifferentEntitiesHaveStoresOfTheirOwn() {
        var scenario = scenario([mix(.update), mix(.update), mix(.insert)])
        scenario.entities.append(EntitySpec(name: "Other", attributes: [], records: 3))
        scenario.phases[2].entity = "Other"
        #expect(TortureGroup.all(of: scenario).map(\.phases) == [[1, 3], [2]])
    }

    @Test func phasesThatDoNotWriteAreLeftOut() {
        let scenario = scenario([mix(.read), mix(.update), mix(.scan)])
        #expect(TortureRequest.phases(of: scenario).map(\.name) == ["1"])
    }
}

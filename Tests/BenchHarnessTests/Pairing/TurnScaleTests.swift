import Testing

@testable import BenchHarness

@Suite struct TurnScaleTests {
    private var scenario: Scenario {
        var scenario = FakeDriver.scenario
        scenario.records = 1_000_000
        return scenario
    }

    @Test(arguments: [50.0, 400, 4_000])
    func aTurnTakesAboutTwelveMilliseconds(nanosecondsPerRecord: Double) {
        let fitted = TurnScale(scenario, phases: 0..<3).fit { Double($0.records) * nanosecondsPerRecord }
        let time = Double(fitted.records) * nanosecondsPerRecord
        #expect((5e6...20e6).contains(time), "\(fitted.records) records take \(time) ns")
    }

    @Test func aTurnOfSeveralThreadsTakesLonger() {
        var concurrent = scenario
        concurrent.phases[0].work = .fetch(FetchWork(mode: .async))
        let alone = TurnScale(scenario, phases: 0..<1)
        let together = TurnScale(concurrent, phases: 0..<1)
        #expect(together.target > alone.target && together.target <= 20e6)
        let fitted = together.fit { Double($0.records) * 1_000 }
        #expect((15_000...27_000).contains(fitted.records), "\(fitted.records)")
    }

    @Test func aScenarioIsNeverMadeLarger() {
        var small = scenario
        small.records = 500
        #expect(TurnScale(small, phases: 0..<3).fit { _ in 1 }.records == 500)
    }

    @Test func whatDoesNotDependOnTheRecordsEndsSomewhere() {
        #expect(TurnScale(scenario, phases: 0..<3).fit { _ in 1e9 }.records == 100)
    }

    @Test func recordsThatShallStayDoStay() {
        let fitted = TurnScale(scenario, phases: 0..<3, keepsRecords: true).fit { _ in
            Issue.record("there is nothing to fit")
            return 1
        }
        #expect(fitted == scenario)
    }

    /// A load at a rate, for some seconds.
    private func scenario(_ pace: PaceSpec, limits: [String: LimitSpec] = [:]) -> Scenario {
        var scenario = scenario
        let load = LoadWork(
            source: .mix(MixSpec(operations: [.read: 1], keys: .hotSet(records: 1_000, share: 0.5))), workers: 4,
            pace: pace, limits: limits, abortsEarly: true)
        scenario.phases = [Phase(name: "load", from: .seeded, work: .load(load))]
        return scenario
    }

    private func load(_ scenario: Scenario) throws -> LoadWork {
        guard let work = scenario.phases[0].work.as(LoadWork.self) else { throw FakeError("no load") }
        return work
    }

    @Test(arguments: [false, true])
    func loadIsCutToOperationsOnAStoreOfManyRecords(keepsRecords: Bool) throws {
        let pace = PaceSpec(durationSeconds: 3, rate: RateSpec(perSecond: 100), sampleSeconds: 0.01)
        let limits = ["read": LimitSpec(milliseconds: ["p99_ms": 1], errors: 3)]
        let scale = TurnScale(scenario(pace, limits: limits), phases: 0..<1, keepsRecords: keepsRecords)
        let fitted = try scale.fit { Double(try load($0).pace.operations ?? 0) * 40_000 }
        let work = try load(fitted)
        #expect(fitted.records == (keepsRecords ? 1_000_000 : TurnScale.recordsOfCutPhases))
        #expect((400...600).contains(work.pace.operations ?? 0))
        #expect(work.pace.rate == nil && work.pace.durationSeconds == nil && work.pace.sampleSeconds > 60)
        #expect(work.workers == 4 && !work.abortsEarly && work.limits == ["read": LimitSpec(errors: 3)])
        #expect(work.source == (try load(scenario(pace).scaled(by: Double(fitted.records) / 1e6)).source))
    }

    @Test func loadIsNeverCutToMoreOperationsThanItHas() throws {
        let scale = TurnScale(scenario(PaceSpec(operations: 5_000)), phases: 0..<1, keepsRecords: true)
        let fitted = try scale.fit { Double(try load($0).pace.operations ?? 0) * 10 }
        #expect(try load(fitted).pace.operations == 5_000)
    }

    @Test func loadAfterAnotherPhaseIsCutByTheRecordsOfBoth() throws {
        var scenario = scenario(PaceSpec(operations: 500_000))
        scenario.phases.append(Phase(name: "checkpoint", from: .previous, work: .checkpoint))
        let fitted = TurnScale(scenario, phases: 0..<2).fit { Double($0.records) * 4_000 }
        #expect((4_000...6_000).contains(fitted.records))
        #expect(try load(fitted).pace.operations == fitted.records / 2)
    }
}

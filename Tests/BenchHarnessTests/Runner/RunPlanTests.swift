import Testing

@testable import BenchHarness

extension RunPlan {
    fileprivate var steps: [Step] { rounds.flatMap(\.self) }
}

@Suite struct RunPlanTests {
    private var scenario: Scenario {
        var scenario = FakeDriver.scenario
        (scenario.repetitions, scenario.warmups) = (20, 1)
        return scenario
    }
    private let drivers = ["a", "b", "c"]

    @Test func everyDriverRunsOnceInEachRound() {
        let plan = RunPlan(scenario: scenario, drivers: drivers)
        for round in 0...20 {
            let names = plan.steps[round * 3..<round * 3 + 3].map(\.driver)
            #expect(names.sorted() == drivers)
            #expect(plan.steps[round * 3].repetition == round)
        }
    }

    @Test func driversRunEachStretchOfPhasesRightAfterOneAnother() {
        var scenario = scenario
        scenario.isolation = .process
        let steps = RunPlan(scenario: scenario, drivers: drivers).steps
        #expect(scenario.stretches == [0..<1, 1..<3])
        var orders: Set<[String]> = []
        for round in 0...20 {
            let own = steps[round * 6..<round * 6 + 6]
            #expect(own.allSatisfy { $0.repetition == round })
            #expect(own.map(\.phases) == [0..<1, 0..<1, 0..<1, 1..<3, 1..<3, 1..<3])
            let groups = [own.prefix(3), own.suffix(3)].map { $0.map(\.driver) }
            #expect(groups.allSatisfy { $0.sorted() == drivers })
            orders.formUnion(groups)
        }
        #expect(orders.count == 6)
    }

    @Test func withoutIsolationADriverRunsAllPhasesBeforeTheNext() {
        let steps = RunPlan(scenario: scenario, drivers: drivers).steps
        #expect(steps.count == 21 * 3 && steps.allSatisfy { $0.phases == 0..<3 })
    }

    @Test func everyDriverRunsOnceAtEachSizeRightAfterTheOthersOfThatSize() {
        var scenario = scenario
        scenario.sizes = [10, 20, 30]
        let steps = RunPlan(scenario: scenario, drivers: drivers).steps
        var orders: Set<[Int]> = []
        for round in 0...20 {
            let own = steps[round * 9..<round * 9 + 9]
            #expect(own.allSatisfy { $0.repetition == round })
            let groups = stride(from: 0, to: 9, by: 3).map { Array(own.dropFirst($0).prefix(3)) }
            #expect(groups.allSatisfy { Set($0.map(\.records)).count == 1 && $0.map(\.driver).sorted() == drivers })
            orders.insert(groups.map { $0[0].records })
            #expect(groups.map { $0[0].records }.sorted() == [10, 20, 30])
        }
        #expect(orders.count == 6)
    }

    @Test func theVariantsOfAStretchRunRightAfterOneAnotherAndAllElseRunsOnce() {
        var scenario = scenario
        scenario.isolation = .process
        let plain = scenario
        scenario.variants = ["1", "2", "3"].map { value in
            let setting = SweptSetting(path: ["phases", "fetch", "limit"], phase: 1, value: value)
            return ScenarioVariant(settings: [setting], scenario: plain)
        }
        let steps = RunPlan(scenario: scenario, drivers: drivers).steps
        var orders: Set<[Int]> = []
        for round in 0...20 {
            let own = steps[round * 12..<round * 12 + 12]
            #expect(own.allSatisfy { $0.repetition == round })
            #expect(own.prefix(3).allSatisfy { $0.phases == 0..<1 && $0.variant == 0 })
            #expect(own.dropFirst(3).allSatisfy { $0.phases == 1..<3 })
            let groups = stride(from: 3, to: 12, by: 3).map { Array(own.dropFirst($0).prefix(3)) }
            #expect(groups.allSatisfy { Set($0.map(\.variant)).count == 1 && $0.map(\.driver).sorted() == drivers })
            orders.insert(groups.map { $0[0].variant })
            #expect(groups.map { $0[0].variant }.sorted() == [0, 1, 2])
        }
        #expect(orders.count == 6)
    }

    @Test func orderIsDrawnAnewForEachRoundAndTheSameForASeed() {
        let plan = RunPlan(scenario: scenario, drivers: drivers)
        #expect(plan == RunPlan(scenario: scenario, drivers: drivers))
        #expect(Set((0...20).map { plan.steps[$0 * 3].driver }).count == 3)
    }

    @Test func phasesThatGoOnFromOneAnotherShareAProcessAndOthersDoNot() {
        var scenario = scenario
        let origins: [Phase.Origin] = [.empty, .previous, .seeded, .seeded, .previous, .previous]
        scenario.phases = origins.map { Phase(name: "\($0)", from: $0, work: .checkpoint) }
        scenario.isolation = .process
        #expect(scenario.stretches == [0..<2, 2..<3, 3..<6])
        scenario.isolation = .none
        #expect(scenario.stretches == [0..<6])
    }

    @Test func chosenPhasesRunWithThoseThatTheyGoOnFrom() {
        var scenario = scenario
        let origins: [Phase.Origin] = [.empty, .previous, .seeded, .seeded, .previous, .previous]
        scenario.phases = origins.enumerated().map { Phase(name: "\($0)", from: $1, work: .checkpoint) }
        func phases(_ names: Set<String>, _ isolation: Isolation = .process) -> [Range<Int>] {
            scenario.isolation = isolation
            return RunPlan(scenario: scenario, drivers: ["a"], phases: names).rounds[0].map(\.phases)
        }
        #expect(phases([]) == [0..<2, 2..<3, 3..<6])
        #expect(phases(["0", "4"]) == [0..<1, 3..<5])
        #expect(phases(["2"]) == [2..<3] && phases(["5"]) == [3..<6])
        #expect(phases(["2"], .none) == [0..<3])
    }
}

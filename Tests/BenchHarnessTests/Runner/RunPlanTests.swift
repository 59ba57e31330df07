import Testing

@testable import BenchHarness

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
}

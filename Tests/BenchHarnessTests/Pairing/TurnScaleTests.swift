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
        let fitted = TurnScale.fit(scenario) { Double($0.records) * nanosecondsPerRecord }
        let time = Double(fitted.records) * nanosecondsPerRecord
        #expect((5e6...20e6).contains(time), "\(fitted.records) records take \(time) ns")
    }

    @Test func aScenarioIsNeverMadeLarger() {
        var small = scenario
        small.records = 500
        #expect(TurnScale.fit(small) { _ in 1 }.records == 500)
    }

    @Test func whatDoesNotDependOnTheRecordsEndsSomewhere() {
        #expect(TurnScale.fit(scenario) { _ in 1e9 }.records == 100)
    }
}

import Foundation
import Testing

@testable import BenchHarness

/// What a run says beforehand of the space and time that it takes.
@Suite struct RunEstimateTests {
    @Test func driversSizesAndSeededStoresAddUp() throws {
        var scenario = FakeDriver.scenario
        let folder = URL(fileURLWithPath: "/nowhere")
        func bytes(_ drivers: Int) -> Double {
            let drivers = (0..<drivers).map { _ in FakeDriver() }
            return RunEstimate(
                RunRequest(scenario: scenario, drivers: drivers, output: folder, storeParent: folder)
            ).diskBytes
        }
        #expect(bytes(3) - bytes(2) == bytes(2) - bytes(1))
        let (one, two) = (bytes(1), bytes(2))
        scenario.sizes = [scenario.records, scenario.records]
        #expect(bytes(2) - bytes(1) == 2 * (two - one))
        #expect(bytes(1) > one)
    }

    @Test func variantsTakeTimeAndThoseOfTheStoreTakeSpace() {
        let folder = URL(fileURLWithPath: "/nowhere")
        func estimate(_ path: [String], phase: Int?) -> RunEstimate {
            var scenario = FakeDriver.scenario
            scenario.isolation = .process
            let plain = scenario
            scenario.variants = ["1", "2"].map { value in
                let setting = SweptSetting(path: path, phase: phase, value: value)
                return ScenarioVariant(settings: [setting], scenario: plain)
            }
            scenario.repetitions = 100
            return RunEstimate(
                RunRequest(scenario: scenario, drivers: [FakeDriver()], output: folder, storeParent: folder))
        }
        let (ofPhase, ofStore) = (
            estimate(["phases", "fetch", "limit"], phase: 1), estimate(["store", "x"], phase: nil)
        )
        #expect(ofStore.diskBytes > ofPhase.diskBytes && ofStore.seconds > ofPhase.seconds)
    }

    @Test(arguments: [(3.0, "some seconds"), (60, "a minute"), (125, "2 minutes"), (8_000, "2 hours")])
    func timesAreRough(seconds: Double, words: String) { #expect(RunEstimate.words(seconds) == words) }

    @Test func aBudgetBoundsTheTime() {
        var scenario = FakeDriver.scenario
        scenario.repetitions = 1_000
        let folder = URL(fileURLWithPath: "/nowhere")
        var request = RunRequest(
            scenario: scenario, drivers: [FakeDriver()], output: folder, storeParent: folder)
        let all = RunEstimate(request).seconds
        #expect(all > 100)
        request.stopping = StoppingRule(budgetSeconds: 60)
        #expect(RunEstimate(request).seconds == 60)
        request.stopping = nil
        request.phases = ["seed"]
        #expect(RunEstimate(request).seconds < all)
    }
}

import Foundation
import TestSupport
import Testing

@testable import BenchHarness
@testable import BenchPower

/// Simulations of `bench ab`.
@Suite struct PairedPowerTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func turns(
        _ name: String, change: Double = 0, seed: UInt64 = 1, scenario: Scenario = FakeDriver.scenario
    ) throws -> URL {
        let url = folder.file(name)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try PairedFixture.outcome(change: change, seed: seed, id: name, scenario: scenario).write(to: url)
        return url.appendingPathComponent("turns.csv")
    }

    private func power(_ turns: [URL], noisePercent: Double? = nil) throws -> PairedPower.Curve {
        var settings = PowerSettings()
        (settings.launches, settings.slowdownsPercent, settings.noisePercent) = ([24], [3, 10], noisePercent)
        (settings.comparisons, settings.comparisonsPerSlowdown) = (300, 200)
        let power = try PairedPower(turns: turns, options: ComparisonOptions(), settings: settings)
        return try #require(power.curves.first)
    }

    @Test func aRunWithLittleNoiseCatchesThreePercentAndShowsWhatIsUnchanged() throws {
        let curve = try power([turns("a")], noisePercent: 1)
        #expect(curve.falseAlarms <= 0.02)
        #expect(curve.unchanged > 0.9)
        #expect(curve.points[0].caught > 0.9)
        #expect(curve.points[1].caught == 1 && curve.points[1].launches < curve.points[0].launches)
    }

    /// A change of the recorded run itself is no noise.
    @Test func theMeanOfARunIsNoNoise() throws {
        #expect(try power([turns("a", change: 0.05)]).falseAlarms <= 0.02)
    }

    @Test func theDifferenceBetweenRunsIsNoise() throws {
        let curve = try power([turns("a"), turns("b", change: 0.08, seed: 2)])
        #expect(curve.falseAlarms > 0.2)
    }

    @Test func theSameRunTwiceIsRefused() throws {
        let own = try turns("a")
        let error = #expect(throws: RunError.self) { try power([own, own]) }
        #expect(error?.description.contains("hold the same run a-base; leave one of them out") == true)
    }

    @Test func theTimeOfALaunchIsThatOfTheRecordedRun() throws {
        let point = try #require(try power([turns("a")]).points.first)
        #expect(point.minutes != nil)
    }

    @Test func thresholdsAreThoseOfTheRecordedScenario() throws {
        var scenario = FakeDriver.scenario
        scenario.thresholdsPercent = ["cpu": 20]
        let curve = try power([turns("a", scenario: scenario)])
        #expect(curve.unchanged == 1)
        #expect(curve.points.allSatisfy { $0.caught == 0 })
    }

    @Test func tooFewLaunchesShowNoNoise() throws {
        let url = folder.file("few")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try PairedFixture.outcome(launches: 3).write(to: url)
        #expect(throws: RunError.self) { try power([url.appendingPathComponent("turns.csv")]) }
    }
}

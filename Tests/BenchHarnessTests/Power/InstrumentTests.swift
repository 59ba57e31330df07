import Foundation
import Locking
import TestSupport
import Testing

@testable import BenchHarness
@testable import BenchPower

/// The comparison as an instrument: how often it cries wolf, and how much it misses. The whole curves are in
/// `Results/instrument`.
@Suite struct InstrumentTests {
    /// A run of a million objects, with the noise of a real machine.
    private static let recorded = Result {
        try RecordedRun(contentsOf: Repository.million)
    }

    /// Fewer where each takes ten times as long, under a sanitizer.
    private static let comparisons =
        ProcessInfo.processInfo.environment["SIMULATED_COMPARISONS"].flatMap(Int.init)
        ?? EveryTest.rounds(500, of: 2_000)

    private func analysis(
        _ repetitions: Int, slowdownsPercent: [Double] = [], comparisons: Int = 1, perSlowdown: Int = 1,
        noisePercent: Double? = nil, drivers: Set<String> = ["managed"]
    ) throws -> PowerAnalysis.Curve {
        var settings = PowerSettings()
        settings.repetitions = [repetitions]
        settings.slowdownsPercent = slowdownsPercent
        settings.comparisons = comparisons
        settings.comparisonsPerSlowdown = perSlowdown
        settings.noisePercent = noisePercent
        var options = ComparisonOptions()
        options.drivers = drivers
        let analysis = try PowerAnalysis([try Self.recorded.get()], options: options, settings: settings)
        return try #require(analysis.curves.first)
    }

    /// Beside the baseline, as results are compared.
    @Test func equalsRaiseAFalseAlarmInOnePercentOfComparisonsAtMost() throws {
        let curve = try analysis(7, comparisons: Self.comparisons, drivers: ["managed", "sqlite"])
        #expect(curve.falseAlarms <= 0.01)
    }

    @Test func aSlowdownOfTwiceTheThresholdIsCaughtAtTenRepetitionsAndOnePercentNoise() throws {
        let curve = try analysis(10, slowdownsPercent: [6], perSlowdown: 200, noisePercent: 1)
        #expect(try #require(curve.points.first).caught >= 0.95)
    }

    @Test func tooFewRepetitionsRaiseNoAlarmAndCatchNothing() throws {
        let curve = try analysis(4, slowdownsPercent: [100], comparisons: 20, perSlowdown: 20, noisePercent: 1)
        #expect(!curve.suffices && curve.falseAlarms == 0 && curve.points[0].caught == 0)
        // The curve is not simulated, because it would be this.
        let noise = try RecordedNoise([try Self.recorded.get()], ComparisonOptions(), percent: 1)
        let simulation = Simulation(noise, ComparisonOptions(), repetitions: 4, seed: 1)
        for slowdown in [0, 1.0] {
            let results = try simulation.results(of: 20, slowdown: slowdown)
            #expect(results.count == 20 && results.allSatisfy { !$0.isAlarm && !$0.isCaught && $0.unchanged == 0 })
        }
    }

    /// What takes minutes says how far it is.
    @Test func everythingThatIsSimulatedIsCounted() throws {
        var settings = PowerSettings()
        settings.repetitions = [4, 20]
        settings.slowdownsPercent = [10, 20]
        (settings.comparisons, settings.comparisonsPerSlowdown) = (4, 3)
        let seen = Locked<[[Int]]>([])
        _ = try PowerAnalysis(
            [try Self.recorded.get()], options: ComparisonOptions(), settings: settings
        ) { done, all in seen.withLock { $0.append([done, all]) } }
        #expect(seen.value.map { $0[0] }.sorted() == Array(1...10) && seen.value.allSatisfy { $0[1] == 10 })
    }

    @Test func theSameSeedSimulatesTheSame() throws {
        let curves = try (0..<2).map { _ in
            try analysis(7, slowdownsPercent: [10], comparisons: 30, perSlowdown: 30, noisePercent: 3)
        }
        #expect(curves[0].points[0].caught == curves[1].points[0].caught)
        #expect(curves[0].points[0].caught > 0)
    }

    @Test func whatDiffersBetweenRunsIsPartOfTheNoise() throws {
        // Two runs that are steady in themselves, one of them 20 % slower for no reason.
        let runs = [100.0, 120].enumerated().map { index, center in
            ComparisonFixture.phase(ComparisonFixture.steady(10, at: center, seed: UInt64(index)))
        }
        var settings = PowerSettings()
        (settings.repetitions, settings.slowdownsPercent, settings.comparisons) = (
            [10], [], EveryTest.rounds(60, of: 200)
        )
        let alone = try PowerAnalysis([runs[0]], options: ComparisonOptions(), settings: settings)
        let both = try PowerAnalysis(runs, options: ComparisonOptions(), settings: settings)
        #expect(alone.curves[0].falseAlarms < 0.02)
        #expect(both.curves[0].falseAlarms > 0.1)
    }

    /// The machine's speed varies by a fifth from repetition to repetition, for both drivers alike.
    @Test func ratiosAreDrawnFromTheSameRepetition() throws {
        var fixture = ComparisonFixture()
        let speeds = ComparisonFixture.steady(12, at: 1).map { pow($0, 20) }
        let jitter = ComparisonFixture.steady(12, at: 100, seed: 5)
        fixture.add("fetch", durationsMilliseconds: zip(speeds, jitter).map { $0 * $1 })
        fixture.add("fetch", driver: "sqlite", durationsMilliseconds: speeds.map { $0 * 50 })
        var settings = PowerSettings()
        (settings.repetitions, settings.slowdownsPercent, settings.comparisons) = ([10], [10], 100)
        settings.comparisonsPerSlowdown = 100
        var options = ComparisonOptions()
        options.drivers = ["managed"]
        let absolute = try PowerAnalysis([fixture.run], options: options, settings: settings)
        options.relation = .relative(to: "sqlite")
        let relative = try PowerAnalysis([fixture.run], options: options, settings: settings)
        #expect(relative.relativeTo == "sqlite" && relative.figures == 2)
        #expect(absolute.curves[0].points[0].caught < 0.3)
        #expect(relative.curves[0].points[0].caught > 0.9)
        #expect(relative.curves[0].unchanged > absolute.curves[0].unchanged)
        options.relation = .relative(to: "grdb")
        #expect(throws: RunError.self) {
            try PowerAnalysis([fixture.run], options: options, settings: settings)
        }
    }

    /// A comparison takes a change of the baseline driver for one of the machine, and calls nothing regressed.
    @Test func theBaselineDriverIsNotSlowedBesideOthers() throws {
        var fixture = ComparisonFixture()
        fixture.add("fetch", durationsMilliseconds: ComparisonFixture.steady(12, at: 100, seed: 5))
        fixture.add("fetch", driver: "sqlite", durationsMilliseconds: ComparisonFixture.steady(12, at: 50, seed: 6))
        var settings = PowerSettings()
        (settings.repetitions, settings.slowdownsPercent, settings.comparisons) = ([10], [50], 1)
        settings.comparisonsPerSlowdown = 40
        let analysis = try PowerAnalysis([fixture.run], options: ComparisonOptions(), settings: settings)
        #expect(analysis.curves[0].points[0].caught == 1)
    }

    @Test func aSingleRepetitionHasNoNoiseToLearnFrom() {
        #expect(throws: RunError.self) {
            try PowerAnalysis(
                [ComparisonFixture.phase([100])], options: ComparisonOptions(), settings: PowerSettings())
        }
    }
}

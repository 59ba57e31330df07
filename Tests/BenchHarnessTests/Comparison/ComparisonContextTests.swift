import Foundation
import TestSupport
import Testing

@testable import BenchHarness

/// Machines, scenarios, thresholds and noise: what surrounds the figures.
@Suite struct ComparisonContextTests {
    private func run(
        _ manifest: Manifest?, managed: Double = 100, sqlite: Double? = 50, name: String = "made-up.csv"
    ) -> RecordedRun {
        var fixture = ComparisonFixture(name: name)
        fixture.manifest = manifest
        // The machine's speed differs from repetition to repetition, for both drivers alike.
        let speeds = ComparisonFixture.steady(10, at: 1, seed: UInt64(managed))
        let jitter = ComparisonFixture.steady(10, at: 1, seed: UInt64(managed) + 1)
        fixture.add("fetch", durationsMilliseconds: zip(speeds, jitter).map { managed * $0 * $1 })
        if let sqlite { fixture.add("fetch", driver: "sqlite", durationsMilliseconds: speeds.map { $0 * sqlite }) }
        return fixture.run
    }

    private let here = ComparisonFixture.manifest()
    private let there = ComparisonFixture.manifest(host: ComparisonFixture.host(cpu: "B"))

    /// The other repetitions alone would look as they did before.
    @Test func aPercentileWithoutABoundIsNotJudgedByTheOtherRepetitions() throws {
        let load = { (row: inout ResultRow) in
            (row.kind, row.mode, row.latencyP99, row.errors) = ("mixed", "", 5_000_000 + row.repetition, 0)
        }
        let base = ComparisonFixture.phase(ComparisonFixture.steady(10), change: load)
        let new = ComparisonFixture.phase(ComparisonFixture.steady(10)) {
            load(&$0)
            if $0.repetition > 8 { ($0.latencyP99, $0.errors) = (nil, 50) }
        }
        var options = ComparisonOptions()
        options.moreMetrics = ["latency_p99"]
        let judgement = try Comparison(base: [base], new: [new], options: options).judgement("latency_p99")
        #expect(judgement?.verdict == .insufficientData)
        #expect(
            judgement?.reason.contains("without a bound in 0 repetitions of the base and 2 of the new runs") == true)
        #expect(
            try Comparison(base: [base], new: [base], options: options).judgement("latency_p99")?.verdict
                == .unchanged)
    }

    @Test func aSideThatDoesNotTellItsSettingsIsNoted() throws {
        let told = ComparisonFixture.phase(ComparisonFixture.steady(10)) { $0.keepsSettings = true }
        let silent = ComparisonFixture.phase(ComparisonFixture.steady(10), driver: "managed")
        let note = "nothing shows that managed worked with the settings of the scenario"
        #expect(try Comparison(base: [told], new: [silent]).notes.contains("new: \(note)"))
        #expect(try Comparison(base: [silent], new: [told]).notes.contains("base: \(note)"))
    }

    @Test func anotherMachineIsComparedByTheRatioToTheBaseline() throws {
        // Twice as fast a machine, on which the ratio is the same.
        let comparison = try Comparison(base: [run(here)], new: [run(there, managed: 50, sqlite: 25)])
        #expect(comparison.baseline == "sqlite")
        #expect(comparison.notes.contains("the machines differ: A and B"))
        #expect(comparison.judgement("duration")?.verdict == .unchanged)
        #expect(comparison.judgement("duration", driver: "sqlite")?.verdict == .notJudged)
        #expect(comparison.testCount == 2)
    }

    @Test func onAnotherMachineStoresOnAServerAreComparedByTheirOwnBaseline() throws {
        let drivers = ["managed": "managed-postgres", "sqlite": "postgres"]
        let moved = { (run: RecordedRun) in
            let rows = run.rows.map { row in
                var row = row
                row.driver = drivers[row.driver] ?? row.driver
                return row
            }
            return RecordedRun(url: run.url, rows: rows, manifest: run.manifest)
        }
        let comparison = try Comparison(
            base: [moved(run(here))], new: [moved(run(there, managed: 50, sqlite: 25))])
        #expect(comparison.baseline == "postgres")
        #expect(comparison.judgement("duration", driver: "managed-postgres")?.verdict == .unchanged)
        #expect(comparison.judgement("duration", driver: "postgres")?.verdict == .notJudged)
        let busy = try Comparison(base: [moved(run(here))], new: [moved(run(here, managed: 121, sqlite: 60))])
        #expect(busy.notes.contains { $0.contains("postgres, the baseline driver, itself changed by +") })
    }

    @Test func theSameMachineIsComparedByTimesUnlessAskedOtherwise() throws {
        var options = ComparisonOptions()
        let runs = (base: run(here), new: run(here, managed: 120, sqlite: 60))
        let absolute = try Comparison(base: [runs.base], new: [runs.new])
        #expect(absolute.baseline == nil)
        #expect(try abs(#require(absolute.judgement("duration")?.ratio) - 1.2) < 0.02)
        options.relation = .relative(to: "sqlite")
        let relative = try Comparison(base: [runs.base], new: [runs.new], options: options)
        #expect(relative.judgement("duration")?.verdict == .unchanged)
    }

    @Test func aBaselineThatGotSlowerTellsOfTheMachine() throws {
        let isSaid = { (comparison: Comparison) in
            comparison.notes.contains { $0.contains("the baseline driver, itself changed by +") }
        }
        let (base, busy) = (run(here), run(here, managed: 121, sqlite: 60))
        #expect(try isSaid(Comparison(base: [base], new: [busy])))
        #expect(try !isSaid(Comparison(base: [base], new: [run(here, managed: 120, sqlite: 50)])))
        var options = ComparisonOptions()
        options.relation = .relative(to: "sqlite")
        #expect(try !isSaid(Comparison(base: [base], new: [busy], options: options)))
    }

    @Test func differentMachinesWithoutABaselineAreRefused() throws {
        let runs = (base: run(here, sqlite: nil), new: run(there, sqlite: nil))
        let error = #expect(throws: RunError.self) { try Comparison(base: [runs.base], new: [runs.new]) }
        #expect(error?.description.contains("--absolute") == true)
        var options = ComparisonOptions()
        options.relation = .absolute
        #expect(throws: Never.self) { try Comparison(base: [runs.base], new: [runs.new], options: options) }
    }

    @Test func aFileWithoutRowsIsNamed() {
        let empty = RecordedRun(url: URL(fileURLWithPath: "/x/empty.csv"), rows: [], manifest: here)
        let error = #expect(throws: RunError.self) { try Comparison(base: [run(here)], new: [empty]) }
        #expect(error?.description.hasSuffix("empty.csv: no rows; expected the results of a run") == true)
    }

    @Test func anUnknownBaselineIsNamed() {
        var options = ComparisonOptions()
        options.relation = .relative(to: "grdb")
        let error = #expect(throws: RunError.self) {
            try Comparison(base: [run(here)], new: [run(here, managed: 101)], options: options)
        }
        #expect(error?.description.contains("its drivers are managed, sqlite") == true)
    }

    @Test func ratiosToAnotherRevisionOfTheBaselineAreRefused() {
        let renewed = ComparisonFixture.manifest(host: ComparisonFixture.host(cpu: "B"), baselineRevision: "2")
        let error = #expect(throws: RunError.self) {
            try Comparison(base: [run(here)], new: [run(renewed, managed: 101)])
        }
        #expect(error?.description.contains("measure the base anew") == true)
    }

    @Test func aMissingManifestIsSaid() throws {
        let comparison = try Comparison(base: [run(nil, name: "old.csv")], new: [run(here, managed: 101)])
        #expect(comparison.notes.contains { $0.contains("no manifest beside old.csv") })
    }

    @Test func differentScenariosAreRefusedUnlessAllowed() throws {
        var scaled = FakeDriver.scenario
        scaled.records = 20
        let other = ComparisonFixture.manifest(scenario: scaled)
        let error = #expect(throws: RunError.self) {
            try Comparison(base: [run(here)], new: [run(other, managed: 101)])
        }
        #expect(error?.description.contains("10 and 20 records") == true)
        var options = ComparisonOptions()
        options.allowsDifferentScenarios = true
        #expect(throws: Never.self) {
            try Comparison(base: [run(here)], new: [run(other, managed: 101)], options: options)
        }
    }

    @Test func moreRepetitionsAreTheSameScenario() {
        var longer = FakeDriver.scenario
        longer.repetitions = 50
        longer.warmups = 2
        longer.summary = "reworded"
        #expect(ScenarioMatch.difference(FakeDriver.scenario, longer) == nil)
    }

    @Test func anyOtherEntityAnotherEntityOfAPhaseAndAnotherFileAreAnotherScenario() throws {
        var one = FakeDriver.scenario
        one.entities.append(one.entity)
        var other = one
        other.entities[1].name = "Other"
        #expect(ScenarioMatch.difference(one, other) == "the entities differ")
        other = one
        other.phases[1].entity = "Other"
        #expect(ScenarioMatch.difference(one, other) == "the phase \(one.phases[1].name) differs")
        (one.phases[1].file, other) = ("/here/a.store", one)
        other.phases[1].file = "/there/b.store"
        #expect(ScenarioMatch.difference(one, other) == "the phase \(one.phases[1].name) differs")
        other.phases[1].file = "/there/a.store"
        #expect(ScenarioMatch.difference(one, other) == nil)
    }

    @Test func aRecordOfNoiseOfAnotherMachineOrScenarioIsRefused() throws {
        let record = try NoiseRecord([run(here), run(here, managed: 101)])
        #expect(throws: Never.self) { try record.check([run(here), run(nil)]) }
        let elsewhere = #expect(throws: RunError.self) { try record.check([run(here), run(there)]) }
        #expect(elsewhere?.description.contains("A and B; record it anew") == true)
        var scaled = FakeDriver.scenario
        scaled.records = 20
        let larger = run(ComparisonFixture.manifest(scenario: scaled))
        let error = #expect(throws: RunError.self) { try record.check([larger]) }
        #expect(error?.description.contains("10 and 20 records") == true)
    }

    @Test func otherSizesAreAnotherScenario() {
        var (one, other) = (FakeDriver.scenario, FakeDriver.scenario)
        (one.sizes, other.sizes) = ([5, 10], [6, 10])
        #expect(ScenarioMatch.difference(one, other) == "the numbers of records differ")
    }

    @Test func theNearestWordOnAThresholdCounts() throws {
        var scenario = FakeDriver.scenario
        scenario.thresholdsPercent = ["duration": 7, "rss_peak": 8]
        scenario.phases[1].thresholdsPercent = ["duration": 9]
        let of = { (overrides: [String: Double], metric: String, phase: String) in
            ComparisonThresholds(overrides: overrides, scenario: scenario)
                .share(Metric.named(metric)!, phase: phase)
        }
        #expect(of([:], "duration", "fetch") == 0.09)
        #expect(of([:], "duration", "seed") == 0.07)
        #expect(of([:], "duration", "fetch@10000") == 0.09)
        #expect(of([:], "rss_peak", "fetch") == 0.08)
        #expect(of([:], "vm_steps", "fetch") == 0)
        #expect(of(["duration": 0.5], "duration", "fetch") == 0.5)
    }

    /// Nor is it shown to be unchanged, beyond the threshold as it is.
    @Test func aChangeWithinTheRecordedNoiseIsNoRegression() throws {
        let runs = (base: run(here, sqlite: nil), new: run(here, managed: 106, sqlite: nil))
        #expect(try Comparison(base: [runs.base], new: [runs.new]).judgement("duration")?.verdict == .regressed)
        let noise = try NoiseRecord([run(here, sqlite: nil), run(here, managed: 110, sqlite: nil)])
        let comparison = try Comparison(base: [runs.base], new: [runs.new], noise: noise)
        let judgement = try #require(comparison.judgement("duration"))
        #expect(try #require(judgement.noiseFloor) > 0.06)
        #expect(judgement.verdict == .inconclusive)
        #expect(judgement.reason.hasPrefix("within the recorded noise of"), "\(judgement.reason)")
    }

    @Test func noiseIsFoundBesideTheResultsAndOnlyForItsMachineAndScenario() throws {
        let folder = try TemporaryDirectory()
        let noise = try NoiseRecord([run(here), run(here, managed: 110)])
        try noise.write(to: folder.file(NoiseRecord.fileName("fake")))
        let found = try NoiseRecord.find(for: [run(here)], in: [folder.url])
        #expect(found?.floors == noise.floors)
        #expect(try NoiseRecord.find(for: [run(there)], in: [folder.url]) == nil)
        #expect(try NoiseRecord.find(for: [run(nil)], in: [folder.url]) == nil)
        try folder.write("{}", to: NoiseRecord.fileName("fake"))
        #expect(throws: RunError.self) { try NoiseRecord.find(for: [run(here)], in: [folder.url]) }
    }
}

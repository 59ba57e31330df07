import Testing

@testable import BenchHarness
@testable import BenchPower

/// Which times a comparison judges without being asked.
@Suite struct JudgedTimesTests {
    /// A run whose repetitions have `share` times as much CPU time as they take.
    private func run(
        _ share: Double?, seed: UInt64, factor: Double = 1, change: @escaping (inout ResultRow) -> Void = { _ in }
    ) -> RecordedRun {
        ComparisonFixture.phase(ComparisonFixture.steady(10, seed: seed).map { $0 * factor }) { row in
            row.cpu = share.map { Int(Double(row.durationNanoseconds ?? 0) * $0) }
            change(&row)
        }
    }

    private func judged(_ base: RecordedRun, _ new: RecordedRun) throws -> [String] {
        try Comparison(base: [base], new: [new]).judgements.filter { $0.verdict != .notJudged && !$0.metric.isExact }
            .map(\.metric.name)
    }

    @Test func aPhaseThatWorksAllTheTimeIsJudgedByItsCPUTime() throws {
        let comparison = try Comparison(base: [run(0.99, seed: 1)], new: [run(0.98, seed: 2, factor: 1.1)])
        #expect(comparison.judgement("cpu")?.verdict == .regressed)
        #expect(comparison.judgement("duration")?.verdict == .notJudged)
        #expect(comparison.testCount == 2)
        // Users look for it, so the table shows it nevertheless.
        #expect(ComparisonText(comparison).shown.map(\.metric.name) == ["duration", "cpu", "rss_peak"])
    }

    @Test(arguments: [(0.5, 0.5), (0.99, 0.6), (0.6, 0.99)])
    func aPhaseThatWaitsOnEitherSideIsJudgedByBoth(base: Double, new: Double) throws {
        #expect(try judged(run(base, seed: 1), run(new, seed: 2)) == ["duration", "cpu", "rss_peak"])
    }

    /// The CPU time stays, and a wait joins it: only the duration shows it.
    @Test func aNewWaitIsCaught() throws {
        let comparison = try Comparison(base: [run(1, seed: 1)], new: [run(0.8, seed: 2, factor: 1.25)])
        #expect(comparison.judgement("cpu")?.verdict == .unchanged)
        #expect(comparison.judgement("duration")?.verdict == .regressed)
    }

    @Test func severalThreadsAreJudgedByBoth() throws {
        #expect(try judged(run(1.8, seed: 1), run(1.8, seed: 2)) == ["duration", "cpu", "rss_peak"])
        // The work is the same, but no longer parallel.
        #expect(try judged(run(1.15, seed: 1), run(1, seed: 2)) == ["duration", "cpu", "rss_peak"])
    }

    /// The measurement itself takes a millisecond, on other threads: of a phase of a millisecond that is half of the
    /// CPU time, which then says little.
    @Test(arguments: [(1.0, "duration"), (20, "cpu")])
    func theCPUTimeOfTheMeasurementIsNoSecondThread(milliseconds: Double, metric: String) throws {
        let run = { (seed: UInt64) in
            ComparisonFixture.phase(ComparisonFixture.steady(10, at: milliseconds, seed: seed)) { row in
                row.cpu = (row.durationNanoseconds ?? 0) + 1_000_000
            }
        }
        #expect(try judged(run(1), run(2)) == [metric, "rss_peak"])
    }

    @Test func concurrentPhasesAreJudgedByTheDuration() throws {
        let load = { (seed: UInt64) in self.run(0.99, seed: seed) { $0.kind = "saves" } }
        #expect(try judged(load(1), load(2)) == ["duration", "rss_peak"])
    }

    /// A load of a second takes a second, however slow the store is.
    private func timedLoad(_ seed: UInt64, perSecond: Double = 1_000, rate: Double? = nil) -> RecordedRun {
        ComparisonFixture.phase(ComparisonFixture.steady(10, at: 1_000, seed: seed)) { row in
            let noise = Double(row.durationNanoseconds ?? 0) / 1e9
            row.kind = "mixed"
            row.durationNanoseconds = 1_000_000_000
            (row.throughput, row.operations) = (perSecond * noise, Int(perSecond * noise))
            (row.ratePerSecond, row.latencyP50) = (rate, Int(1e9 / perSecond * noise))
        }
    }

    @Test func aLoadOfAGivenLengthIsJudgedByItsThroughput() throws {
        #expect(try judged(timedLoad(1), timedLoad(2)) == ["rss_peak", "throughput"])
        let comparison = try Comparison(base: [timedLoad(1)], new: [timedLoad(2, perSecond: 500)])
        #expect(comparison.judgement("throughput")?.verdict == .regressed)
        #expect(comparison.outcome == .regressed)
        let faster = try Comparison(base: [timedLoad(1)], new: [timedLoad(2, perSecond: 2_000)])
        #expect(faster.judgement("throughput")?.verdict == .improved)
    }

    /// At a given rate the store does as much, and answers later.
    @Test func aLoadAtAGivenRateIsJudgedByItsResponseTimes() throws {
        let base = timedLoad(1, rate: 100)
        #expect(try judged(base, timedLoad(2, rate: 100)) == ["rss_peak", "latency_p50"])
        let comparison = try Comparison(base: [base], new: [timedLoad(2, perSecond: 500, rate: 100)])
        #expect(comparison.judgement("latency_p50")?.verdict == .regressed)
    }

    @Test func aThresholdOfTheDurationHoldsForLoads() throws {
        var options = ComparisonOptions()
        options.thresholds = ["duration": 0.25]
        for rate in [nil, 100.0] {
            let runs = (timedLoad(1, rate: rate), timedLoad(2, perSecond: 900, rate: rate))
            let comparison = try Comparison(base: [runs.0], new: [runs.1], options: options)
            #expect(comparison.judgement(rate == nil ? "throughput" : "latency_p50")?.verdict == .unchanged)
        }
    }

    /// A search tries a faster store at other rates.
    @Test func loadsAtSeveralRatesAreNotJudged() throws {
        let search = { (run: RecordedRun, trials: Int) in
            let rows = run.rows.map { row in
                var row = row
                if row.repetition > trials { row.ratePerSecond = 200 }
                return row
            }
            return RecordedRun(url: run.url, rows: rows, manifest: nil)
        }
        let (base, new) = (search(timedLoad(1, rate: 100), 5), search(timedLoad(2, perSecond: 100, rate: 100), 7))
        #expect(try judged(base, new) == ["rss_peak"])
        let notes = try Comparison(base: [base], new: [new]).notes
        #expect(notes.contains { $0.hasPrefix("not judged: fetch of managed ran at several rates") }, "\(notes)")
    }

    @Test func otherRatesOfTheNewRunsAreInsufficientData() throws {
        let base = timedLoad(1, rate: 100)
        for rates in [(200, 200), (100, 200)] {
            let new = timedLoad(2)
            let rows = new.rows.map { row in
                var row = row
                row.ratePerSecond = row.repetition > 5 ? Double(rates.1) : Double(rates.0)
                return row
            }
            let comparison = try Comparison(
                base: [base], new: [RecordedRun(url: new.url, rows: rows, manifest: nil)])
            #expect(comparison.judgement("latency_p50")?.verdict == .insufficientData)
            #expect(
                comparison.judgement("latency_p50")?.reason
                    == "the new runs had other rates, so the times cannot be compared")
            #expect(comparison.outcome == .insufficientData)
        }
    }

    @Test func powerKnowsHowSlowerLoadsAreSeen() throws {
        for load in [timedLoad(1), timedLoad(1, perSecond: 5), timedLoad(1, rate: 100)] {
            let noise = try RecordedNoise([load], ComparisonOptions())
            let simulation = Simulation(noise, ComparisonOptions(), repetitions: 10, seed: 1)
            #expect(try simulation.results(of: 4, slowdown: 1).allSatisfy(\.isCaught))
        }
    }

    @Test func withoutCPUTimeTheDurationIsJudged() throws {
        #expect(try judged(run(nil, seed: 1), run(0.99, seed: 2)) == ["duration", "rss_peak"])
        let holes = run(0.99, seed: 1) { if $0.repetition == 3 { $0.cpu = nil } }
        #expect(try judged(holes, run(0.99, seed: 2)) == ["duration", "rss_peak"])
    }

    /// The CPU time is what the base is judged by.
    @Test func cpuTimeThatVanishedIsInsufficientData() throws {
        let comparison = try Comparison(base: [run(0.99, seed: 1)], new: [run(nil, seed: 2)])
        #expect(comparison.judgement("cpu")?.verdict == .insufficientData)
        #expect(comparison.judgement("duration")?.verdict == .unchanged)
        #expect(comparison.outcome == .insufficientData)
    }

    @Test func anEarlierVersionsFileHasTheSumOfItsParts() throws {
        let old = run(nil, seed: 1) { row in
            (row.cpuUser, row.cpuSystem) = (row.durationNanoseconds.map { $0 - 1_000_000 }, 1_000_000)
        }
        #expect(try judged(old, run(0.99, seed: 2)) == ["cpu", "rss_peak"])
        var row = ResultRow()
        (row.cpuUser, row.cpuSystem) = (0, 0)
        #expect(Metric.cpu.value(row) == nil)
        row.cpuUser = 3
        #expect(Metric.cpu.value(row) == 3)
        row.cpu = 5
        #expect(Metric.cpu.value(row) == 5)
    }

    @Test func theDurationIsJudgedOnRequest() throws {
        var options = ComparisonOptions()
        options.moreMetrics = ["duration"]
        let comparison = try Comparison(base: [run(1, seed: 1)], new: [run(1, seed: 2)], options: options)
        #expect(comparison.judgement("duration")?.verdict == .unchanged)
    }

    @Test func aThresholdOfTheDurationHoldsForCPUTime() {
        var scenario = FakeDriver.scenario
        scenario.thresholdsPercent = ["duration": 7]
        scenario.phases[1].thresholdsPercent = ["cpu": 4, "duration": 9]
        let share = { (overrides: [String: Double], phase: String) in
            ComparisonThresholds(overrides: overrides, scenario: scenario).share(.cpu, phase: phase)
        }
        #expect(share([:], "seed") == 0.07)
        #expect(share([:], "fetch") == 0.04)
        #expect(share(["duration": 1], "fetch") == 1)
        #expect(share(["duration": 1, "cpu": 0.5], "fetch") == 0.5)
    }
}

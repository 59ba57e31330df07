import Foundation
import Testing

@testable import BenchHarness

@Suite struct ComparisonTests {
    private let steady = ComparisonFixture.steady(10)
    private let again = ComparisonFixture.steady(10, seed: 2)

    private func compare(
        _ base: [Double], _ new: [Double], _ change: (inout ComparisonOptions) -> Void = { _ in }
    ) throws -> Comparison {
        var options = ComparisonOptions()
        change(&options)
        return try Comparison(
            base: [ComparisonFixture.phase(base)], new: [ComparisonFixture.phase(new)], options: options)
    }

    @Test func whatGotSlowerByMoreThanTheThresholdHasRegressed() throws {
        let comparison = try compare(steady, again.map { $0 * 1.08 })
        let judgement = try #require(comparison.judgement("duration"))
        #expect(judgement.verdict == .regressed)
        #expect(try abs(#require(judgement.ratio) - 1.08) < 0.02)
        #expect(try #require(judgement.interval).lowerBound > 1.03)
        #expect(comparison.outcome == .regressed)
    }

    @Test func whatGotFasterHasImprovedAndPasses() throws {
        let comparison = try compare(steady, again.map { $0 / 1.08 })
        #expect(comparison.judgement("duration")?.verdict == .improved)
        #expect(comparison.outcome == .passed)
    }

    @Test func equalsAreUnchanged() throws {
        let comparison = try compare(steady, again)
        #expect(comparison.judgement("duration")?.verdict == .unchanged)
        #expect(comparison.outcome == .passed)
    }

    @Test func aSignificantChangeBelowTheThresholdIsUnchanged() throws {
        let comparison = try compare(steady, again.map { $0 * 1.03 }) { $0.thresholds = ["duration": 0.10] }
        let judgement = try #require(comparison.judgement("duration"))
        #expect(try #require(judgement.adjustedP) < 0.05)
        #expect(judgement.verdict == .unchanged)
    }

    @Test func whatScattersTooWidelyIsInconclusiveAndDoesNotPass() throws {
        let wild = [60.0, 75, 80, 95, 100, 110, 125, 140, 150, 170]
        let comparison = try compare(wild, wild.map { $0 * 1.04 })
        #expect(comparison.judgement("duration")?.verdict == .inconclusive)
        #expect(comparison.outcome == .inconclusive)
        #expect(
            ComparisonText(comparison).text(isColoured: false).contains("\ninconclusive: 1 figure may have changed"))
        #expect(try comparison.json().contains("\"outcome\" : \"inconclusive\""))
    }

    @Test func tooFewRepetitionsSayHowManyWouldDo() throws {
        let comparison = try compare(Array(steady.prefix(4)), again.prefix(4).map { $0 * 2 })
        let judgement = try #require(comparison.judgement("duration"))
        #expect(judgement.verdict == .insufficientData)
        #expect(judgement.reason == "4 against 4 repetitions are too few to judge 2 figures; 5 of each are enough")
        #expect(comparison.outcome == .insufficientData)
    }

    @Test func whatIsTooFewForAnIntervalIsNotCalledZero() throws {
        let pairs = try compare(Array(steady.prefix(5)), Array(again.prefix(5))) {
            $0.pairing = .paired
            $0.alpha = 0.2
        }
        #expect(pairs.judgement("duration")?.verdict == .inconclusive)
        #expect(
            pairs.judgement("duration")?.reason
                == "5 pairs are too few for an interval of the ratio; 6 pairs are enough")
        let samples = try compare(Array(steady.prefix(3)), Array(again.prefix(3))) {
            $0.moreMetrics = ["duration"]
            $0.judgesOnlyNamed = true
            $0.alpha = 0.2
        }
        #expect(
            samples.judgement("duration")?.reason
                == "3 against 3 repetitions are too few for an interval of the ratio; 4 of each are enough")
    }

    @Test func whatWouldDoIsEnoughForAnIntervalToo() throws {
        let pairs = try compare(Array(steady.prefix(4)), Array(again.prefix(4))) {
            $0.pairing = .paired
            $0.alpha = 0.2
        }
        #expect(
            pairs.judgement("duration")?.reason == "4 pairs are too few to judge 2 figures; 6 pairs are enough")
    }

    /// It printed one of no width.
    @Test func oneRepetitionOfEachHasNoInterval() throws {
        let judgement = try #require(try compare([100], [120]).judgement("duration"))
        #expect(judgement.interval == nil && judgement.verdict == .insufficientData)
    }

    @Test func aRegressionIsWorseThanTooLittleData() throws {
        var (base, new) = (ComparisonFixture(), ComparisonFixture())
        base.add("fetch", durationsMilliseconds: steady)
        base.add("seed", durationsMilliseconds: [1])
        new.add("fetch", durationsMilliseconds: again.map { $0 * 1.2 })
        new.add("seed", durationsMilliseconds: [1])
        let comparison = try Comparison(base: [base.run], new: [new.run])
        #expect(comparison.judgement("duration", phase: "seed")?.verdict == .insufficientData)
        #expect(comparison.outcome == .regressed)
    }

    @Test func theMoreIsJudgedTheSmallerMustEachPBe() throws {
        // Seven against seven attain 0.0006: enough for 54 figures, too little for 100.
        for (phases, verdict) in [(27, Verdict.regressed), (50, .insufficientData)] {
            var (base, new) = (ComparisonFixture(), ComparisonFixture())
            for phase in 0..<phases {
                base.add("phase-\(phase)", durationsMilliseconds: Array(steady.prefix(7)))
                new.add("phase-\(phase)", durationsMilliseconds: again.prefix(7).map { $0 * (phase == 0 ? 1.2 : 1) })
            }
            let comparison = try Comparison(base: [base.run], new: [new.run])
            #expect(comparison.testCount == 2 * phases)
            #expect(comparison.judgement("duration", phase: "phase-0")?.verdict == verdict)
        }
    }

    @Test func pooledRunsCountTogether() throws {
        let halves = [Array(steady.prefix(5)), Array(steady.suffix(5))].map { ComparisonFixture.phase($0) }
        let comparison = try Comparison(base: halves, new: [ComparisonFixture.phase(again.map { $0 * 1.08 })])
        #expect(comparison.judgement("duration")?.base?.count == 10)
        #expect(comparison.judgement("duration")?.verdict == .regressed)
    }

    @Test func theSameRunTwiceIsRefused() {
        let run = ComparisonFixture.phase(steady)
        let error = #expect(throws: RunError.self) { try Comparison(base: [run, run], new: [run]) }
        #expect(error?.description.contains("hold the same run") == true)
    }

    @Test func aRunOnBothSidesIsSaid() throws {
        let runs = [ComparisonFixture.phase(steady), ComparisonFixture.phase(again)]
        let same = { (base: [RecordedRun], new: [RecordedRun]) in
            try Comparison(base: base, new: new).notes.filter { $0.hasPrefix("both sides") }
        }
        #expect(try same([runs[0]], [runs[0]]) == ["both sides are the same run"])
        #expect(try same([runs[0]], runs) == ["both sides hold the run \(runs[0].rows[0].run)"])
        #expect(try same([runs[0]], [runs[1]]) == [])
        let nameless = ["a.csv", "b.csv"].map { name in
            var fixture = ComparisonFixture(id: "", name: name)
            fixture.add("fetch", durationsMilliseconds: steady)
            return fixture.run
        }
        #expect(try same([nameless[0]], [nameless[1]]) == [])
    }

    @Test func onlyVerifiedRowsAreEvidence() throws {
        let base = ComparisonFixture.phase(steady)
        let broken = ComparisonFixture.phase(again) { row in
            if row.repetition == 3 { (row.status, row.verified, row.error) = (.failed, nil, "disk full") }
            if row.repetition == 4 { row.verified = nil }
        }
        let comparison = try Comparison(base: [base], new: [broken])
        #expect(comparison.judgement("duration")?.new?.count == 8)
        #expect(comparison.outcome == .failed)
        // What failed in the base is no fault of the new runs.
        let turned = try Comparison(base: [broken], new: [base])
        #expect(turned.outcome == .passed)
        #expect(turned.notes.contains { $0.contains("1 row failed or went wrong") })
    }

    @Test func aPhaseThatIsMissingOnOneSideDoesNotPassSilently() throws {
        var base = ComparisonFixture()
        base.add("fetch", durationsMilliseconds: steady)
        base.add("seed", durationsMilliseconds: steady)
        let comparison = try Comparison(base: [base.run], new: [ComparisonFixture.phase(again)])
        let judgement = try #require(comparison.judgement("duration", phase: "seed"))
        #expect(judgement.verdict == .insufficientData)
        #expect(judgement.reason == "no verified repetition in the new runs")
        #expect(comparison.outcome == .insufficientData)
    }

    @Test func aComparisonOfNothingDoesNotPass() throws {
        let comparison = try compare(steady, again) {
            $0.moreMetrics = ["cancel"]
            $0.judgesOnlyNamed = true
        }
        #expect(comparison.outcome == .insufficientData)
        #expect(ComparisonText(comparison).conclusion == "insufficient data: there was nothing to judge")
    }

    @Test func aVanishedDriverIsInsufficientData() throws {
        var base = ComparisonFixture()
        base.add("fetch", durationsMilliseconds: steady)
        base.add("fetch", driver: "sqlite", durationsMilliseconds: steady)
        let new = ComparisonFixture.phase(again)
        let comparison = try Comparison(base: [base.run], new: [new])
        #expect(comparison.notes.contains("sqlite is in the base only; --driver D compares the drivers named"))
        #expect(comparison.judgement("duration", driver: "sqlite")?.verdict == .insufficientData)
        #expect(comparison.judgement("duration", driver: "sqlite")?.reason == "the new runs lack the driver")
        #expect(comparison.outcome == .insufficientData)
        var options = ComparisonOptions()
        options.drivers = ["managed"]
        #expect(try Comparison(base: [base.run], new: [new], options: options).outcome == .passed)
    }

    @Test func aDriverThatOnlyTheNewRunsHaveIsNoted() throws {
        var new = ComparisonFixture()
        new.add("fetch", durationsMilliseconds: again)
        new.add("fetch", driver: "sqlite", durationsMilliseconds: again)
        let comparison = try Comparison(base: [ComparisonFixture.phase(steady)], new: [new.run])
        #expect(comparison.notes.contains("sqlite is in the new runs only"))
        #expect(comparison.outcome == .passed)
    }

    /// A figure of each kind: a time, a counter, memory.
    @Test(arguments: ["duration", "statements", "rss_peak"])
    func aVanishedFigureIsInsufficientData(metric: String) throws {
        let run = { (seed: UInt64, lost: String?) in
            ComparisonFixture.phase(ComparisonFixture.steady(10, seed: seed)) { row in
                row.counters.statements = 3
                switch lost {
                case "duration": row.durationNanoseconds = nil
                case "statements": row.counters.statements = nil
                case "rss_peak": row.residentPeakBytes = nil
                default: break
                }
            }
        }
        let comparison = try Comparison(base: [run(1, nil)], new: [run(2, metric)])
        #expect(comparison.judgement(metric)?.verdict == .insufficientData)
        #expect(comparison.judgement(metric)?.reason == "no repetition in the new runs has this figure")
        #expect(comparison.outcome == .insufficientData)
    }

    @Test func unsupportedPhasesAreNoEvidenceAndNoFailure() throws {
        let unsupported = { (row: inout ResultRow) in (row.status, row.verified) = (.unsupported, nil) }
        var (base, new) = (ComparisonFixture(), ComparisonFixture())
        for index in 0...1 {
            base.add("p\(index)", durationsMilliseconds: steady, change: index == 1 ? unsupported : { _ in })
            new.add("p\(index)", durationsMilliseconds: again, change: index == 1 ? unsupported : { _ in })
        }
        let comparison = try Comparison(base: [base.run], new: [new.run])
        #expect(comparison.outcome == .passed)
        #expect(comparison.judgement("duration", phase: "p1") == nil)
    }

    @Test func aDriverThatCanDoNothingAnyMoreDoesNotPass() throws {
        let new = ComparisonFixture.phase(again) { row in (row.status, row.verified) = (.unsupported, nil) }
        let comparison = try Comparison(base: [ComparisonFixture.phase(steady)], new: [new])
        #expect(comparison.outcome == .insufficientData)
        #expect(comparison.judgement("duration")?.reason == "no verified repetition in the new runs")
    }

    @Test func higherIsBetterForThroughput() throws {
        let run = { (values: [Double]) in
            ComparisonFixture.phase(values) { $0.throughput = 1e9 / Double($0.durationNanoseconds ?? 1) }
        }
        var options = ComparisonOptions()
        options.moreMetrics = ["throughput"]
        let comparison = try Comparison(base: [run(steady)], new: [run(again.map { $0 * 1.2 })], options: options)
        let judgement = try #require(comparison.judgement("throughput"))
        #expect(judgement.verdict == .regressed)
        #expect(try #require(judgement.ratio) < 1)
    }

    @Test func zerosHaveNoRatioAndNoVerdict() throws {
        let run = { (id: Int) in ComparisonFixture.phase(self.steady) { $0.queueStall = $0.repetition % 2 * id } }
        var options = ComparisonOptions()
        options.moreMetrics = ["queue_stall"]
        let comparison = try Comparison(base: [run(1)], new: [run(2)], options: options)
        #expect(comparison.judgement("queue_stall")?.verdict == .inconclusive)
        #expect(comparison.judgement("queue_stall")?.reason == "values that are zero have no ratio")
    }

    @Test func whatWasZeroThroughoutAndNeverIsAnyMoreHasAVerdict() throws {
        let run = { (stalls: Int) in
            ComparisonFixture.phase(self.steady) { row in row.queueStall = stalls * (row.repetition + 5) }
        }
        var options = ComparisonOptions()
        options.moreMetrics = ["queue_stall"]
        let worse = try Comparison(base: [run(0)], new: [run(1)], options: options)
        #expect(worse.judgement("queue_stall")?.verdict == .regressed && worse.outcome == .regressed)
        #expect(worse.judgement("queue_stall")?.reason == "it is zero throughout on one side")
        let better = try Comparison(base: [run(1)], new: [run(0)], options: options)
        #expect(better.judgement("queue_stall")?.verdict == .improved)
    }

    /// The clock of CPU time may tick, as in some sandboxes, and show 0 for what ends within a tick.
    @Test func aTimeThatTheClockDoesNotShowIsNoChange() throws {
        let run = { (cpu: Int) in
            ComparisonFixture.phase(self.steady) { row in row.cpu = cpu * (row.durationNanoseconds ?? 0) }
        }
        for (base, new) in [(0, 1), (1, 0)] {
            let comparison = try Comparison(base: [run(base)], new: [run(new)])
            #expect(comparison.judgement("cpu")?.verdict == .inconclusive && comparison.outcome == .inconclusive)
            #expect(comparison.judgement("cpu")?.reason.contains("a change of less than its step") == true)
        }
    }

    @Test func optionsThatHoldNothingAreRefused() throws {
        let run = { ComparisonFixture.phase(self.steady) }
        let refusal = { (change: (inout ComparisonOptions) throws -> Void) -> String? in
            var options = ComparisonOptions()
            try change(&options)
            let error = #expect(throws: RunError.self) { try Comparison(base: [run()], new: [run()], options: options) }
            return error?.description
        }
        #expect(try refusal { $0.thresholds = ["throughput": 0.05] }?.contains("give --metric throughput") == true)
        #expect(try refusal { $0.moreMetrics = ["latency_p99"] }?.hasPrefix("the results have no latency_p99") == true)
        #expect(
            try refusal { try $0.accepted.add("fecth 5% because so") }?.hasSuffix(
                "but no phase fecth was judged; did you mean fetch?") == true)
        #expect(
            try refusal { try $0.accepted.add("fetch of other 5% because so") }?.contains("no driver other") == true)
    }

    /// Of times, what is said of durations holds for what is judged in their place.
    @Test func thresholdsThatHoldSomethingAreTaken() throws {
        let run = { ComparisonFixture.phase(self.steady) { $0.cpu = $0.durationNanoseconds } }
        var options = ComparisonOptions()
        options.thresholds = ["duration": 0.1, "rss_peak": 0.2]
        let comparison = try Comparison(base: [run()], new: [run()], options: options)
        #expect(comparison.judgement("duration")?.verdict == .notJudged)
        #expect(comparison.judgement("cpu")?.threshold == 0.1)
    }

    @Test func aPhaseThatTheDriverLacksIsRefused() throws {
        var base = ComparisonFixture()
        base.add("fetch", driver: "a", durationsMilliseconds: steady)
        base.add("seed", driver: "b", durationsMilliseconds: steady)
        var options = ComparisonOptions()
        (options.phases, options.drivers) = (["fetch"], ["b"])
        let error = #expect(throws: RunError.self) {
            try Comparison(base: [base.run], new: [base.run], options: options)
        }
        #expect(error?.description.contains("have fetch of b") == true)
    }

    @Test func filtersJudgeLessAndUnknownNamesAreRefused() throws {
        var base = ComparisonFixture()
        for phase in ["fetch", "seed"] { base.add(phase, durationsMilliseconds: steady) }
        var options = ComparisonOptions()
        options.phases = ["seed"]
        let other = RecordedRun(
            url: base.run.url,
            rows: base.rows.map { row in
                var row = row
                row.run = "other"
                return row
            }, manifest: nil)
        let comparison = try Comparison(base: [base.run], new: [other], options: options)
        #expect(comparison.judgement("duration") == nil && comparison.testCount == 2)
        options.phases = ["sede"]
        let error = #expect(throws: RunError.self) { try Comparison(base: [base.run], new: [other], options: options) }
        #expect(error?.description.contains("did you mean \"seed\"?") == true)
    }

    @Test func aPhaseIsFilteredAtAllItsSizesOrAtOne() throws {
        var (base, new) = (ComparisonFixture(), ComparisonFixture())
        for phase in ["fetch@20", "fetch@10", "seed@10"] {
            base.add(phase, durationsMilliseconds: steady)
            new.add(phase, durationsMilliseconds: steady)
        }
        var options = ComparisonOptions()
        options.phases = ["fetch"]
        let both = try Comparison(base: [base.run], new: [new.run], options: options)
        let judged = both.judgements.filter { $0.metric.name == "duration" && $0.verdict != .notJudged }
        #expect(judged.map(\.key.phase) == ["fetch@10", "fetch@20"])
        options.phases = ["fetch@20"]
        #expect(try Comparison(base: [base.run], new: [new.run], options: options).testCount == 2)
        options.phases = ["fetch@30"]
        #expect(throws: RunError.self) { try Comparison(base: [base.run], new: [new.run], options: options) }
    }

    @Test func pairsAreTestedPairwise() throws {
        // Each pair ran on a machine of its own speed; only within the pair does the change show.
        let speeds = (0..<10).map { 100.0 + 20 * Double($0) }
        let slower = speeds.enumerated().map { $1 * (1.05 + 0.001 * Double($0)) }
        #expect(try compare(speeds, slower).judgement("duration")?.verdict == .inconclusive)
        let paired = try compare(speeds, slower) { $0.pairing = .paired }
        #expect(paired.judgement("duration")?.verdict == .regressed)
        let few = try compare(Array(speeds.prefix(4)), Array(slower.prefix(4))) { $0.pairing = .paired }
        #expect(few.judgement("duration")?.reason == "4 pairs are too few to judge 2 figures; 7 pairs are enough")
    }
}

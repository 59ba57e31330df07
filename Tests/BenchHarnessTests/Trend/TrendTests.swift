import Foundation
import Testing

@testable import BenchHarness

@Suite struct TrendTests {
    @Test func aStepIsFoundWithItsRunAndSize() throws {
        let trend = try Trend(TrendFixture.step)
        let series = try #require(trend.series.first { $0.metric.name == "duration" })
        #expect(series.changes?.map(\.run) == [8])
        let percent = try #require(series.changes?.first?.percent)
        #expect(abs(percent - 20) < 1)
        #expect(trend.remarks == ["not every file has a manifest: files are in the order given"])
    }

    @Test func theSameRunEightTimesIsNoHistory() throws {
        let run = TrendFixture.run("a", TrendFixture.row())
        let error = #expect(throws: RunError.self) { try Trend(Array(repeating: run, count: 8)) }
        #expect(error?.description.contains("a.csv and a.csv hold the same run a; leave one of them out") == true)
    }

    @Test func gapsDoNotMoveAStep() throws {
        var runs = TrendFixture.step
        runs.insert(TrendFixture.run("empty"), at: 3)
        let series = try #require(try Trend(runs).series.first)
        #expect(series.points[3] == nil)
        #expect(series.changes?.map(\.run) == [9])
    }

    @Test func tooLittleHistoryIsSaidAndIsNotNoChange() throws {
        let trend = try Trend(Array(TrendFixture.step.prefix(7)))
        #expect(trend.series.first?.changes == nil)
        #expect(trend.remarks.last == "too little history to find change points: they need 12 runs, and there are 7")
    }

    @Test func aPointIsTheMedianOfTheVerifiedRepetitions() throws {
        var (failed, unverified) = (TrendFixture.row("mine", 99), TrendFixture.row("mine", 99))
        (failed.status, unverified.verified) = (.failed, false)
        let run = TrendFixture.run(
            "a", TrendFixture.row("mine", 1), TrendFixture.row("mine", 2, repetition: 2),
            TrendFixture.row("mine", 9, repetition: 3), failed, unverified)
        let trend = try Trend([run])
        #expect(trend.series.first?.points.map { $0?.value } == [2e6])
        #expect(trend.remarks.first == "a.csv: 1 failed, 1 unverified of 5 rows left out")
    }

    @Test func countersAreShownWhereTheyChangedHoweverShortTheHistory() throws {
        let runs = [5, 5, 7].enumerated().map {
            TrendFixture.run("\($0.offset)", TrendFixture.row(statements: $0.element))
        }
        let series = try #require(try Trend(runs).series.first { $0.metric.name == "statements" })
        #expect(series.changes == [TrendSeries.Change(run: 2, p: nil, before: 5, after: 7)])
        #expect(try Trend(Array(runs.prefix(2))).series.map(\.metric.name) == ["duration"])
    }

    @Test func countersThatVaryWithinARunAreNoisy() throws {
        let runs = [5, 7].map { (count: Int) in
            TrendFixture.run(
                "\(count)", TrendFixture.row(statements: count), TrendFixture.row(repetition: 2, statements: 6))
        }
        let series = try #require(try Trend(runs).series.first { $0.metric.name == "statements" })
        #expect(series.changes == nil)
    }

    /// One repetition of each run cannot show that these counters vary.
    @Test(arguments: ["merge", "saves", "mixed"])
    func countersOfConcurrentWorkAreNoisyHoweverFewTheRepetitions(kind: String) throws {
        let runs = [5, 7].map { (count: Int) in
            var row = TrendFixture.row(statements: count)
            row.kind = kind
            return TrendFixture.run("\(count)", row)
        }
        let series = try #require(try Trend(runs).series.first { $0.metric.name == "statements" })
        #expect(series.changes == nil)
    }

    @Test func countersOfCancelledWorkAreNoisy() throws {
        let runs = [5, 7].map { (count: Int) in
            var row = TrendFixture.row(statements: count)
            (row.kind, row.cancel) = ("fetch", 10)
            return TrendFixture.run("\(count)", row)
        }
        let series = try #require(try Trend(runs).series.first { $0.metric.name == "statements" })
        #expect(series.changes == nil)
    }

    @Test func metricsThatWereAskedForAreShown() throws {
        let metric = try #require(Metric.named("statements"))
        let runs = [TrendFixture.run("a", TrendFixture.row(statements: 1))]
        #expect(try Trend(runs, metrics: [metric]).series.map(\.metric.name) == ["statements"])
    }

    @Test func scenariosAndDriversStandTogether() throws {
        var other = TrendFixture.row("mine")
        other.scenario = "large"
        let trend = try Trend([
            TrendFixture.run("a", TrendFixture.row("a"), other), TrendFixture.run("b", TrendFixture.row("sqlite")),
        ])
        #expect(trend.scenarios.map(\.name) == ["small", "large"])
        #expect(trend.scenarios.first?.series.map(\.key.driver) == ["sqlite", "a"])
    }

    @Test func runsOfAnotherSizeAreSaid() throws {
        var (small, large) = (TrendFixture.row(), TrendFixture.row())
        (small.records, large.records) = (10, 1_000)
        let trend = try Trend([TrendFixture.run("a", small), TrendFixture.run("b", large)])
        #expect(trend.remarks.contains("small: the runs differ in their numbers of records; so may their figures"))
    }

    private func noise(_ phases: Int, seed: UInt64) -> [RecordedRun] {
        var random = SplitMix64(state: seed)
        return (0..<20).map { index in
            let rows = (0..<phases).map { phase in
                var row = TrendFixture.row("mine", 10 * (1 + 0.02 * random.nextNormal()))
                row.phase = "phase-\(phase)"
                return row
            }
            return RecordedRun(url: URL(fileURLWithPath: "\(index).csv"), rows: rows, manifest: nil)
        }
    }

    /// Each series alone may err in 1 % of cases: 1,000 of them would find about ten. The correction keeps the whole
    /// history to 5 %, so that five histories find more than two with a probability of 0.1 %.
    @Test func manySeriesOfNoiseRarelyHaveAChangePoint() throws {
        let found = try (0..<5).reduce(0) { sum, seed in
            let trend = try Trend(noise(200, seed: UInt64(seed + 50)))
            #expect(trend.searchedCount == 200 && trend.search.significance == 0.05 / 200)
            #expect(trend.remarks.last?.hasPrefix("change points are corrected for 200 series: ") == true)
            return sum + trend.series.reduce(0) { $0 + ($1.changes?.count ?? 0) }
        }
        #expect(found <= 2)
    }

    @Test func aStepAmongManySeriesIsFound() throws {
        var runs = noise(40, seed: 4)
        for index in 10..<20 {
            var rows = runs[index].rows
            rows[7].durationNanoseconds = rows[7].durationNanoseconds.map { $0 * 3 / 2 }
            runs[index] = RecordedRun(url: runs[index].url, rows: rows, manifest: nil)
        }
        let changed = try Trend(runs).series.filter { $0.changes?.isEmpty == false }
        #expect(changed.map(\.key.phase) == ["phase-7"])
        #expect(changed.first?.changes?.map(\.run) == [10])
    }

    @Test func nothingToShowIsSaid() throws {
        let trend = try Trend([TrendFixture.run("a")])
        #expect(
            trend.text(isColoured: false) == """
                note: a.csv: it has no rows, so the history has a gap there
                note: no file has a verified figure to show

                """)
    }

    @Test func whatTheNewestRunLacksIsSaid() throws {
        let both = TrendFixture.run("a", TrendFixture.row(), TrendFixture.row("gone", 20))
        var other = TrendFixture.row("gone")
        other.scenario = "another"
        let trend = try Trend([both, TrendFixture.run("b", TrendFixture.row()), TrendFixture.run("c", other)])
        let remarks = trend.remarks.filter { $0.contains("lacks") }
        #expect(
            remarks == [
                "b.csv, the newest run, lacks figures of fetch of gone: the last ones shown are of earlier runs"
            ])
    }

    @Test func aFileWithoutRowsIsNamed() throws {
        let trend = try Trend([TrendFixture.run("a", TrendFixture.row()), TrendFixture.run("empty")])
        #expect(trend.remarks.contains("empty.csv: it has no rows, so the history has a gap there"))
        #expect(!trend.remarks.contains { $0.hasPrefix("a.csv") })
    }
}

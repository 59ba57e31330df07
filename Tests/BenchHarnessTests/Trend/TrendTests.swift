import Foundation
import Testing

@testable import BenchHarness

@Suite struct TrendTests {
    @Test func aStepIsFoundWithItsRunAndSize() throws {
        let trend = Trend(TrendFixture.step)
        let series = try #require(trend.series.first { $0.metric.name == "duration" })
        #expect(series.changes?.map(\.run) == [8])
        let percent = try #require(series.changes?.first?.percent)
        #expect(abs(percent - 20) < 1)
        #expect(trend.remarks == ["not every file has a manifest: files are in the order given"])
    }

    @Test func gapsDoNotMoveAStep() throws {
        var runs = TrendFixture.step
        runs.insert(TrendFixture.run("empty"), at: 3)
        let series = try #require(Trend(runs).series.first)
        #expect(series.points[3] == nil)
        #expect(series.changes?.map(\.run) == [9])
    }

    @Test func tooLittleHistoryIsSaidAndIsNotNoChange() throws {
        let trend = Trend(Array(TrendFixture.step.prefix(7)))
        #expect(trend.series.first?.changes == nil)
        #expect(trend.remarks.last == "too little history to find change points: they need 12 runs, and there are 7")
    }

    @Test func aPointIsTheMedianOfTheVerifiedRepetitions() throws {
        var (failed, unverified) = (TrendFixture.row("mine", 99), TrendFixture.row("mine", 99))
        (failed.status, unverified.verified) = (.failed, false)
        let run = TrendFixture.run(
            "a", TrendFixture.row("mine", 1), TrendFixture.row("mine", 2, repetition: 2),
            TrendFixture.row("mine", 9, repetition: 3), failed, unverified)
        let trend = Trend([run])
        #expect(trend.series.first?.points.map { $0?.value } == [2e6])
        #expect(trend.remarks.first == "a.csv: 1 failed, 1 unverified of 5 rows left out")
    }

    @Test func countersAreShownWhereTheyChangedHoweverShortTheHistory() throws {
        let runs = [5, 5, 7].enumerated().map {
            TrendFixture.run("\($0.offset)", TrendFixture.row(statements: $0.element))
        }
        let series = try #require(Trend(runs).series.first { $0.metric.name == "statements" })
        #expect(series.changes == [TrendSeries.Change(run: 2, p: nil, before: 5, after: 7)])
        #expect(Trend(Array(runs.prefix(2))).series.map(\.metric.name) == ["duration"])
    }

    @Test func countersThatVaryWithinARunAreNoisy() throws {
        let runs = [5, 7].map { (count: Int) in
            TrendFixture.run(
                "\(count)", TrendFixture.row(statements: count), TrendFixture.row(repetition: 2, statements: 6))
        }
        let series = try #require(Trend(runs).series.first { $0.metric.name == "statements" })
        #expect(series.changes == nil)
    }

    @Test func metricsThatWereAskedForAreShown() throws {
        let metric = try #require(Metric.named("statements"))
        let runs = [TrendFixture.run("a", TrendFixture.row(statements: 1))]
        #expect(Trend(runs, metrics: [metric]).series.map(\.metric.name) == ["statements"])
    }

    @Test func scenariosAndDriversStandTogether() {
        var other = TrendFixture.row("mine")
        other.scenario = "large"
        let trend = Trend([
            TrendFixture.run("a", TrendFixture.row("a"), other), TrendFixture.run("b", TrendFixture.row("sqlite")),
        ])
        #expect(trend.scenarios.map(\.name) == ["small", "large"])
        #expect(trend.scenarios.first?.series.map(\.key.driver) == ["sqlite", "a"])
    }

    @Test func runsOfAnotherSizeAreSaid() {
        var (small, large) = (TrendFixture.row(), TrendFixture.row())
        (small.records, large.records) = (10, 1_000)
        let trend = Trend([TrendFixture.run("a", small), TrendFixture.run("b", large)])
        #expect(trend.remarks.contains("small: the runs differ in their numbers of records; so may their figures"))
    }

    @Test func nothingToShowIsSaid() {
        let trend = Trend([TrendFixture.run("a")])
        #expect(trend.text(isColoured: false) == "note: no file has a verified figure to show\n")
    }
}

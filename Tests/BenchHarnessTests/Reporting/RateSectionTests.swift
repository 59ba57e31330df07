import TestSupport
import Testing

@testable import BenchHarness
@testable import BenchReport

@Suite struct RateSectionTests {
    private typealias Fixture = ReportFixture

    /// Trials whose median takes a microsecond, and whose 99th percentile two, for each operation a second.
    private func trials(_ driver: String, _ rates: [Double], _ change: (inout ResultRow) -> Void = { _ in })
        -> [ResultRow]
    {
        rates.enumerated().map { index, rate in
            Fixture.row(driver, phase: "load", repetition: index + 1) { row in
                (row.ratePerSecond, row.throughput) = (rate, rate)
                (row.latencyP50, row.latencyP99) = (Int(rate * 1_000), Int(rate * 2_000))
                change(&row)
            }
        }
    }

    private func marks(_ rows: [ResultRow], _ metric: String) -> [[String: String]] {
        Fixture.tags("path", in: Fixture.page(rows)).filter {
            $0["data-stat"] == "median_at_rate" && $0["data-metric"] == metric
        }
    }

    @Test func eachRateHasItsPercentilesTheLowestRateFirst() {
        let rows = trials("mine", [200, 100, 400]) + trials("sqlite", [100, 50])
        let own = marks(rows, "latency_p99_ns").filter { $0["data-driver"] == "mine" }
        #expect(own.map { $0["data-rate"] } == ["100", "200", "400"])
        #expect(own.map { $0["data-value"] } == ["200000", "400000", "800000"])
        #expect(marks(rows, "latency_p50_ns").filter { $0["data-driver"] == "sqlite" }.count == 2)
    }

    @Test func trialsOfARateCountByTheirMedian() {
        var rows = trials("mine", [100, 100, 100, 200])
        for (index, time) in [3_000, 9_000, 4_000].enumerated() { rows[index].latencyP99 = time }
        #expect(marks(rows, "latency_p99_ns").map { $0["data-value"] } == ["4000", "400000"])
    }

    @Test func aPercentileWithoutABoundHasNoMark() {
        let rows = trials("mine", [100, 200, 400]) { if $0.ratePerSecond == 400 { $0.latencyP99 = nil } }
        #expect(marks(rows, "latency_p99_ns").map { $0["data-rate"] } == ["100", "200"])
        #expect(marks(rows, "latency_p50_ns").count == 3)
    }

    @Test func marksRiseWithTheTimeAndGoRightWithTheRate() {
        let places = marks(trials("managed", [100, 200, 400]), "latency_p50_ns").compactMap { $0["d"] }
            .map { $0.dropFirst().split(separator: "a")[0].split(separator: " ").compactMap { Double($0) } }
        #expect(places.count == 3)
        #expect(places[0][0] < places[1][0] && places[1][0] < places[2][0])
        #expect(places[0][1] > places[1][1] && places[1][1] > places[2][1])
    }

    @Test func atAGlanceASearchHasItsTimesAtTheHighestRate() {
        let rows = trials("mine", [100, 200, 400]) { $0.durationNanoseconds = 1_000_000_000 }
        let glance = GlanceSection(run: Fixture.figures(rows)).node.html
        let times = Fixture.tags("td", in: glance).filter { $0["data-stat"] == "median_at_rate" }
        #expect(times.map { $0["data-rate"] } == ["400", "400"])
        #expect(times.map { $0["data-value"] } == ["400000", "800000"])
        #expect(glance.contains(": p99 at that rate</th>"))
    }

    /// The CSV rounds rates to three decimals, the manifest does not.
    @Test func theHighestRateIsFoundAmongItsTrials() throws {
        let run = try RecordedRun(contentsOf: Repository.url("Results/load/rates.csv"))
        let glance = GlanceSection(run: RunFigures.all([run])[0]).node.html
        let times = Fixture.tags("td", in: glance).filter { $0["data-stat"] == "median_at_rate" }
        #expect(times.count == 4 && times.allSatisfy { $0["data-value"] != nil })
        let table = FoundRateTable(run.searches).text(isColoured: false)
        #expect(table.contains("p50 there") && table.contains("p99 there"))
    }

    @Test func trialsThatFailedAreLeftOut() {
        let rows = trials("mine", [100, 200, 400]) { if $0.ratePerSecond == 400 { $0.verified = false } }
        #expect(marks(rows, "latency_p50_ns").map { $0["data-rate"] } == ["100", "200"])
    }

    @Test func aLoadAtOneRateHasNoSuchSection() {
        #expect(Fixture.page(trials("mine", [100, 200])).contains("id=\"run-1-rates\""))
        #expect(!Fixture.page(trials("mine", [100, 100])).contains("run-1-rates"))
    }
}

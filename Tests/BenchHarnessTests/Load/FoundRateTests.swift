import Testing

@testable import BenchHarness

/// Searches for the highest rate, from the rows of their trials.
@Suite struct FoundRateTests {
    /// Trials of two seconds: the rate, whether the limits were kept, and the seconds that it took.
    private func trials(_ driver: String, _ trials: [(rate: Double, isKept: Bool, seconds: Double)]) -> [ResultRow] {
        trials.enumerated().map { index, trial in
            ReportFixture.row(driver, milliseconds: Int(trial.seconds * 1_000), phase: "run", repetition: index + 1) {
                ($0.ratePerSecond, $0.throughput, $0.serviceP50) = (trial.rate, trial.rate, 1_000)
                ($0.kind, $0.errors, $0.keepsSettings) = ("mixed", 0, true)
                $0.operations = Int(trial.rate * trial.seconds)
                $0.judge(missed: trial.isKept ? [] : ["all.p99_ms is 7, more than 5"])
            }
        }
    }

    private var rows: [ResultRow] {
        trials(
            "sqlite",
            [
                (100, true, 2), (100, true, 2.02), (200, true, 2), (200, true, 2), (400, false, 2), (400, false, 2),
                (200, true, 2),
            ])
            + trials("mine", [(100, true, 2), (100, true, 2), (200, true, 3), (200, true, 3)])
    }

    @Test func theHighestRateIsThatWhichMostTrialsKept() throws {
        let found = FoundRate.recorded(in: rows)
        #expect(found.map(\.driver) == ["sqlite", "mine"] && found.map(\.rate) == [200, 100])
        #expect(found.map(\.isConfirmed) == [true, false] && found.map(\.missedRate) == [400, 200])
        #expect(found[0].missedLimits == ["all.p99_ms is 7, more than 5"])
        // Its limits were kept, but the operations took a second longer than those of other trials.
        #expect(found[1].missedLimits == ["operations queued up: 200/s were done"])
    }

    @Test func aLoadAtOneRateIsNoSearch() {
        #expect(FoundRate.recorded(in: trials("sqlite", [(100, true, 2), (100, true, 2)])).isEmpty)
        let facts = Manifest.FoundRateFacts(driver: "sqlite", phase: "run", ratePerSecond: 100, isConfirmed: false)
        #expect(
            FoundRate.recorded(in: trials("sqlite", [(100, true, 2)]), [facts]).map(\.text) == ["100/s, not confirmed"])
    }

    @Test func theTableShowsTheHighestRateAndNoMedianOverRates() throws {
        let summary = ResultSummary(rows: rows, drivers: ["sqlite", "mine"])
        for text in [SummaryTable(summary).text(isColoured: false), SummaryTable(summary).markdown] {
            #expect(text.contains("highest rate") && text.contains("100/s, not confirmed"), "\(text)")
            #expect(!text.contains("median") && !text.contains("peak memory") && !text.contains("limits"), "\(text)")
        }
        let json = try summary.json()
        #expect(json.contains("\"highest_rate_per_s\" : 200") && json.contains("\"trials\" : 7"))
        #expect(!json.contains("\"throughput_per_s\" : {\n            \"count\""))
    }

    @Test func thePageShowsTheHighestRateAndThatMoreIsBetter() {
        let html = ReportFixture.page(rows)
        #expect(html.contains(/>run<\/a><\/span>: highest rate, more is better</))
        #expect(html.contains("unless a row says otherwise."))
        let found = ReportFixture.tags("td", in: html).filter { $0["data-stat"] == "found_rate" }
        #expect(found.map { $0["data-value"] } == ["200", "100", "200", "100"])
        #expect(html.contains(">0.50×</td>") && !html.contains("run-1-loads") && !html.contains("run-1-latency"))
        #expect(!ReportFixture.tags("td", in: html).contains { $0["data-stat"] == "median" })
    }
}

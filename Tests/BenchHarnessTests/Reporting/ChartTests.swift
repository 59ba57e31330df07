import Testing

@testable import BenchHarness
@testable import BenchReport

@Suite struct ChartTests {
    private typealias Fixture = ReportFixture

    private let rows =
        [10, 30, 20].enumerated().map { index, time in
            Fixture.row("sqlite", milliseconds: time, repetition: index + 1)
        }
        + [15, 40, 30].enumerated().map { index, time in Fixture.row("mine", milliseconds: time, repetition: index + 1)
        }

    private func bars(_ rows: [ResultRow]) -> HTMLNode? {
        let run = Fixture.figures(rows)
        return BarChart(
            id: "c", caption: "Duration", phase: run.phases[0], styles: run.drivers, metric: .duration
        ).chart?.figure
    }

    @Test func barsAreAsLongAsTheirMedians() throws {
        let html = try #require(self.bars(rows)).html
        let bars = ReportFixture.tags("rect", in: html)
        let widths = bars.reduce(into: [:]) { $0[$1["data-driver"] ?? ""] = Double($1["width"] ?? "") }
        // 40 ms reach from 54.4 to 232.
        #expect(widths == ["sqlite": 88.8, "mine": 133.2] as [String: Double])
        #expect(bars.compactMap { $0["data-value"] } == ["20000000", "30000000"])
        #expect(html.contains(">30.0 ms</text>") && html.contains(">~2×</text>"))
    }

    @Test func everyRepetitionIsAMark() throws {
        let html = try #require(self.bars(rows)).html
        let marks = Fixture.tags("path", in: html).filter { $0["data-repetition"] != nil }
        let values = marks.compactMap { $0["data-value"] }
        #expect(values == ["10000000", "30000000", "20000000", "15000000", "40000000", "30000000"])
        #expect(marks.compactMap { $0["data-repetition"] } == ["1", "2", "3", "1", "2", "3"])
        let owners = Fixture.tags("g", in: html).filter { $0["data-stat"] == "repetition" }
        #expect(owners.compactMap { $0["data-driver"] } == ["sqlite", "mine"])
    }

    @Test func contaminatedRepetitionsAreHollow() throws {
        let html = try #require(bars([Fixture.row("a") { $0.contaminated = true }])).html
        #expect(html.contains("class=\"dot hollow\""))
    }

    @Test func aDriverWithoutFiguresHasADashAndNoBar() throws {
        let html = try #require(bars(rows + [Fixture.row("broken") { $0.status = .failed }])).html
        #expect(Fixture.tags("rect", in: html).count == 2)
        #expect(html.contains(">–</text>"))
        #expect(bars([Fixture.row("broken", milliseconds: nil)]) == nil)
    }

    @Test func chartsSayInWordsWhatTheyShow() throws {
        let html = try #require(self.bars(rows)).html
        #expect(html.contains("role=\"img\" aria-labelledby=\"c-title c-desc\""))
        #expect(html.contains("Medians: sqlite 20.0 ms, mine 30.0 ms · ~2×."))
    }

    @Test func ratiosOfBothSidesOfOneAreOnBothSidesOfTheLine() throws {
        let run = Fixture.figures(rows + [Fixture.row("quick", milliseconds: 5)])
        let chart = RatioChart(id: "c", caption: "Ratio", run: run, metric: .duration)
        let html = try #require(chart.chart).figure.html
        let marks = Fixture.tags("path", in: html).filter { $0["data-stat"] == "ratio" }
        #expect(marks.compactMap { $0["data-value"] } == ["1.5", "0.25"])
        let places = marks.compactMap { $0["d"]?.dropFirst().prefix { $0 != " " } }.compactMap { Double($0) }
        let line = Fixture.tags("line", in: html).first { $0["class"] == "axis" }.flatMap { Double($0["x1"] ?? "") }
        let one = try #require(line)
        #expect(places[0] > one && places[1] < one)
    }

    @Test func aBlockedQueueIsShownWithinTheFetch() throws {
        let fetch = { (mode: String, stall: Int) in
            Fixture.row("mine", milliseconds: 1_000, phase: mode) {
                ($0.mode, $0.queueStall, $0.records) = (mode, stall * 1_000_000, 7)
            }
        }
        let run = Fixture.figures([fetch("sync", 1_001), fetch("async", 2)])
        let html = try #require(QueueSection(run: run).node).html
        let blocked = Fixture.tags("rect", in: html).filter { $0["class"] == "blocked" }
        let free = Fixture.tags("rect", in: html).filter { $0["class"] == "free" }
        let widths = blocked.compactMap { Double($0["width"] ?? "") }
        #expect(blocked.compactMap { $0["data-value"] } == ["1001000000", "2000000"])
        #expect(free.compactMap { $0["data-value"] } == ["1000000000", "1000000000"])
        #expect(widths[0] > 2 * widths[1])
        #expect(html.contains("asynchronous, for 2.0 ms, which is 500 times less"))
        #expect(html.contains("blocked all 1.00 s") && html.contains("blocked 2.0 ms of 1.00 s"))
        #expect(html.contains("class=\"frame\""))
    }

    @Test func longNamesAreCutInTheChartAndWholeWhenPointedAt() throws {
        let name = String(repeating: "n", count: 80)
        let html = try #require(bars([Fixture.row(name)])).html
        #expect(html.contains("<title>\(name)</title>"))
        #expect(html.contains("nnnnnnn…nnnnnnn</text>"))
    }

    @Test(arguments: ["a", "customers-of-the-largest-order-of-each-month-of-the-year-by-name"])
    func aLongNameLeavesRoomForTheBars(name: String) throws {
        let html = try #require(bars([Fixture.row(name)])).html
        let bar = try #require(Fixture.tags("rect", in: html).first)
        let width = try #require(bar["width"].flatMap(Double.init))
        #expect(width > Chart.width / 3)
    }

    @Test func namesThatBeginAlikeDifferWhenTheyAreShortened() {
        #expect("customers-of-the-largest-order-by-name".shortened(to: 20) == "customers…er-by-name")
        #expect("sqlite-tuned".shortened(to: 12) == "sqlite-tuned")
        #expect((1...40).allSatisfy { String(repeating: "n", count: 60).shortened(to: $0).count == $0 })
    }
}

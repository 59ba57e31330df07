import Testing

@testable import BenchHarness
@testable import BenchReport

@Suite struct ForestChartTests {
    private func chart(new center: Double, threshold: Double = 0.03) throws -> String {
        let base = ComparisonFixture.phase(ComparisonFixture.steady(10, seed: 1))
        let new = ComparisonFixture.phase(ComparisonFixture.steady(10, at: center, seed: 2))
        var options = ComparisonOptions()
        options.thresholds = ["duration": threshold]
        let comparison = try Comparison(base: [base], new: [new], options: options)
        let figures = ComparisonFigures(comparison, drivers: DriverStyle.all(["managed"]))
        return ForestChart(id: "c", metric: try #require(figures.measuredMetrics.first), figures: figures).chart.figure
            .html
    }

    private func place(_ tag: [String: String]?, _ name: String) -> Double? { tag?[name].flatMap(Double.init) }

    @Test(arguments: [(120.0, 0.03), (80, 0.03), (100, 0.1), (1_000, 0.03)])
    func intervalsAndBandsAreInTheirPlacesOnTheAxis(center: Double, threshold: Double) throws {
        let html = try chart(new: center, threshold: threshold)
        let line = ReportFixture.tags("line", in: html).first { $0["class"] == "interval" }
        let band = try #require(ReportFixture.tags("rect", in: html).first { $0["class"] == "band" })
        let mark = ReportFixture.tags("g", in: html).first { $0["data-stat"] == "verdict" }
        let (start, end) = (try #require(place(line, "x1")), try #require(place(line, "x2")))
        let low = try #require(place(band, "x"))
        let high = low + (try #require(place(band, "width")))
        #expect(start < end && low < high)
        switch mark?["data-verdict"] {
        case "regressed": #expect(start > high)
        case "improved": #expect(end < low)
        case let verdict:
            #expect(verdict == "unchanged")
            #expect(start >= low && end <= high)
        }
    }

    @Test func changesHaveTheirNumbersBesideThemAndOthersHaveNot() throws {
        #expect(try chart(new: 120).contains(/class="value bad"[^>]*>\+\d+\.\d %</))
        #expect(try chart(new: 80).contains(/class="value good"[^>]*>-\d+\.\d %</))
        #expect(try !chart(new: 100, threshold: 0.1).contains("class=\"value"))
    }

    @Test func whatWasZeroShowsItsNewValue() throws {
        let base = ComparisonFixture.phase(Array(repeating: 0, count: 10))
        let comparison = try Comparison(base: [base], new: [ComparisonFixture.phase(ComparisonFixture.steady(10))])
        let figures = ComparisonFigures(comparison, drivers: DriverStyle.all(["managed"]))
        let chart = ForestChart(id: "c", metric: try #require(figures.measuredMetrics.first), figures: figures).chart
        #expect(chart.figure.html.contains(/>→ \d+\.\d ms<\/text>/))
    }

    @Test func theChartSaysInWordsWhatItShows() throws {
        let html = try chart(new: 120)
        #expect(html.contains("aria-labelledby=\"c-title c-desc\""))
        #expect(html.contains(/fetch of managed regressed, 1\.\d\d×; 0 of 1 figures neither regressed nor improved\./))
    }

    @Test(arguments: [
        ([], [0.95, 1, 1.05]), ([0.9, 1.2], [0.9, 1, 1.1, 1.2]), ([0.5, 1.2], [0.6, 0.8, 1, 1.2]),
        ([0.6, 1.9], [1, 1.5]), ([0.4, 2.2], [0.5, 1, 2]),
        ([0.001, 1_000], [0.01, 1, 100]),
    ])
    func ticksAreFewAndOneOfThemIsOne(ratios: [Double], ticks: [Double]) {
        let found = RatioAxis(ratios, from: 0, to: 100).ticks
        #expect(found.count == ticks.count && zip(found, ticks).allSatisfy { abs($0 - $1) < 1e-9 }, "\(found)")
    }

    @Test(arguments: [[1e-300, 1e300], [0, -.infinity, .nan], [1e-9], [1e12, 3]])
    func oddRatiosHaveAnAxisToo(ratios: [Double]) {
        let axis = RatioAxis(ratios, from: 0, to: 100)
        #expect(axis.ticks.count <= 5 && axis.ticks.contains { abs($0 - 1) < 1e-9 })
        #expect((0...100).contains(axis.scale.position(1)))
    }
}

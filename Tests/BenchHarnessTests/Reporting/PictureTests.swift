import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@testable import BenchHarness
@testable import BenchReport

@Suite struct PictureTests {
    private typealias Fixture = ReportFixture

    private let rows = ["sqlite", "mine"].flatMap { driver in
        (1...3).map { repetition in
            Fixture.row(driver, milliseconds: driver == "mine" ? 3 : 1_000, repetition: repetition) {
                ($0.residentPeakBytes, $0.contaminated) = (50_000_000, repetition == 2)
            }
        }
    }

    private func pictures(_ rows: [ResultRow]) -> [String: String] {
        let pictures = Report(runs: [Fixture.run(rows)]).pictures
        return Dictionary(uniqueKeysWithValues: pictures.map { ($0.name, $0.svg) })
    }

    @Test func aRunHasAPictureOfEachKindOfFigureThatItHas() {
        #expect(
            Report(runs: [Fixture.run(rows)]).pictures.map(\.name) == [
                "run-duration.svg", "run-memory.svg", "run-ratios.svg",
            ])
        #expect(pictures([Fixture.row("a", milliseconds: nil)]).isEmpty && pictures([]).isEmpty)
    }

    @Test func aPictureIsWellFormedAndNeedsNothingElse() throws {
        let hostile = "<b>\"&'\u{0}\u{FFFF}" + String(repeating: "n", count: 60)
        let pictures = pictures(rows + [Fixture.row(hostile, phase: hostile)])
        #expect(pictures.count == 3)
        for svg in pictures.values {
            #expect(XMLParser(data: Data(svg.utf8)).parse())
            #expect(!svg.contains("<script") && !svg.contains("url(") && !svg.contains("@import"))
            #expect(svg.matches(of: /https?:\/\//).count == 1, "the name of the format alone")
        }
    }

    @Test func aPictureFollowsTheSchemeAndIsOpaque() throws {
        let svg = try #require(pictures(rows)["run-duration.svg"])
        let root = try #require(Fixture.tags("svg", in: svg).first)
        let ground = try #require(Fixture.tags("rect", in: svg).first { $0["class"] == "ground" })
        #expect(ground["width"] == root["width"] && ground["height"] == root["height"])
        #expect(svg.contains("@media (prefers-color-scheme: dark)") && svg.contains(ReportPalette.ground.dark))
    }

    @Test func aPictureHasTheFiguresAndCautionsOfThePage() throws {
        let svg = try #require(pictures(rows)["run-duration.svg"])
        for text in ["Duration of each phase", ">1.00 s<", ">3.0 ms<", ">~0.003×<", "2 of 6 rows were measured while"] {
            #expect(svg.contains(text), "\(text)")
        }
        #expect(Fixture.tags("path", in: svg).filter { $0["data-repetition"] != nil }.count == 6)
    }

    @Test func aDriverHasTheColourOfThePage() throws {
        let page = Fixture.page(rows)
        let color = try #require(DriverStyle.all(["sqlite", "mine"]).last?.color)
        for text in try [page, #require(pictures(rows)["run-duration.svg"])] {
            #expect(text.contains("--\(color.name): \(color.light);"))
        }
    }

    @Test func severalRunsHaveAPictureOfTheirComparison() throws {
        let base = ComparisonFixture.phase(ComparisonFixture.steady(10, seed: 1), name: "base.csv")
        let new = ComparisonFixture.phase(ComparisonFixture.steady(10, at: 150, seed: 2), name: "new.csv")
        let comparison = try Comparison(base: [base], new: [new])
        let pictures = Report(runs: [base, new], comparison: .success(comparison)).pictures
        #expect(pictures.map(\.name) == ["new-comparison.svg"])
        for text in ["Regressed: 1 figure got worse.", "new.csv against base.csv", "class=\"interval\""] {
            #expect(pictures[0].svg.contains(text), "\(text)")
        }
    }

    /// The names share most of their letters.
    @Test func longNamesDoNotShrinkTheCharts() throws {
        let name = "customers-of-the-largest-order-of-each-month-of-the-year-"
        let long = try #require(pictures([Fixture.row(name + "one"), Fixture.row(name + "two")])["run-duration.svg"])
        let short = try #require(pictures([Fixture.row("one"), Fixture.row("two")])["run-duration.svg"])
        let widths = [long, short].map { Fixture.tags("svg", in: $0).first?["width"] }
        #expect(widths[0] == widths[1])
        #expect(long.contains("-one</text>") && long.contains("-two</text>"))
    }
}

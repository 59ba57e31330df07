import Foundation
import Testing

@testable import BenchHarness

@Suite struct GrowthSectionTests {
    private let rows = GrowthFixture.rows() + GrowthFixture.rows(driver: "sqlite", time: { pow($0, 1.2) })

    @Test func eachPointAndExponentIsOnThePage() throws {
        let page = ReportFixture.page(rows)
        #expect(page.contains("id=\"run-1-growth\"") && page.contains("href=\"#run-1-growth\""))
        let points = ReportFixture.tags("path", in: page).filter { $0["data-stat"] == "median_per_record" }
        #expect(points.count == 2 * 2 * 3)
        let own = points.filter { $0["data-driver"] == "mine" && $0["data-metric"] == "duration_ns" }
        #expect(own.map { $0["data-records"] } == ["10000", "100000", "1000000"])
        #expect(own.allSatisfy { abs((Double($0["data-value"] ?? "") ?? 0) - 100.3) < 0.01 })
        let exponents = ReportFixture.tags("td", in: page).filter { $0["data-stat"] == "exponent" }
        let steep = exponents.first { $0["data-driver"] == "sqlite" && $0["data-figure"] == "time" }
        #expect(abs((Double(steep?["data-value"] ?? "") ?? 0) - 1.2) < 0.001)
    }

    @Test func aFigureThatWasNotMeasuredHasNoChart() {
        let page = ReportFixture.page(GrowthFixture.rows(memory: { _ in nil }))
        #expect(page.contains("fetch: time per record") && !page.contains("fetch: memory per record"))
    }

    @Test func aRunAtOneSizeHasNoSuchSection() {
        #expect(!ReportFixture.page([ReportFixture.row("mine")]).contains("run-1-growth"))
    }
}

import Foundation
import Testing

@testable import BenchHarness

@Suite struct SweepSectionTests {
    private let rows =
        SweepFixture.rows(["n=100": [4, 6], "n=5": [1], "n=20": [2]])
        + SweepFixture.rows(["n=100": [7], "n=5": [7], "n=20": [7]], driver: "sqlite")

    @Test func eachPointIsOnThePage() {
        let page = ReportFixture.page(rows)
        #expect(page.contains("id=\"run-1-sweep\"") && page.contains("href=\"#run-1-sweep\""))
        let points = ReportFixture.tags("path", in: page).filter { $0["data-setting"] == "n" }
        #expect(points.count == 2 * 2 * 3)
        let own = points.filter { $0["data-driver"] == "mine" && $0["data-metric"] == "duration_ns" }
        #expect(own.map { Double($0["data-setting-value"] ?? "") } == [5, 20, 100])
        #expect(own.map { Double($0["data-value"] ?? "") } == [1e6, 2e6, 5e6])
    }

    @Test func captionsNameTheNumberAndItsAxis() {
        let page = ReportFixture.page(rows)
        #expect(page.contains("update: duration over n") && !page.contains("over n, on a logarithmic axis"))
        let far = ReportFixture.page(SweepFixture.rows(["n=1": [1], "n=100": [2]]))
        #expect(far.contains("over n, on a logarithmic axis"))
    }

    @Test func aRunWithoutListsHasNoSuchSection() {
        #expect(!ReportFixture.page(GrowthFixture.rows()).contains("run-1-sweep"))
    }
}

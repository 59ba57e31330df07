import Foundation
import Testing

@testable import BenchHarness

@Suite struct SweepSummaryTests {
    private func summary(_ rows: [ResultRow]) throws -> SweepSummary {
        try #require(SweepSummary(rows: rows, drivers: ["mine", "sqlite"]))
    }

    @Test func eachDriverHasAPointForEachNumberInAscendingOrder() throws {
        let durations = ["n=100": [3.0, 5, 4], "n=5": [1.0], "n=20": [2.0]]
        let sweep = try summary(
            SweepFixture.rows(durations) + SweepFixture.rows(["n=5": [7], "n=20": [8]], driver: "sqlite"))
        let phase = try #require(sweep.phases.first)
        #expect(sweep.phases.count == 1 && phase.key.phase == "update" && phase.setting == "n")
        #expect(phase.values == [5, 20, 100] && phase.lines.map(\.driver) == ["mine", "sqlite"])
        #expect(phase.figures.map(\.column) == ["duration_ns", "rss_peak_bytes"])
        let points = phase.lines[0].curves[0].points
        #expect(points.map(\.value) == [5, 20, 100] && points.map(\.median) == [1e6, 2e6, 4e6])
        #expect(points[2].figures == [3e6, 5e6, 4e6])
        #expect(phase.lines[1].curves[0].points.map(\.median) == [7e6, 8e6])
    }

    @Test func theNumberWithTheMostValuesIsTheAxisAndTheOthersTellPhasesApart() throws {
        let durations = [
            "n=1,m=5": [1.0], "n=2,m=5": [2.0], "n=3,m=5": [3.0], "n=1,m=6": [4.0], "n=2,m=6": [5.0], "n=3,m=6": [6.0],
        ]
        let sweep = try summary(SweepFixture.rows(durations))
        #expect(sweep.phases.map(\.key.phase) == ["update@m=5", "update@m=6"])
        #expect(sweep.phases.allSatisfy { $0.setting == "n" && $0.values == [1, 2, 3] })
        #expect(sweep.phases[1].lines[0].curves[0].points.map(\.median) == [4e6, 5e6, 6e6])
    }

    @Test func sizesTellPhasesApartToo() throws {
        let sweep = try summary(SweepFixture.rows(["n=1@10": [1], "n=2@10": [2], "n=1@200": [3], "n=2@200": [4]]))
        #expect(sweep.phases.map(\.key.phase) == ["update@10", "update@200"])
    }

    @Test(arguments: [([5.0, 100], false), ([5, 101], true), ([0, 100], false)])
    func anAxisOfMoreThanTwentyfoldIsLogarithmic(values: [Double], isLogarithmic: Bool) throws {
        let durations = values.map { ("n=\($0)", [1.0]) }
        let sweep = try summary(SweepFixture.rows(Dictionary(uniqueKeysWithValues: durations)))
        #expect(sweep.phases[0].isLogarithmic == isLogarithmic)
    }

    @Test func loadsHaveTheirRateAndLatency() throws {
        let rows = SweepFixture.rows(["n=1": [1], "n=2": [2]]) { row in
            (row.serviceP50, row.throughput, row.latencyP99) = (5, 1_000, 70)
        }
        #expect(try summary(rows).phases[0].figures.map(\.column) == ["throughput_per_s", "latency_p99_ns"])
    }

    @Test func whatIsNotVerifiedDoesNotCount() throws {
        var rows = SweepFixture.rows(["n=1": [1, 9], "n=2": [2]])
        let wrong = try #require(rows.firstIndex { $0.durationNanoseconds == 9_000_000 })
        rows[wrong].verified = false
        #expect(try summary(rows).phases[0].lines[0].curves[0].points.map(\.figures) == [[1e6], [2e6]])
    }

    @Test func aRunWithoutListsHasNoSweep() {
        #expect(SweepSummary(rows: GrowthFixture.rows(), drivers: ["mine"]) == nil)
    }

    @Test func programsGetEachPoint() throws {
        let json = try ResultSummary(rows: SweepFixture.rows(["n=1": [1, 3], "n=200": [4]])).json()
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let sweep = try #require(object["sweep"] as? [String: Any])
        let phase = try #require((sweep["phases"] as? [[String: Any]])?.first)
        #expect(phase["setting"] as? String == "n" && phase["is_logarithmic"] as? Bool == true)
        let driver = try #require((phase["drivers"] as? [[String: Any]])?.first)
        let points = try #require((driver["points"] as? [String: [[String: Any]]])?["duration_ns"])
        #expect(points.map { $0["median"] as? Double } == [2e6, 4e6])
        #expect(points.map { $0["value"] as? Double } == [1, 200])
    }

    @Test func growthKeepsVariantsApart() throws {
        let rows = GrowthFixture.rows("fetch@n=1") + GrowthFixture.rows("fetch@n=2")
        let growth = try #require(ResultSummary(rows: rows).growth)
        #expect(growth.phases.map(\.key.phase) == ["fetch@n=1", "fetch@n=2"])
    }

    @Test func comparisonsJoinVariants() throws {
        let rows = SweepFixture.rows(["n=1": [1, 1.1, 1.2], "n=20": [5, 5.1, 5.2]])
        let keys = rows.map { ComparisonKey($0) }.withoutRepeats
        #expect(keys.map(\.phase).sorted() == ["update@n=1", "update@n=20"])
        var options = ComparisonOptions()
        options.phases = ["update"]
        #expect(options.includes(phase: "update@n=20") && !options.includes(phase: "fetch@n=20"))
        options.phases = ["update@n=20"]
        #expect(options.includes(phase: "update@n=20") && !options.includes(phase: "update@n=1"))
    }
}

import Foundation
import Testing

@testable import BenchHarness

@Suite struct ResultSummaryTests {
    private func row(_ driver: String, _ phase: String, _ nanoseconds: Int?, verified: Bool? = true) -> ResultRow {
        var row = ResultRow()
        (row.scenario, row.driver, row.phase, row.kind, row.verified) = ("s", driver, phase, "fetch", verified)
        row.durationNanoseconds = nanoseconds
        return row
    }

    private func json(_ rows: [ResultRow]) throws -> [String: Any] {
        let text = try ResultSummary(rows: rows, drivers: ["sqlite"]).json()
        return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func phasesStayInOrderAndUnknownDriversFollowByName() {
        let rows = [row("b", "two", 1), row("sqlite", "two", 1), row("a", "one", 1)]
        let summary = ResultSummary(rows: rows, drivers: ["sqlite", "absent"])
        #expect(summary.drivers == ["sqlite", "a", "b"])
        #expect(summary.phases.map(\.key.phase) == ["two", "one"])
        #expect(summary.phases[0].cells.map(\.driver) == ["sqlite", "b"])
    }

    @Test func jsonHasEveryVerifiedValueAndWhatTheyComeTo() throws {
        let rows = [
            row("sqlite", "p", 10), row("mine", "p", 40), row("mine", "p", 20), row("mine", "p", 999, verified: nil),
        ]
        let object = try json(rows)
        #expect(object["left_out"] as? Int == 1 && object["rows"] as? Int == 4)
        #expect(object["baseline"] as? String == "sqlite")
        let phase = try #require((object["phases"] as? [[String: Any]])?.first)
        let mine = try #require((phase["drivers"] as? [[String: Any]])?.last)
        #expect(mine["count"] as? Int == 2 && mine["left_out"] as? Int == 1)
        #expect(mine["ratio_to_baseline"] as? Double == 3)
        let duration = try #require(mine["duration_ns"] as? [String: Any])
        #expect(duration["values"] as? [Double] == [40, 20])
        let figures = ["count", "min", "median", "max", "mad", "iqr"].map { duration[$0] as? Double }
        #expect(figures == [2, 20, 30, 40, 10, 10])
    }

    @Test func whatWasNotMeasuredIsLeftOutOfTheJSON() throws {
        let phase = try #require((json([row("mine", "p", nil)])["phases"] as? [[String: Any]])?.first)
        let mine = try #require((phase["drivers"] as? [[String: Any]])?.first)
        #expect(Set(mine.keys) == ["driver", "count", "left_out"])
    }
}

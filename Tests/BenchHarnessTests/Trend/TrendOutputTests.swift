import Foundation
import Testing

@testable import BenchHarness

@Suite struct TrendOutputTests {
    @Test func textHasARowForEachSeries() throws {
        let text = try Trend(TrendFixture.step).text(isColoured: false)
        #expect(
            text == """
                small: 16 runs, run0.csv to run15.csv

                phase  driver  metric      first     last   change  history           change points
                ─────────────────────────────────────────────────────────────────────────────────────────
                fetch  mine    duration  10.0 ms  11.9 ms  +19.0 %  ▁▂▁▁▁▁▂▁██▇████▇  +20.0 % at run8.csv

                note: not every file has a manifest: files are in the order given

                """)
    }

    @Test func aHistoryThatGotWorseIsMarked() throws {
        #expect(try Trend(TrendFixture.step).text(isColoured: true).contains("\u{1B}[31m"))
        let better = try Trend(TrendFixture.step.reversed()).text(isColoured: true)
        #expect(better.contains("\u{1B}[32m") && !better.contains("\u{1B}[31m"))
    }

    @Test func shortHistoriesNeverSayThatNothingChanged() throws {
        let text = try Trend(TrendFixture.history([10, 10, 10])).text(isColoured: false)
        #expect(text.contains("too little history"))
        #expect(!text.contains("none"))
    }

    @Test func steadyHistoriesSayThatNothingWasFound() throws {
        let runs = TrendFixture.history((0..<14).map { $0.isMultiple(of: 2) ? 10 : 10.1 })
        #expect(try Trend(runs).text(isColoured: false).contains("none found"))
    }

    @Test func markdownRepeatsTheNamesInEachRow() throws {
        let runs = ["1", "2"].map { TrendFixture.run($0, TrendFixture.row(statements: Int($0))) }
        let markdown = try Trend(runs).markdown
        #expect(markdown.hasPrefix("### small: 2 runs, 1.csv to 2.csv\n\n| phase | driver | metric |"))
        #expect(markdown.contains("| fetch | mine | statements | 1 | 2 | +100.0 % | ▁█ | +100.0 % at 2.csv |\n"))
        #expect(markdown.contains("\n- too little history"))
    }

    @Test func jsonSaysTheSame() throws {
        var runs = TrendFixture.step
        runs.insert(TrendFixture.run("empty"), at: 0)
        let json = try Trend(runs).json()
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let series = try #require((object["series"] as? [[String: Any]])?.first)
        #expect(object["version"] as? Int == 1)
        #expect(series["metric"] as? String == "duration_ns")
        #expect((series["points"] as? [Any])?.first is NSNull)
        #expect((series["change_points"] as? [[String: Any]])?.first?["run"] as? Int == 9)
        #expect(series["is_history_too_short"] as? Bool == false)
    }

    @Test func jsonLeavesOutWhatIsNotKnown() throws {
        let json = try Trend(TrendFixture.history([1, 2])).json()
        #expect(!json.contains("change_points") && !json.contains("relative_to"))
        #expect(json.contains("\"is_history_too_short\" : true"))
    }
}

import Testing

@testable import BenchHarness

@Suite struct RatioTableTests {
    private func rows(_ driver: String, _ milliseconds: [Int], cpu: Int = 1) -> [ResultRow] {
        milliseconds.enumerated().map { repetition, time in
            var row = ResultRow()
            (row.phase, row.driver, row.status, row.verified) = ("fetch", driver, .ok, true)
            (row.repetition, row.durationNanoseconds) = (repetition + 1, time * 1_000_000)
            row.cpu = time * 1_000_000 * cpu
            return row
        }
    }

    private func text(_ rows: [ResultRow]) -> String { RatioTable(rows, drivers: ["sqlite"]).text(isColoured: false) }

    @Test func aDriverIsHeldAgainstTheBaselineOfItsRepetition() {
        // The machine halves its speed over the run: medians would differ by the machine's part.
        let base = [10, 12, 14, 16, 18, 20, 22, 24]
        let text = text(rows("sqlite", base) + rows("mine", base.map { $0 / 2 }, cpu: 4))
        #expect(text.contains("0.50x (0.50 … 0.50)"))
        #expect(text.contains("2.00x (2.00 … 2.00)"))
        #expect(text.contains("8.5 ms") && text.contains("17.0 ms"))
    }

    @Test func aRunOnAServerIsHeldAgainstAServersBaseline() throws {
        let text = text(
            rows("postgres", Array(repeating: 10, count: 6)) + rows("managed-postgres", Array(repeating: 5, count: 6)))
        #expect(text.contains("÷ postgres") && !text.contains("÷ sqlite"))
        let row = try #require(text.split(separator: "\n").first { $0.contains("managed-postgres") })
        #expect(row.contains("0.50x"))
    }

    @Test func anyDriverCanBeTheBaseline() throws {
        let all = [("sqlite", 10), ("tuned", 5), ("mine", 20)].flatMap { rows($0, Array(repeating: $1, count: 6)) }
        let text = RatioTable(all, drivers: ["sqlite"], relativeTo: "tuned").text(isColoured: false)
        #expect(text.contains("÷ tuned") && !text.contains("÷ sqlite"))
        let lines = text.split(separator: "\n")
        #expect(lines.contains { $0.contains("mine") && $0.contains("4.00x") })
        #expect(lines.contains { $0.contains("sqlite") && $0.contains("2.00x") })
        #expect(lines.contains { $0.contains("tuned") && !$0.contains("x") && $0.contains("5.0 ms") })
    }

    @Test func aRatioWhoseIntervalHoldsOneIsNotShown() throws {
        let text = text(rows("sqlite", [10, 10, 10, 10, 10, 10]) + rows("mine", [5, 20, 9, 11, 8, 13]))
        let row = try #require(text.split(separator: "\n").first { $0.contains("mine") })
        #expect(row.contains("not shown ("))
    }

    @Test func fewRepetitionsHaveNoIntervalAndDecideNothing() throws {
        let text = text(rows("sqlite", [10, 10, 10]) + rows("mine", [52, 52, 52]))
        let row = try #require(text.split(separator: "\n").first { $0.contains("mine") })
        #expect(row.contains(" ~5x ") && !row.contains("…") && !row.contains("5.20x"))
        #expect(text.contains("\nRatios with ~ are of fewer than 6 repetitions, which decide nothing.\n"))
        let enough = self.text(
            rows("sqlite", Array(repeating: 10, count: 6)) + rows("mine", Array(repeating: 5, count: 6)))
        #expect(!enough.contains("~"))
    }

    @Test func onlyVerifiedPairsCountAndContaminatedRowsAreCounted() throws {
        var mine = rows("mine", [5, 5, 5, 5, 5, 5, 500])
        (mine[6].verified, mine[0].contaminated) = (false, true)
        let text = text(rows("sqlite", Array(repeating: 10, count: 7)) + mine)
        let row = try #require(text.split(separator: "\n").first { $0.contains("mine") })
        #expect(row.contains("0.50x") && row.contains("1 of 6"))
    }
}

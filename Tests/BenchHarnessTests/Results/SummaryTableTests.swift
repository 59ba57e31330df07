import Testing

@testable import BenchHarness

@Suite struct SummaryTableTests {
    private func row(_ driver: String, _ milliseconds: Int, _ status: ResultRow.Status = .ok) -> ResultRow {
        var row = ResultRow()
        (row.phase, row.driver, row.status) = ("fetch", driver, status)
        row.durationNanoseconds = milliseconds * 1_000_000
        return row
    }

    @Test func mediansAreHeldAgainstTheBaseline() {
        let rows = [
            row("sqlite", 10), row("mine", 15), row("sqlite", 30), row("mine", 45), row("sqlite", 20), row("mine", 30),
        ]
        let text = SummaryTable(rows: rows, drivers: ["sqlite", "mine"]).text(isColoured: false)
        #expect(text.contains("20.0 ms"))
        #expect(text.contains("15.0 ms … 45.0 ms"))
        #expect(text.contains("1.50x"))
        #expect(!text.contains("\u{1B}"))
    }

    @Test func figuresOfFailedPhasesCountForNothing() {
        let text = SummaryTable(rows: [row("sqlite", 10), row("mine", 99, .failed)], drivers: ["sqlite", "mine"])
            .text(isColoured: false)
        #expect(!text.contains("99.0 ms"))
        #expect(text.contains("1 failed"))
    }
}

import Testing

@testable import BenchHarness

@Suite struct SummaryTableTests {
    private func row(
        _ driver: String, _ milliseconds: Int, _ status: ResultRow.Status = .ok, verified: Bool? = true
    ) -> ResultRow {
        var row = ResultRow()
        (row.phase, row.driver, row.status, row.verified) = ("fetch", driver, status, verified)
        row.durationNanoseconds = milliseconds * 1_000_000
        row.keepsSettings = true
        return row
    }

    private func table(_ rows: [ResultRow]) -> SummaryTable {
        SummaryTable(ResultSummary(rows: rows, drivers: ["sqlite", "mine"]))
    }

    @Test func mediansAreHeldAgainstTheBaseline() {
        let rows = [
            row("sqlite", 10), row("mine", 15), row("sqlite", 30), row("mine", 45), row("sqlite", 20), row("mine", 30),
        ]
        let text = table(rows).text(isColoured: false)
        #expect(text.contains("20.0 ms"))
        #expect(text.contains("15.0 ms … 45.0 ms"))
        #expect(text.contains("1.50x"))
        #expect(!text.contains("\u{1B}") && !text.contains("left out"))
    }

    @Test(
        arguments: [
            (ResultRow.Status.failed, nil, "1 failed"), (.ok, false, "1 not verified"), (.ok, nil, "1 not verified"),
            (.interrupted, true, "1 interrupted"), (.unsupported, nil, "unsupported"),
        ] as [(ResultRow.Status, Bool?, String)])
    func whatWasNotVerifiedCountsForNothingAndIsSaid(status: ResultRow.Status, verified: Bool?, remark: String) {
        let rows = [row("sqlite", 10), row("mine", 99, status, verified: verified)]
        let text = table(rows).text(isColoured: false)
        #expect(!text.contains("99.0 ms"))
        #expect(text.contains("  \(remark)\n"))
        #expect(text.contains("1 of 2 rows are left out: 1 "))
    }

    @Test func aBaselineThatIsNoEvidenceHasNoRatios() {
        let text = table([row("sqlite", 10, verified: false), row("mine", 20)]).text(isColoured: false)
        #expect(text.contains("20.0 ms") && !text.contains("2.00x"))
    }

    @Test func loadsHaveATableOfTheirOwn() throws {
        var load = row("sqlite", 10)
        (load.phase, load.kind, load.serviceP50, load.throughput) = ("saves", "merge", 1_000, 2_500.4)
        (load.latencyP99, load.mergeP99, load.retries, load.errors) = (3_000_000, 7_000_000, 12, 0)
        var missed = load
        missed.judge(missed: ["save.p99_ms is 3, not 2"])
        let summary = ResultSummary(rows: [row("sqlite", 1), load, missed])
        let lines = SummaryTable(summary).markdown.split(separator: "\n")
        #expect(
            lines.last
                == "| saves | sqlite | 2,500/s |  | 3.0 ms |  | 7.0 ms |  | 24 | 0 | 1 of 1 missed |")
        #expect(SummaryTable(summary).text(isColoured: false).contains("throughput"))
        #expect(!table([row("sqlite", 10)]).markdown.contains("throughput"))
        #expect(try summary.json().contains("\"merge_p99_ns\""))
    }

    @Test func aDriverThatDoesNotTellItsSettingsIsNamed() throws {
        let known = row("sqlite", 10)
        var silent = row("mine", 8)
        silent.keepsSettings = nil
        let sentence = "Nothing shows that mine worked with the settings of the scenario."
        #expect(table([known, silent]).text(isColoured: false).hasSuffix("\n\(sentence)\n"))
        #expect(table([known, silent]).markdown.hasSuffix("\n\(sentence)\n"))
        #expect(try ResultSummary(rows: [known, silent]).json().contains(#""drivers_of_unknown_settings" : ["#))
        silent.keepsSettings = true
        #expect(!table([known, silent]).text(isColoured: false).contains("settings"))
    }

    @Test func markdownNamesThePhaseInEveryRow() {
        let lines = table([row("sqlite", 10), row("mine", 20)]).markdown.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[2] == "| fetch | sqlite | 10.0 ms |  |  |  |  |  |  |")
        #expect(lines[3] == "| fetch | mine | 20.0 ms |  | 2.00x |  |  |  |  |")
    }
}

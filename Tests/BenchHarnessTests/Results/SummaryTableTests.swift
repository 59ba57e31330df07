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
        let rows = [10, 30, 20, 20, 20, 20].flatMap { [row("sqlite", $0), row("mine", $0 * 3 / 2)] }
        let text = table(rows).text(isColoured: false)
        #expect(text.contains("20.0 ms"))
        #expect(text.contains("15.0 … 45.0 ms"))
        #expect(text.contains("1.50x"))
        #expect(!text.contains("\u{1B}") && !text.contains("left out"))
        #expect(!text.contains("~"))
    }

    /// Commands that took turns are compared by it.
    @Test func theCPUTimeOfCommandsIsShown() {
        let rows = (1...3).map { _ in
            var row = row("before → after", 20)
            (row.kind, row.cpu) = (PairedCommands.kind, 7_000_000)
            return row
        }
        for text in [table(rows).text(isColoured: false), table(rows).markdown] {
            #expect(text.contains("CPU") && text.contains("7.0 ms"), "\(text)")
        }
        #expect(!table([row("mine", 20)]).text(isColoured: false).contains("CPU"))
    }

    @Test func ratiosOfFewRepetitionsAreNoVerdicts() {
        let text = table([10, 30].flatMap { [row("sqlite", $0), row("mine", $0 * 7 / 5)] }).text(isColoured: false)
        #expect(text.contains(" ~1x") && !text.contains("1.40x"))
        #expect(
            text.hasSuffix(
                "\nRatios with ~ are of fewer than 6 repetitions, which decide nothing.\n"))
    }

    @Test(arguments: [
        (0.0732, "~0.07x"), (0.97, "~1x"), (1.4, "~1x"), (7.64, "~8x"), (13.4, "~10x"), (2_512, "~3000x"),
    ])
    func aRoughRatioHasOneDigit(ratio: Double, text: String) { #expect(Figure.roughRatio(ratio) == text) }

    @Test(
        arguments: [
            (ResultRow.Status.failed, nil, "1 failed"), (.ok, false, "1 not verified"), (.ok, nil, "1 not verified"),
            (.interrupted, true, "1 interrupted"), (.unsupported, nil, "unsupported"),
        ] as [(ResultRow.Status, Bool?, String)])
    func whatWasNotVerifiedCountsForNothingAndIsSaid(status: ResultRow.Status, verified: Bool?, remark: String) {
        let rows = [row("sqlite", 10), row("mine", 99, status, verified: verified)]
        let text = table(rows).text(isColoured: false)
        #expect(!text.contains("99.0 ms"))
        #expect(text.contains("  mine\n    \(remark)\n") && table(rows).markdown.contains(" | \(remark) |\n"))
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
        missed.judge(missed: ["save.p99_ms is 3, more than 2"])
        let summary = ResultSummary(rows: [row("sqlite", 1), load, missed])
        let lines = SummaryTable(summary).markdown.split(separator: "\n")
        #expect(
            lines.last
                == "| saves | sqlite | 2,500/s | 3.0 ms | 7.0 ms | 24 | 0 | 1 of 1 missed |")
        #expect(SummaryTable(summary).text(isColoured: false).contains("throughput"))
        #expect(!table([row("sqlite", 10)]).markdown.contains("throughput"))
        #expect(try summary.json().contains("\"merge_p99_ns\""))
    }

    /// A load of which the given operations, of 1,000, had no answer.
    private func load(errors: Int = 0, dropped: Int? = nil) -> ResultRow {
        var row = row("mine", 5_000)
        (row.phase, row.kind, row.serviceP50, row.latencyP50) = ("steady", "mixed", 1_000, 2_000)
        (row.errors, row.dropped, row.operations) = (errors, dropped, 1_000 - errors - (dropped ?? 0))
        if errors + (dropped ?? 0) == 0 { row.latencyMax = 9_000_000 }
        if errors + (dropped ?? 0) < 10 { row.latencyP99 = 5_000_000 }
        return row
    }

    @Test(arguments: [
        ([(0, 161)], "no bound", "161 of 1,000 operations were dropped", "p99 and max have no bound."),
        (
            [(0, 0), (50, 3), (0, 0)], "5.0 ms", "3 of 3,000 operations were dropped and 50 not done because of errors",
            "p99 and max have no bound in 1 of 3 repetitions."
        ),
        ([(0, 5), (0, 0)], "5.0 ms", "5 of 2,000 operations were dropped", "max has no bound in 1 of 2 repetitions."),
    ])
    func operationsWithoutAnAnswerAreCountedAndExplainMissingPercentiles(
        repetitions: [(errors: Int, dropped: Int)], p99: String, count: String, bounds: String
    ) throws {
        let rows = repetitions.map { load(errors: $0.errors, dropped: $0.dropped) }
        let text = table(rows).text(isColoured: false)
        #expect(text.contains("Steady of mine: \(count); they count as slower than all others, so that "), "\(text)")
        #expect(text.contains(bounds) && text.contains("  \(p99)  "), "\(text)")
        #expect(table(rows).markdown.contains(count))
        let json = try ResultSummary(rows: rows).json()
        #expect(json.contains("\"dropped\" : \(repetitions.map(\.dropped).reduce(0, +))"))
        #expect(json.contains("\"latency_max_ns\""))
    }

    /// Both took the time that they were given.
    @Test func aGivenDurationHasNoRatio() throws {
        var (own, base) = (load(), load())
        (base.driver, base.operations, own.operations) = ("sqlite", 2_000, 1_000)
        let summary = ResultSummary(rows: [own, base], drivers: ["sqlite", "mine"])
        #expect(!SummaryTable(summary).text(isColoured: false).contains("1x"))
        #expect(try summary.json().contains("\"speed\" : \"throughput_per_s\""))
        base.operations = own.operations
        let same = ResultSummary(rows: [own, base], drivers: ["sqlite", "mine"])
        #expect(SummaryTable(same).text(isColoured: false).contains("~1x"))
    }

    @Test func aLoadWithoutAnyAnswerIsShown() {
        var row = load(dropped: 1_000)
        (row.serviceP50, row.latencyP50, row.operations) = (nil, nil, 0)
        let text = table([row]).text(isColoured: false)
        #expect(text.contains("1,000 of 1,000 operations were dropped"), "\(text)")
    }

    @Test func aLoadWhoseOperationsHadAnAnswerNeedsNoRemark() {
        #expect(!table([load(), load(dropped: 0)]).text(isColoured: false).contains("operations were"))
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
        #expect(lines.count == 5)
        #expect(lines[0] == "| phase | driver | median | ratio |")
        #expect(lines[2] == "| fetch | sqlite | 10.0 ms |  |")
        #expect(lines[3] == "| fetch | mine | 20.0 ms | ~2x |")
    }

    @Test func theNumberOfRecordsIsShown() throws {
        var (one, other) = (row("sqlite", 10), row("mine", 20))
        (one.records, other.records) = (0, 0)
        #expect(table([one, other]).text(isColoured: false).contains("\nfetch, 0 records\n"))
        #expect(table([one, other]).markdown.contains("| fetch | mine | 0 | 20.0 ms | ~2x |"))
        (one.records, other.records, other.operations) = (1_000, 998, 20)
        #expect(table([one, other]).text(isColoured: false).contains("\nfetch, 998 to 1,000 records, 20 operations\n"))
        let json = try ResultSummary(rows: [one, other]).json()
        #expect(json.contains("\"records\" : {") && json.contains("\"operations\" : {"))
    }

    @Test(
        arguments: [
            (FilterReach.noRecord, "The filters of fetch and count match no record."),
            (.everyRecord, "The filters of fetch and count match every record."), (.someRecords, nil), (nil, nil),
        ] as [(FilterReach?, String?)])
    func aFilterThatChoosesNothingIsNamed(reach: FilterReach?, sentence: String?) {
        let rows = ["fetch", "count"].flatMap { phase in
            ["sqlite", "mine"].map { driver in
                var row = row(driver, 10)
                (row.phase, row.filterReach) = (phase, reach)
                return row
            }
        }
        let text = table(rows).text(isColoured: false)
        #expect(sentence.map { text.hasSuffix("\n\n\($0)\n") } ?? !text.contains("filter"), "\(text)")
    }

    /// Names, and figures with as many digits as they can have, of a phase that fills every column.
    @Test func theTableFitsIntoATerminal() {
        let rows = ["sqlite", "sqlite-tuned", "managed"].flatMap { driver in
            [(729_200, 999), (1_330_000, 888)].map { microseconds, memory in
                var row = row(driver, 1)
                (row.phase, row.records) = ("fetch-cancelled", 1_000_000)
                row.durationNanoseconds = microseconds * (driver == "sqlite-tuned" ? 73 : 1_000)
                (row.residentPeakBytes, row.queueStall, row.cancel) = (memory * 1_000_000, 573_700_000, 154_500)
                return row
            }
        }
        let lines = table(rows).text(isColoured: false).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines.joined(separator: "\n"))")
        #expect(lines[0].hasSuffix("cancel"))
    }
}

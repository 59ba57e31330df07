import Foundation
import TestSupport
import Testing

@testable import BenchHarness
@testable import BenchReport

@Suite struct ReportTests {
    private typealias Fixture = ReportFixture

    @Test func whatComesFromFilesIsEscaped() {
        let hostile = "<script>alert('x')</script>\"onload=\"x"
        let rows = [
            Fixture.row(hostile, phase: hostile) {
                ($0.scenario, $0.kind, $0.mode) = (hostile, hostile, hostile)
            },
            Fixture.row("sqlite", phase: hostile) { ($0.status, $0.error) = (.failed, hostile) },
        ]
        let html = Report(runs: [Fixture.run(rows, name: "<img src=x>.csv"), Fixture.run(rows)]).html
        #expect(!html.contains("<script"))
        #expect(!html.contains("<img"))
        #expect(!html.contains("\"onload"))
        #expect(html.contains("&lt;script&gt;"))
    }

    @Test func whatIsMissingIsADashAndNever0() throws {
        let html = Fixture.page([Fixture.row("sqlite"), Fixture.row("mine", milliseconds: nil)])
        let cells = Fixture.tags("td", in: html).filter { $0["data-driver"] == "mine" && $0["data-stat"] == "median" }
        #expect(!cells.isEmpty)
        #expect(cells.allSatisfy { $0["data-value"] == nil })
        let missing = try Regex(
            "<td[^>]*data-driver=\"mine\"[^>]*data-stat=\"median\"[^>]*><span class=\"missing\"[^>]*>–</span>")
        #expect(html.matches(of: missing).count == cells.count)
        #expect(!html.contains("0.0 MB") && !html.contains(">0 ns<"))
    }

    @Test(arguments: [Int.max, Int.min, -1, 0, 1]) func noFigureIsTooOddToShow(figure: Int) {
        let rows = ["sqlite", "mine"].flatMap { driver in
            ["sync", "async"].map { mode in
                Fixture.row(driver) {
                    ($0.mode, $0.durationNanoseconds, $0.residentPeakBytes) = (mode, figure, figure)
                    ($0.queueStall, $0.operations, $0.records) = (figure, figure, figure)
                    ($0.latencyMin, $0.latencyP50, $0.latencyMax) = (figure, figure, figure)
                }
            }
        }
        let html = Fixture.page(rows)
        #expect(!html.contains("nan") && !html.contains("\"inf") && !html.contains(">inf"))
    }

    @Test func aFileWithoutRowsSaysSo() {
        let html = Fixture.page([])
        #expect(html.contains("The file has no rows."))
        #expect(!html.contains("<table") && !html.contains("<figure"))
    }

    @Test func rowsThatDoNotCountAreListedWithTheirReasons() {
        let rows = [
            Fixture.row("sqlite"), Fixture.row("sqlite", repetition: 2) { ($0.status, $0.error) = (.failed, "lost 3") },
            Fixture.row("sqlite", repetition: 3) { $0.verified = nil },
            Fixture.row("sqlite", repetition: 4) { $0.status = .unsupported },
        ]
        let html = Fixture.page(rows)
        #expect(html.contains("3 of 4 rows are left out."))
        #expect(Fixture.tags("td", in: html).filter { $0["data-left-out"] != nil }.count == 3)
        for reason in ["lost 3", "it was not verified", "the driver cannot do this", "3 left out"] {
            #expect(html.contains(reason))
        }
    }

    @Test func aDriverThatDoesNotTellItsSettingsIsNamed() {
        let told = Fixture.row("sqlite") { $0.keepsSettings = true }
        let sentence = "Nothing shows that mine worked with the settings of the scenario."
        #expect(Fixture.page([told, Fixture.row("mine")]).contains(sentence))
        #expect(!Fixture.page([told]).contains("Nothing shows"))
    }

    @Test func aFilterThatChoosesNothingIsNamed() {
        let row = { (reach: FilterReach) in Fixture.row("sqlite") { ($0.filterReach, $0.records) = (reach, 0) } }
        #expect(Fixture.page([row(.noRecord)]).contains("The filter of fetch matches no record."))
        #expect(Fixture.page([row(.noRecord)]).contains("fetch · 0 records"))
        #expect(!Fixture.page([row(.someRecords)]).contains("The filter of"))
    }

    @Test func percentilesAreThoseOfSeveralOperations() {
        let row = { (operations: Int) in
            Fixture.row("sqlite") { ($0.operations, $0.latencyP50) = (operations, 10_000_000) }
        }
        #expect(Fixture.page([row(2)]).contains(">p50</th>") && !Fixture.page([row(1)]).contains(">p50</th>"))
    }

    @Test func contaminatedRepetitionsAreListed() {
        let html = Fixture.page([Fixture.row("sqlite") { ($0.contaminated, $0.otherCPU) = (true, 5_000_000) }])
        let caution = "1 of 1 rows were measured while other processes used the CPU, or on a slower machine."
        #expect(html.contains(caution))
        #expect(html.contains("1 contaminated") && html.contains("5.0 ms"))
    }

    @Test func thePageSaysWhatRanWhere() throws {
        let html = Report(runs: [try RecordedRun(contentsOf: Repository.million)]).html
        for fact in [
            "<h1>million</h1>", "AMD EPYC", "6.18.44", "ext4", "3.40.1", "synchronous=normal", "20240229",
            "e58d6ef73e52", "2026-11-28T00:55:24Z", "bench run million",
        ] {
            #expect(html.contains(fact), "\(fact)")
        }
        #expect(Fixture.page([Fixture.row("a")]).contains("There is no manifest beside"))
    }

    @Test func thePageIsTheSameEveryTimeAndNeedsNothingElse() throws {
        let run = try RecordedRun(contentsOf: Repository.million)
        let html = Report(runs: [run]).html
        #expect(html == Report(runs: [run]).html)
        #expect(!html.contains("<script") && !html.contains("http://") && !html.contains("https://"))
        #expect(!html.contains("url(") && !html.contains("@import"))
        #expect(Fixture.tags("link", in: html).map { $0["href"] } == ["data:,"])
        let ids = html.matches(of: /\sid="([^"]*)"/).map { String($0.1) }
        #expect(Set(ids).count == ids.count)
        let targets = html.matches(of: /href="#([^"]*)"/).map { String($0.1) }
        #expect(targets.allSatisfy(ids.contains))
    }

    @Test func withoutAComparisonThereIsNoSectionForIt() {
        let runs = [Fixture.run([Fixture.row("mine")]), Fixture.run([Fixture.row("mine")])]
        #expect(!Report(runs: runs).html.contains("id=\"comparison\""))
    }

    @Test func aPageThatCannotBeWrittenIsAnOutputError() throws {
        let folder = try TemporaryDirectory()
        let report = Report(runs: [Fixture.run([])])
        let error = #expect(throws: RunError.self) { try report.write(to: folder.file("none/page.html")) }
        #expect(error?.code == .output)
        try report.write(to: folder.file("page.html"))
        #expect(try folder.names() == ["page.html"])
    }
}

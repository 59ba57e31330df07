import Foundation
import Testing

@testable import BenchHarness
@testable import BenchReport

/// The OpenMetrics parser of Python's prometheus_client took exports of the kept million run, and of rows with odd
/// labels, failures and missing values such as these, and gave the labels back; it is strict about units, order,
/// escapes and the end.
@Suite struct OpenMetricsExportTests {
    private func text(_ rows: [ResultRow]) throws -> String {
        try ExportFormat.openMetrics.text(ExportFixture.run(rows))
    }

    private func samples(_ rows: [ResultRow], of name: String) throws -> [String] {
        try text(rows).split(separator: "\n").filter { $0.hasPrefix(name + "{") }.map(String.init)
    }

    @Test func aRunIsWrittenInFamiliesWithTheirUnits() throws {
        var row = ExportFixture.row(duration: 1_433_773_386)
        (row.cpuUser, row.cpuSystem) = (nil, nil)
        row.throughput = 0.5
        row.residentPeakBytes = 4_096
        let labels = "scenario=\"s\",driver=\"sqlite\",phase=\"fetch\",mode=\"sync\""
        #expect(
            try text([row]) == """
                # TYPE bench_repetitions gauge
                # HELP bench_repetitions Repetitions by how they ended; only those that are ok have figures.
                bench_repetitions{\(labels),status="ok"} 1
                bench_repetitions{\(labels),status="failed"} 0
                bench_repetitions{\(labels),status="unsupported"} 0
                bench_repetitions{\(labels),status="interrupted"} 0
                # TYPE bench_duration_seconds gauge
                # UNIT bench_duration_seconds seconds
                # HELP bench_duration_seconds How long the phase took.
                bench_duration_seconds{\(labels),repetition="1"} 1.433773386
                # TYPE bench_throughput_per_second gauge
                # HELP bench_throughput_per_second Records per second; for a load, operations per second.
                bench_throughput_per_second{\(labels),repetition="1"} 0.500
                # TYPE bench_rss_peak_bytes gauge
                # UNIT bench_rss_peak_bytes bytes
                # HELP bench_rss_peak_bytes The most resident memory during the phase.
                bench_rss_peak_bytes{\(labels),repetition="1"} 4096
                # TYPE bench_statements gauge
                # HELP bench_statements SQL statements run.
                bench_statements{\(labels),repetition="1"} 0
                # EOF

                """)
    }

    @Test func figuresOfWhatFailedAreLeftOutAndCounted() throws {
        var unverified = ExportFixture.row(repetition: 3)
        unverified.verified = false
        let rows = [ExportFixture.row(), ExportFixture.row(.failed, error: "broke", repetition: 2), unverified]
        #expect(try samples(rows, of: "bench_duration_seconds").count == 1)
        let counts = try samples(rows, of: "bench_repetitions").compactMap { $0.split(separator: " ").last }
        #expect(counts == ["1", "2", "0", "0"])
    }

    @Test func samplesOfAFamilyStandTogether() throws {
        let rows = [("a", "p"), ("b", "p"), ("a", "q")].map { ExportFixture.row($0, phase: $1) }
        let names = try text(rows).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: "{").first }
        var runs: [Substring] = []
        for name in names where runs.last != name { runs.append(name) }
        #expect(Set(runs).count == runs.count)
    }

    @Test func labelsAreEscaped() throws {
        let sample = try samples([ExportFixture.row("a\\b\"c\nd")], of: "bench_statements").first
        #expect(sample?.contains(#"driver="a\\b\"c\nd""#) == true)
    }

    @Test func anEmptyModeIsNoLabel() throws {
        var row = ExportFixture.row()
        row.mode = ""
        #expect(try !text([row]).contains("mode="))
    }

    @Test func twoRowsWithTheSameLabelsAreRefused() {
        let error = #expect(throws: RunError.self) { try text([ExportFixture.row(), ExportFixture.row()]) }
        #expect(error?.description.hasPrefix("t.csv: \"sqlite\", \"fetch\", repetition 1 occurs twice") == true)
    }

    @Test(arguments: ExportFormat.allCases) func aTableWithoutRowsIsRefused(format: ExportFormat) {
        let error = #expect(throws: RunError.self) { try format.text(ExportFixture.run([])) }
        #expect(error?.description == "t.csv: no rows; expected the results of a run")
    }

    @Test func noFigureIsNamedAsOtherKindsOfMetricsAre() {
        for (column, figure) in ResultColumn.figures {
            let name = OpenMetricsFamily(column, figure).name
            #expect(!["_total", "_count", "_sum", "_bucket", "_info", "_created"].contains { name.hasSuffix($0) })
        }
    }
}

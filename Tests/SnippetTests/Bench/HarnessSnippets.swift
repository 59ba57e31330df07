import Foundation
import TestSupport
import Testing

@testable import BenchHarness
@testable import BenchReport

/// The snippets of the harness. What they name relative to the working directory is relative to the package here.
@Suite struct HarnessSnippets {
    private let directory: TemporaryDirectory
    private let csv = Repository.million

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Stands in for the initialiser: a name without a folder is that of a recorded run, and `b.csv` that of another.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    private func URL(fileURLWithPath path: String) -> Foundation.URL {
        if path == "b.csv" { return Repository.url("Results/costs/cache-2000.csv") }
        return path.contains("/") ? Repository.url(path) : csv
    }

    /// Stands in for the initialiser.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    private func ScenarioLocator() -> BenchHarness.ScenarioLocator {
        BenchHarness.ScenarioLocator(workingDirectory: Repository.root)
    }

    // Inlined, it makes the optimiser of Swift 6.3 crash.
    @Test @inline(never) func resultSummary() throws {
        // snippet.ResultSummary
        let run = try RecordedRun(contentsOf: URL(fileURLWithPath: "Results/million/million.csv"))
        print(SummaryTable(ResultSummary(rows: run.rows)).markdown)
        // snippet.end
    }

    @Test func exportFormat() throws {
        // snippet.ExportFormat
        let run = try RecordedRun(contentsOf: URL(fileURLWithPath: "Results/million/million.csv"))
        try ExportFormat.openMetrics.write(run) { print($0, terminator: "") }
        // snippet.end
    }

    @Test func csvReader() throws {
        let file = try InputFile(csv, kind: "a CSV")
        // snippet.CSVReader
        var reader = CSVReader(file: "a.csv", source: file.read)
        while try reader.advance() { print(reader.record.text(0)) }
        // snippet.end
    }

    @Test func percentileSpectrum() throws {
        let csv = directory.file("million.csv")
        let text = "       Value     Percentile TotalCount 1/(1-Percentile)\n\n       2.000 1.000000000000          1\n"
        try directory.write(text, to: "million-sqlite-merge.hgrm")
        // snippet.PercentileSpectrum
        let file = PercentileSpectrum.url(beside: csv, driver: "sqlite", phase: "merge")
        let slowest = try PercentileSpectrum(contentsOf: file).points.last?.milliseconds
        // snippet.end
        #expect(slowest == 2)
    }

    @Test func trend() throws {
        // snippet.Trend
        let trend = try Trend(["a.csv", "b.csv"].map { try RecordedRun(contentsOf: URL(fileURLWithPath: $0)) })
        print(trend.text(isColoured: false))
        // snippet.end
    }

    @Test func report() throws {
        let page = directory.file("report.html")
        // snippet.Report
        let report = Report(runs: [try RecordedRun(contentsOf: csv)])
        try report.write(to: page)
        // snippet.end
        #expect(FileManager.default.fileExists(atPath: page.path))
    }

    @Test func scenarioReader() throws {
        // snippet.ScenarioReader
        let url = try ScenarioLocator().locate("million")
        let scenario = try ScenarioReader(drivers: ["managed", "sqlite"]).read(contentsOf: url)
        // snippet.end
        #expect(scenario.name == "million")
    }

    @Test func recordOrder() throws {
        let entity = EntitySpec(
            name: "Item", attributes: [AttributeSpec(name: "name", type: .string, generator: .constant(.null))])
        let work = FetchWork(mode: .sync, sort: [SortSpec(key: "name")])
        var records: [[FieldValue]] = [[.string("b")], [.null], [.string("a")]]
        // snippet.RecordOrder
        let order = try RecordOrder(work.sort, of: entity)
        records.sort(by: order.areInIncreasingOrder)
        // snippet.end
        #expect(records == [[.null], [.string("a")], [.string("b")]])
    }

    @Test func fetchExpectation() throws {
        let entity = EntitySpec(
            name: "Item", attributes: [AttributeSpec(name: "name", type: .string, generator: .constant(.string("a")))])
        let store = ExpectedStore(generator: RecordGenerator(entity: entity, seed: 1))
        let expectation = store.expectation(for: FetchWork(mode: .sync))
        let fetched: any FetchedRecords = FileRecords(values: [])
        // snippet.FetchExpectation
        var digester = expectation.makeDigester()
        try fetched.digest(into: &digester)
        let verdict = expectation.discrepancy(in: digester)  // nil: all is well
        // snippet.end
        #expect(verdict == nil)
    }
}

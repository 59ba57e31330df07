import Foundation
import TestSupport
import Testing

@testable import BenchHarness
@testable import BenchReport

/// The tables and pictures of the README and of Results show what their files hold.
@Suite struct PublishedTableTests {
    @Test(arguments: PublishedTable.all) func aPublishedTableShowsItsResult(table: PublishedTable) throws {
        let section = GeneratedSection(table.name, of: table.page)
        #expect(try section.discrepancy(from: table.markdown()) == nil)
    }

    @Test(arguments: [
        ("million/million", "duration", ["managed", "sqlite", "sqlite-tuned"]), ("load/rates", "rates", []),
        ("growth/related", "growth", []),
    ])
    func aPublishedPictureShowsItsResult(result: String, picture: String, drivers: [String]) throws {
        let run = try RecordedRun(contentsOf: Repository.url("Results/\(result).csv"))
        let report = Report(runs: [drivers.isEmpty ? run : try run.keeping(drivers: drivers)])
        let svg = try #require(report.pictures.first { $0.name.hasSuffix("-\(picture).svg") }).svg
        let file = Repository.url("Results/\(result)-\(picture).svg")
        if GeneratedSection.renews { try svg.write(to: file, atomically: true, encoding: .utf8) }
        let isSame = try String(contentsOf: file, encoding: .utf8) == svg
        #expect(isSame, "make pages renews the picture")
    }

    @Test func theTableOfRunsNamesEveryKeptResult() throws {
        let section = GeneratedSection("runs", of: "Results/README.md")
        #expect(try section.discrepancy(from: RunTable.markdown()) == nil)
    }
}

extension PublishedTable: CustomTestStringConvertible {
    var testDescription: String { name }
}

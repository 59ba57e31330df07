import TestSupport
import Testing

@testable import BenchHarness

/// The tables of the README and of Results show what their files hold.
@Suite struct PublishedTableTests {
    @Test(arguments: PublishedTable.all) func aPublishedTableShowsItsResult(table: PublishedTable) throws {
        let section = GeneratedSection(table.name, of: table.page)
        #expect(try section.discrepancy(from: table.markdown()) == nil)
    }

    @Test func theTableOfRunsNamesEveryKeptResult() throws {
        let section = GeneratedSection("runs", of: "Results/README.md")
        #expect(try section.discrepancy(from: RunTable.markdown()) == nil)
    }
}

extension PublishedTable: CustomTestStringConvertible {
    var testDescription: String { name }
}

import Foundation
import TestSupport
import Testing

@testable import BenchHarness

/// The parts of the manual that are made from the code are as the code says.
@Suite struct GeneratedPageTests {
    private static let folder = "Sources/BenchHarness/BenchHarness.docc"

    @Test func theTableOfColumnsIsThatOfTheCode() throws {
        #expect(ColumnTables.columns.map(\.name) == ResultColumn.all.map(\.name))
        let section = GeneratedSection("columns", of: "\(Self.folder)/ReadingTheTable.md")
        #expect(try section.discrepancy(from: ColumnTables.markdown) == nil)
    }

    @Test func theKeysOfAScenarioAreThoseOfTheSchema() throws {
        let schema = try Data(contentsOf: ScenarioFixture.folder.appending(path: "schema.json"))
        let tables = SchemaTables(try JSONReader.read(Array(schema)))
        let section = GeneratedSection("keys", of: "\(Self.folder)/ScenarioKeys.md")
        #expect(try section.discrepancy(from: tables.markdown) == nil)
    }

    @Test func theVersionsOfFormatsAreThoseOfTheCode() throws {
        let section = GeneratedSection("versions", of: "\(Self.folder)/Versions.md")
        #expect(try section.discrepancy(from: VersionTable.markdown) == nil)
    }
}

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

    @Test func theSchemaOfScenariosIsThatOfTheCode() throws {
        let file = ScenarioFixture.folder.appending(path: "schema.json")
        if GeneratedSection.renews { try Data(ScenarioSchema.text.utf8).write(to: file) }
        let isRenewed = try Data(contentsOf: file) == Data(ScenarioSchema.text.utf8)
        #expect(isRenewed, "Scenarios/schema.json is not what the code describes; make pages renews it")
    }

    @Test func theKeysOfAScenarioAreThoseOfTheSchema() throws {
        let tables = SchemaTables(try JSONReader.read(Array(ScenarioSchema.text.utf8)))
        let section = GeneratedSection("keys", of: "\(Self.folder)/ScenarioKeys.md")
        #expect(try section.discrepancy(from: tables.markdown) == nil)
    }

    @Test func theVersionsOfFormatsAreThoseOfTheCode() throws {
        let section = GeneratedSection("versions", of: "\(Self.folder)/Versions.md")
        #expect(try section.discrepancy(from: VersionTable.markdown) == nil)
    }
}

import Foundation
import MemoryDriver
import TestSupport
import Testing

@testable import BenchDrivers
@testable import BenchHarness
@testable import DriverConformance

/// Entities that inherit, related in every way.
@Suite struct InheritanceScenarioTests {
    private func rows(_ driver: any StoreDriver, _ json: String) async throws -> [ResultRow] {
        try await ScenarioReader().read(Data(json.utf8), file: "gallery.json").rows(by: driver)
    }

    @Test(arguments: DriverCase.all + [DriverCase(MemoryDriver())] + DriverCase.onServer, [true, false])
    func everyPhaseIsVerified(_ subject: DriverCase, isCircular: Bool) async throws {
        let json = InheritanceScenario.json(isCircular: isCircular, prefetches: isCircular)
        let rows = try await rows(subject.driver, json)
        #expect(rows.count == InheritanceScenario.phases(prefetches: isCircular).count)
        expectVerified(rows, unsupported: subject.unsupported)
    }

    /// A save may have one record of each entity, of which some lead to others.
    @Test(arguments: DriverCase.all + [DriverCase(MemoryDriver())] + DriverCase.onServer)
    func recordsKeepTheirNumbersWhenEachIsSavedAlone(_ subject: DriverCase) async throws {
        let fill = #"{ "name": "fill", "kind": "seed", "from": "empty", "save_every_records": 1 }"#
        expectVerified(
            try await rows(subject.driver, InheritanceScenario.json([fill], isCircular: true)), unsupported: [])
    }

    /// What relationships of entities that inherit keep is verified, too, and by which keys records are known.
    @Test(arguments: [
        "UPDATE ZPOST SET ZCOVER = (SELECT max(Z_PK) FROM ZATTACHMENT) WHERE Z_PK = 2",
        "UPDATE ZATTACHMENT SET Z_PK = 700 WHERE Z_PK = 7", "UPDATE ZATTACHMENT SET Z_FOK_FRAME = -Z_FOK_FRAME",
        "UPDATE ZATTACHMENT SET ZORIGINAL = Z_PK WHERE ZORIGINAL IS NOT NULL",
        "UPDATE OR IGNORE Z_10PICTURES SET Z_3PICTURES = Z_3PICTURES + 1",
        "UPDATE Z_10PICTURES SET Z_FOK_3PICTURES = -Z_FOK_3PICTURES",
    ])
    func aDriverThatChangesWhatInheritsFails(_ sql: String) async throws {
        let update = #"""
            { "name": "restock", "kind": "update", "entity": "Product", "from": "seeded", "mode": "per_object",
              "set": { "stock": { "add": 1 } } }
            """#
        let product = #"""
            , { "name": "Product", "records": 3, "attributes": [
              { "name": "stock", "type": "int64", "generator": { "kind": "sequence" } }] }], "phases"
            """#
        let json = InheritanceScenario.json([update], isCircular: false).replacing(#"], "phases""#, with: product)
        let row = try #require(try await rows(Meddling(base: SQLiteDriver(), sql: sql), json).first)
        #expect(row.status == .failed && row.error.contains("does not hold the expected values"), "\(row.error)")
    }
}

import ForwardingDriver
import Foundation
import MemoryDriver
import TestSupport
import Testing

@testable import BenchDrivers
@testable import BenchHarness
@testable import DriverConformance

/// Scenarios with several entities: every kind of phase, about each of them.
@Suite struct EntitiesScenarioTests {
    private func rows(_ driver: any StoreDriver, _ json: String = EntitiesScenario.json) async throws -> [ResultRow] {
        try await scenario(json).rows(by: driver)
    }

    private func scenario(_ json: String) throws -> Scenario {
        try ScenarioReader().read(Data(json.utf8), file: "shop.json")
    }

    /// What a record leads to may be the next one to be read, which another worker has changed meanwhile.
    @Test(arguments: DriverCase.all + [DriverCase(MemoryDriver())] + DriverCase.onServer)
    func workersReadAndChangeRecordsThatLeadToEachOther(_ subject: DriverCase) async throws {
        let json = #"""
            { "version": 3, "name": "chain", "records": 20, "isolation": "none", "entities": [{
              "name": "Link",
              "attributes": [{ "name": "number", "type": "int64", "unique": true, "generator": { "kind": "sequence" } }],
              "relationships": [{ "name": "previous", "to": "Link", "inverse": "later" }] }],
              "phases": [{ "name": "change", "kind": "mixed", "from": "seeded", "workers": 2, "operation_count": 600,
                "operations": { "read_modify_write": 2, "scan": 1 } }] }
            """#
        expectVerified(try await rows(subject.driver, json), unsupported: [])
    }

    /// On a server, some names are in other scripts; in files, other tests show those.
    @Test(arguments: DriverCase.all + [DriverCase(MemoryDriver())] + DriverCase.onServer)
    func everyPhaseIsVerified(_ subject: DriverCase) async throws {
        let json = subject.driver.server == nil ? EntitiesScenario.json : Self.ofOtherScripts()
        let rows = try await rows(subject.driver, json)
        #expect(rows.count == EntitiesScenario.phases.count)
        let custom = subject.driver.name == "managed-postgres" ? ["check"] : []
        expectVerified(rows, unsupported: subject.unsupported + custom)
    }

    @Test func aDriverOfOneEntitySaysSo() async throws {
        let rows = try await rows(OneEntity())
        #expect(rows.allSatisfy { $0.status == .unsupported && $0.error == "its stores hold records of one entity" })
    }

    @Test func aDriverThatLeavesWhatBelongsToDeletedRecordsFails() async throws {
        let rows = try await rows(Careless())
        let failed = rows.filter { $0.status == .failed }.map(\.phase)
        #expect(
            failed == [
                "delete-large-orders", "delete-large-orders-at-once", "forget-who-waits-at-once", "delete",
                "count-lines", "delete-at-once", "forget", "count-orders", "forget-at-once",
            ])
        let delete = try #require(rows.first { $0.phase == "delete" })
        #expect(delete.error.contains(/the store holds \d+ records; expected \d+/), "\(delete.error)")
    }

    /// The drivers whose stores are meddled with: one for each reader of stores.
    private static let readable =
        [DriverCase(SQLiteDriver())] + DriverCase.onServer.filter { $0.driver.name == "postgres" }

    /// A record of another entity than that of the phase is verified, too.
    @Test(
        arguments: readable,
        [
            (#"UPDATE "ZPRODUCT" SET "ZSTOCK" = 7777 WHERE "Z_PK" = 2"#, "does not hold the expected values"),
            (#"UPDATE "ZLINE" SET "ZORDER" = "ZORDER" % 9 + 1 WHERE "Z_PK" = 2"#, "does not hold the expected values"),
            (#"UPDATE "ZTAG" SET "Z_PK" = 70 WHERE "Z_PK" = 7"#, "does not hold the expected values"),
            (#"UPDATE "ZVARIANT" SET "Z_FOK_PRODUCT" = -"Z_FOK_PRODUCT""#, "does not hold the expected values"),
            (#"DELETE FROM "Z_4TAGS" WHERE "Z_4PRODUCTS" IN (2, 3, 4)"#, "records; expected"),
            (
                #"UPDATE "Z_4TAGS" SET "Z_4PRODUCTS" = "Z_4PRODUCTS" + 30 WHERE "Z_4PRODUCTS" < 5"#,
                "does not hold the expected values"
            ),
        ])
    func aDriverThatChangesAnotherEntityFails(_ subject: DriverCase, _ change: (String, String)) async throws {
        let (sql, reason) = change
        let rows = try await rows(
            Meddling(base: subject.driver, sql: sql), EntitiesScenario.json([EntitiesScenario.phase("restock")]))
        let update = try #require(rows.first)
        #expect(update.status == .failed && update.error.contains(reason), "\(update.error)")
    }

    @Test func aLoadThatChangesAnotherEntityFails() async throws {
        let meddling = Meddling(base: SQLiteDriver(), sql: "UPDATE ZCUSTOMER SET ZCITY = 'Genf' WHERE Z_PK = 2")
        let saves = try #require(
            try await rows(meddling, EntitiesScenario.json([EntitiesScenario.phase("saves")])).first)
        let message = "the load changed records of other entities"
        #expect(saves.status == .failed && saves.error.contains(message), "\(saves.error)")
    }

    @Test func aLoadThatLeavesRecordsWithTheirOldOrderFails() async throws {
        let rows = try await rows(Unmoving(), EntitiesScenario.json([EntitiesScenario.phase("move-lines")]))
        let moves = try #require(rows.first)
        #expect(moves.status == .failed && moves.error.contains("order"), "\(moves.error)")
    }

    /// What `bench describe` writes of such a store is a scenario like it.
    @Test(arguments: DriverCase.all) func aStoreOfItsOwnIsDescribed(_ subject: DriverCase) async throws {
        let scenario = try scenario(EntitiesScenario.json)
        let (described, rows) = try await onThread {
            let folder = try TemporaryDirectory()
            try seed(scenario, by: subject.driver, in: folder.url)
            let survey = try SQLiteSurveyor().survey(RecordFile.url(in: folder.url))
            let text = try DescribedScenario(named: "shop", of: survey, from: "shop.sqlite", entity: nil).text
            var described = try ScenarioReader().read(Data(text.utf8), file: "shop.json")
            described.isolation = .none
            let stores = try TemporaryDirectory()
            return (described, try described.reports(by: subject.driver, in: stores.url).map(\.row))
        }
        let sizes = described.entities.map { "\($0.name) \($0.records ?? described.records)" }
        #expect(sizes == ["Line 600", "Order 200", "Variant 70", "Product 30", "Customer 20", "Tag 9"])
        let leads = described.entities.flatMap { entity in
            entity.toOnes.map { "\(entity.name) to \($0.entityName)\($0.isOrdered ? " in order" : "")" }
                + (entity.links ?? []).map { "\(entity.name) to \($0.min) to \($0.max) of \($0.entityName)" }
        }
        #expect(
            Set(leads) == [
                "Line to Order", "Line to Product", "Order to Customer", "Variant to Product in order",
                "Product to 0 to 4 of Tag",
            ])
        for row in rows { #expect(row.status == .ok && row.verified == true, "\(row.phase): \(row.error)") }
    }

    private func seed(_ scenario: Scenario, by driver: any StoreDriver, in folder: URL) throws {
        let configuration = StoreConfiguration(
            directory: folder, schema: scenario.schema, options: scenario.store,
            records: RecordGenerator(entity: scenario.entity, seed: 1))
        let session = try driver.open(configuration)
        try session.seed(SeedWork(), records: scenario.records, monitor: PhaseMonitor())
        try session.close()
    }

    /// The shop, with products whose entity and relationships have names in other scripts.
    private static func ofOtherScripts(_ json: String = EntitiesScenario.json) -> String {
        json.replacing("\"Product", with: "\"日本").replacing("\"product", with: "\"품목")
    }

    @Test func whatAServerCannotDoWithAnotherEntityIsUnsupported() throws {
        let phases = [EntitiesScenario.phase("tagged-products"), EntitiesScenario.phase("restock")]
        let long = String(repeating: "x", count: 63)
        for (name, replacement, reason) in [
            (
                "\"prefix\": \"Tag \"", "\"prefix\": \"Täg \"",
                "ASCII letters as all drivers do, but tags.name has others"
            ),
            ("\"name\": \"quantity\"", "\"name\": \"\(long)\"", "its name of \(long), has 64; shorten"),
            ("\"inverse\": \"products\"", "\"inverse\": \"\(long)\"", "its name of \(long), has 66; shorten"),
        ] {
            let scenario = try scenario(EntitiesScenario.json(phases).replacing(name, with: replacement))
            for driver in [PostgreSQLDriver(), PostgreSQLTunedDriver()] as [any StoreDriver] {
                let found = scenario.reasonUnsupported(at: 0, by: driver)
                #expect(found?.contains(reason) == true, "\(found ?? "supported")")
            }
        }
        let fitting = EntitiesScenario.json(phases).replacing(
            "\"name\": \"quantity\"", with: "\"name\": \"\(long.dropLast())\"")
        #expect(try scenario(fitting).reasonUnsupported(at: 0, by: PostgreSQLDriver()) == nil)
    }

    @Test(arguments: [(EntitiesScenario.json, "Z_4TAGS"), (ofOtherScripts(), "Z_4품목S")])
    func filesHaveTheSameTables(_ json: String, _ pairs: String) async throws {
        let scenario = try scenario(json)
        let drivers = DriverCase.all.map(\.driver)
        let schemas = try await onThread {
            try drivers.map { driver in
                let folder = try TemporaryDirectory()
                try seed(scenario, by: driver, in: folder.url)
                let file = try PlainConnection(file: RecordFile.url(in: folder.url), flags: 1)
                let statement = try file.prepare("SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY name")
                var schema: [String] = []
                while try statement.step() { schema.append(statement.string(0).replacing("\"", with: "")) }
                return schema
            }
        }
        for schema in schemas { #expect(schema == schemas[0]) }
        #expect(schemas[0].contains { $0.hasPrefix("CREATE TABLE \(pairs) ") })
    }
}

/// Opens stores that hold one entity, from which none inherits.
struct OneEntity: StoreDriver {
    let name = "one-entity"
    let summary = "for tests"
    var sessionType: any StoreSession.Type { MemoryDriver().sessionType }

    func open(_ configuration: StoreConfiguration) throws -> any StoreSession { try MemoryDriver().open(configuration) }
}

/// Opens stores in which nothing belongs to another record.
private struct Careless: StoreDriver {
    let name = "careless"
    let summary = "for tests"
    var sessionType: any StoreSession.Type { SQLiteDriver().sessionType }

    func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        try SQLiteDriver().open(configuration.changingReferences { $0.deleteRule = nil })
    }

    func obstacle(to feature: Schema.Feature) -> String? { nil }

    func inspector(of configuration: StoreConfiguration) -> (any StoreInspector)? {
        SQLiteDriver().inspector(of: configuration)
    }
}

/// Changes the records of a load, but none of their relationships.
private struct Unmoving: StoreDriver {
    let name = "unmoving"
    let summary = "for tests"
    var sessionType: any StoreSession.Type { ForwardingSession.self }

    func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        let own = configuration.entity.attributesOfItsOwn.count
        return LoadCheating(try SQLiteDriver().open(configuration)) { operation, worker, reading in
            var operation = operation
            if case .attributes(let attributes, let revision) = operation.change {
                let kept = attributes.indices.filter { attributes[$0] < own }
                operation.change = .attributes(kept.map { attributes[$0] }, revision: revision)
                operation.assigned = operation.assigned.map { values in kept.map { values[$0] } }
            }
            return try worker.perform(operation, reading: &reading)
        }
    }

    func obstacle(to feature: Schema.Feature) -> String? { nil }

    func inspector(of configuration: StoreConfiguration) -> (any StoreInspector)? {
        SQLiteDriver().inspector(of: configuration)
    }
}

/// Changes something else, too, whenever it changes products, or lines in a load.
struct Meddling: StoreDriver {
    let name = "meddling"
    let summary = "for tests"
    let base: any StoreDriver
    let sql: String
    var sessionType: any StoreSession.Type { ForwardingSession.self }
    var server: (any StoreServer)? { base.server }

    func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        let session = try base.open(configuration)
        let meddle = {
            guard let stores = base.server as? ServerStores else {
                let connection = try RecordFile(configuration).connect()
                try connection.execute(sql)
                return try connection.close()
            }
            let connection = try ServerStore(configuration, at: stores.requireAddress()).connect()
            try connection.execute(sql)
            connection.close()
        }
        switch configuration.entity.name {
        case "Product": return Session(session, meddle)
        case "Line":
            return LoadCheating(session) { operation, worker, reading in
                try meddle()
                return try worker.perform(operation, reading: &reading)
            }
        default: return session
        }
    }

    func obstacle(to feature: Schema.Feature) -> String? { nil }

    func inspector(of configuration: StoreConfiguration) -> (any StoreInspector)? {
        base.inspector(of: configuration)
    }

    private final class Session: ForwardingSession {
        private let meddle: () throws -> Void

        init(_ base: any StoreSession, _ meddle: @escaping () throws -> Void) {
            self.meddle = meddle
            super.init(base)
        }

        override func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {
            try super.update(work, monitor: monitor)
            try meddle()
        }
    }
}

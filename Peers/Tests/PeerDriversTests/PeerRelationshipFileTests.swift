import BenchDrivers
import BenchHarness
import CLMDB
import DriverConformance
import Foundation
import GRDB
import Testing

@testable import PeerDrivers

/// What stores of several entities keep of relationships.
@Suite struct PeerRelationshipFileTests {
    @Test func tablesOfSeveralEntitiesHaveForeignKeysAndOtherwiseTheBaselinesColumnsAndIndexes() throws {
        let (own, baseline) = (try TemporaryStore(shop()), try TemporaryStore(shop()))
        try SQLiteDriver().open(baseline.configuration).close()
        let pool = try PeerStore(own.configuration).open()
        let plain = try DatabaseQueue(path: SQLiteDriver.file(in: baseline.configuration.directory).path)
        for table in ["ZLINE", "ZORDER", "ZPRODUCT", "ZVARIANT", "Z_4TAGS"] {
            let (found, wanted) = (try pool.read { try Shape(table, $0) }, try plain.read { try Shape(table, $0) })
            #expect(found == wanted)
        }
        let keys = try pool.read { try String.fetchAll($0, sql: Self.foreignKeys) }
        #expect(
            keys
                == [
                    "ZLINE.ZORDER ZORDER CASCADE", "ZLINE.ZPRODUCT ZPRODUCT SET NULL",
                    "ZORDER.ZCUSTOMER ZCUSTOMER CASCADE",
                    "ZVARIANT.ZPRODUCT ZPRODUCT CASCADE", "Z_4TAGS.Z_4PRODUCTS ZPRODUCT CASCADE",
                    "Z_4TAGS.Z_5TAGS ZTAG CASCADE",
                ].sorted())
        try pool.close()
        withExtendedLifetime((own, baseline)) {}
    }

    private static let foreignKeys = """
        SELECT t.name || '.' || k."from" || ' ' || k."table" || ' ' || k.on_delete
        FROM sqlite_master t JOIN pragma_foreign_key_list(t.name) k WHERE t.type = 'table' ORDER BY 1
        """

    /// The columns and indexes of a table.
    private struct Shape: Equatable {
        let columns: [String]
        let indexes: [String]

        init(_ table: String, _ db: Database) throws {
            columns = try db.columns(in: table).map { "\($0.name) \($0.type) \($0.primaryKeyIndex)" }
            indexes = try db.indexes(on: table).map { "\($0.name) \($0.columns) \($0.isUnique)" }.sorted()
        }
    }

    /// An inspector of LMDB would otherwise take the numbers of an order's lines for granted.
    @Test func aTreeThatLacksARecordIsFound() throws {
        let store = try TemporaryStore(shop())
        let session = try LMDBSession(store.configuration)
        try session.seed(SeedWork(), records: 20, monitor: PhaseMonitor())
        #expect(try session.checkIntegrity() == [])
        session.close()
        let damaged = try LMDBStore(store.configuration, flags: 0)
        try damaged.transaction { cursor in
            let line = try #require(damaged.schema.entities.first { $0.name == "Line" }).record
            let order = try #require(try cursor.transaction.record(1, of: line)?.number(line, 0))
            try cursor.transaction.index("Line.order").remove(1, under: order)
        }
        #expect(
            try LMDBWitness(store.configuration).checkIntegrity()
                == ["Line.order has 599 numbers, and lacks 1 of 600"])
        withExtendedLifetime(store) {}
    }

    private func shop() throws -> Scenario {
        try ScenarioReader().read(Data(EntitiesScenario.json.utf8), file: "shop.json")
    }
}

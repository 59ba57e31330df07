import BenchHarness
import Foundation
import Testing

@testable import BenchDrivers
@testable import DriverConformance

@Suite struct DriverFileTests {
    @Test(arguments: DriverCase.all)
    func tablesAreLaidOutAsDocumented(_ subject: DriverCase) async throws {
        try await onThread {
            let store = try CheckedStore(subject.driver)
            let session = try store.open()
            let file = try PlainConnection(file: RecordFile.url(in: store.configuration.directory), flags: 1)
            #expect(
                try file.columns("ZITEM") == [
                    "Z_PK INTEGER", "Z_ENT INTEGER", "Z_OPT INTEGER", "ZDONE INTEGER", "ZCREATEDAT TIMESTAMP",
                    "ZNAME VARCHAR",
                ])
            #expect(try file.columns("Z_METADATA") == ["Z_VERSION INTEGER", "Z_UUID VARCHAR(255)", "Z_PLIST BLOB"])
            #expect(
                try file.columns("Z_PRIMARYKEY") == [
                    "Z_ENT INTEGER", "Z_NAME VARCHAR", "Z_SUPER INTEGER", "Z_MAX INTEGER",
                ])
            #expect(try file.columns("Z_MODELCACHE") == ["Z_CONTENT BLOB"])
            try session.close()
        }
    }

    @Test(arguments: DriverCase.all)
    func columnsAreOrderedByKindThenByName(_ subject: DriverCase) async throws {
        try await onThread {
            let store = try CheckedStore(subject.driver, entity: .everything)
            let session = try store.open()
            let file = try PlainConnection(file: RecordFile.url(in: store.configuration.directory), flags: 1)
            #expect(
                try file.columns("ZSAMPLE").dropFirst(3) == [
                    "ZFLAG INTEGER", "ZRANK INTEGER", "ZAT TIMESTAMP", "ZGRÖSSE FLOAT", "ZWEIGHT FLOAT",
                    "ZNOTE VARCHAR",
                    "ZTEXT VARCHAR", "ZTITLE VARCHAR", "ZPAYLOAD BLOB",
                ])
            try session.close()
        }
    }

    @Test(arguments: DriverCase.all)
    func versionsAreCountedAndTheLargestKeyIsKept(_ subject: DriverCase) async throws {
        try await onThread {
            let store = try CheckedStore(subject.driver)
            let session = try store.seeded(100)
            let file = try PlainConnection(file: RecordFile.url(in: store.configuration.directory), flags: 1)
            #expect(try file.integer("SELECT min(Z_OPT) * 10 + max(Z_OPT) FROM ZITEM") == 11)
            for mode in UpdateWork.Mode.allCases {
                try session.update(
                    UpdateWork(
                        mode: mode, set: [AttributeChange(attribute: "done", operation: .toggle)], chunkSize: 64))
            }
            #expect(try file.integer("SELECT min(Z_OPT) * 10 + max(Z_OPT) FROM ZITEM") == 44)
            #expect(try file.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Item'") == 100)
            #expect(try file.integer("SELECT Z_PK FROM ZITEM WHERE ZNAME = 'Item 41'") == 42)
            #expect(try file.integer("SELECT count(DISTINCT Z_ENT) FROM ZITEM") == 1)
            try session.close()
        }
    }

    @Test(arguments: DriverCase.all)
    func aCheckpointEmptiesTheLogIntoTheDatabase(_ subject: DriverCase) async throws {
        try await onThread {
            let store = try CheckedStore(subject.driver)
            let session = try store.seeded(500)
            try session.checkpoint()
            let log = store.configuration.directory.appendingPathComponent("store.sqlite-wal")
            // Asked of the file's attributes: Foundation leaks when it reads an empty file.
            #expect(try FileManager.default.attributesOfItem(atPath: log.path)[.size] as? Int == 0)
            try session.close()
        }
    }

    @Test(arguments: DriverCase.all)
    func theStoreOpensWithTheSettingsOfTheScenario(_ subject: DriverCase) async throws {
        try await onThread {
            let store = try CheckedStore(subject.driver, options: StoreOptions(pageSizeBytes: 8_192))
            try store.seeded(10).close()
            let file = try PlainConnection(file: RecordFile.url(in: store.configuration.directory), flags: 1)
            #expect(try file.integer("PRAGMA page_size") == 8_192)
            #expect(try file.integer("SELECT count(*) FROM pragma_journal_mode WHERE journal_mode = 'wal'") == 1)
        }
    }

    @Test func connectionsSortAsTheDriversSay() throws {
        let store = try CheckedStore(SQLiteDriver())
        let connection = try RecordFile(store.configuration).connect()
        #expect(try connection.integer("PRAGMA temp_store") == 1)
        // SQLite limits the number.
        #expect(try connection.integer("PRAGMA threads") == Int64(min(SQLiteSorting.threads, 8)))
        for driver: any StoreDriver in [SQLiteDriver(), SQLiteTunedDriver()] {
            #expect(driver.properties["temp_store"] == "FILE")
            #expect(driver.properties["threads"] == String(SQLiteSorting.threads))
        }
        try connection.close()
    }

    @Test(arguments: DriverCase.all)
    func aMissingDirectoryIsReported(_ subject: DriverCase) async throws {
        try await onThread {
            let store = try CheckedStore(subject.driver)
            var configuration = store.configuration
            configuration.directory.appendPathComponent("missing")
            let error = #expect(throws: (any Error).self) { _ = try subject.driver.open(configuration) }
            #expect(String(describing: try #require(error)).contains(configuration.directory.path))
        }
    }
}

extension PlainConnection {
    /// Names and declared types of a table's columns, in their order.
    fileprivate func columns(_ table: String) throws -> [String] {
        let statement = try prepare("SELECT name || ' ' || type FROM pragma_table_info(?) ORDER BY cid")
        try statement.bind(table, at: 1)
        var columns: [String] = []
        while try statement.step() { columns.append(statement.string(0)) }
        return columns
    }
}

import BenchHarness
import CSQLite
import Foundation
import Testing

@testable import BenchDrivers
@testable import DriverConformance

@Suite("Inspecting a store file")
struct StoreFileInspectorTests {
    @Test("finds rows without a version")
    func versions() throws {
        let store = try damaged("UPDATE ZITEM SET Z_OPT = 0 WHERE Z_PK = 3")
        #expect(try inspector(store).checkIntegrity() == ["1 rows of ZITEM have no version"])
    }

    @Test("finds a largest key that is too small")
    func largestKey() throws {
        let store = try damaged("UPDATE Z_PRIMARYKEY SET Z_MAX = 2")
        #expect(try inspector(store).checkIntegrity() == ["Z_MAX is 2, but ZITEM has the key 10"])
    }

    @Test("finds a value of another type")
    func types() throws {
        let store = try damaged("UPDATE ZITEM SET ZDONE = 'yes' WHERE Z_PK = 4")
        var digester = RecordDigester()
        let error = #expect(throws: DriverError.self) { try inspector(store).scan(into: &digester) }
        #expect(error?.description == "done of the row with key 4 is not stored as a bool")
    }

    @Test("does not make a store where there is none")
    func missing() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        #expect(throws: DriverError.self) { try RecordFileInspector(file: file, entity: .item).checkIntegrity() }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    private func inspector(_ store: CheckedStore) -> RecordFileInspector {
        RecordFileInspector(file: RecordFile.url(in: store.configuration.directory), entity: .item)
    }

    /// Ten records, and what `sql` did to them.
    private func damaged(_ sql: String) throws -> CheckedStore {
        let store = try CheckedStore(SQLiteDriver())
        try store.seeded(10).close()
        let file = RecordFile.url(in: store.configuration.directory)
        try PlainConnection(file: file, flags: SQLITE_OPEN_READWRITE).execute(sql)
        return store
    }
}

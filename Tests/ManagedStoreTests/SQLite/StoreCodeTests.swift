import CSQLite
import Testing

@testable import ManagedStore

@Suite struct StoreCodeTests {
    @Test func anErrorOfSQLitesCarriesItsCode() throws {
        let connection = try Connection(path: ":memory:", flags: SQLITE_OPEN_READWRITE, options: SQLiteStoreOptions())
        let error = expectError(.storeFailure) { try connection.execute("SELECT nothing") }
        #expect(error?.storeCode == .sqlite(SQLITE_ERROR) && error?.sqliteCode == SQLITE_ERROR)
        #expect(error?.storeCode?.description == "SQLite 1")
        #expect(error?.description.hasSuffix("[SELECT nothing]") == true)
    }

    /// A code of another engine may be a number too.
    @Test func aCodeOfAnotherEngineIsNotSQLites() {
        let error = StoreError(.busy, "", storeCode: .init(domain: "Server", code: "40001"))
        #expect(error.sqliteCode == nil)
        #expect(StoreError(.busy, "").sqliteCode == nil)
    }
}

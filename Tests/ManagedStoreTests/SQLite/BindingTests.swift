import CSQLite
import Testing

@testable import ManagedStore

@Suite struct BindingTests {
    /// SQLite would run the statement with null in the value's place.
    @Test(arguments: [StoredValue.string(String(repeating: "a", count: 200)), .binaryData(.init(count: 200))])
    func aValueThatSQLiteRefusesIsAnErrorAndNotNull(_ value: StoredValue) throws {
        let connection = try Connection(
            path: ":memory:", flags: SQLITE_OPEN_READWRITE, options: SQLiteStoreOptions())
        sqlite3_limit(connection.handle, SQLITE_LIMIT_LENGTH, 100)
        let statement = try connection.statement("SELECT ?")
        statement.bind(1, value)
        expectError(.storeFailure) { try statement.step() }
        statement.bind(1, .string("short"))
        #expect(try statement.step() && statement.string(0) == "short")
    }
}

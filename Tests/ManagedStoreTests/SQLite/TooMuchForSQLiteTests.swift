import CSQLite
import Testing

@testable import ManagedStore

@Suite struct TooMuchForSQLiteTests {
    /// Too much for SQLite is no matter of the disk.
    @Test(arguments: [
        String(repeating: "(", count: 200) + "1" + String(repeating: ")", count: 200),
        Array(repeating: "1", count: 2_000).joined(separator: "+"),
        Array(repeating: "1", count: 3_000).joined(separator: ","),
        "1 FROM " + Array(repeating: "(SELECT 1)", count: 65).joined(separator: ","),
    ])
    func whatSQLiteFindsTooMuchBlamesTheRequest(_ expression: String) throws {
        let connection = try Connection(
            path: ":memory:", flags: SQLITE_OPEN_READWRITE, options: SQLiteStoreOptions())
        let error = expectError(.invalidRequest) { try connection.statement("SELECT \(expression)") }
        #expect(error?.message.contains("exceeds a limit of SQLite") == true)
    }

    @Test func aStatementThatIsTooLongBlamesTheRequest() throws {
        let connection = try Connection(
            path: ":memory:", flags: SQLITE_OPEN_READWRITE, options: SQLiteStoreOptions())
        sqlite3_limit(connection.handle, SQLITE_LIMIT_SQL_LENGTH, 100)
        let text = "SELECT '\(String(repeating: "a", count: 200))'"
        expectError(.invalidRequest) { try connection.statement(text) }
        let other = expectError(.storeFailure) { try connection.statement("SELECT a FROM b") }
        #expect(other?.message.contains("SQLite rejects a statement on :memory:: no such table: b") == true)
    }
}

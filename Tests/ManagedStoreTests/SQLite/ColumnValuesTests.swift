import CSQLite
import Testing

@testable import ManagedStore

@Suite struct ColumnValuesTests {
    private func connection() throws -> Connection {
        try Connection(path: ":memory:", flags: SQLITE_OPEN_READWRITE, options: SQLiteStoreOptions())
    }

    private static let queries = [
        "SELECT 7", "SELECT 1, 2.5, 'text', x'00FF', NULL, -9",
        "WITH t(a, b) AS (VALUES (1, 'one'), (2, NULL), (3, x'01')) SELECT b, a, a + 0.5 FROM t ORDER BY b",
        "SELECT 1, 'one' UNION ALL SELECT 2, 'two'",
        "WITH t(a, b) AS (VALUES (1, 'one'), (2, 'two')) SELECT COUNT(*), MAX(b), 5, a FROM t GROUP BY a",
    ]

    @Test(arguments: queries) func theyAreTheValuesOfTheColumns(_ query: String) throws {
        let connection = try connection()
        for isMeasured in [true, false] {
            let statement = try connection.statement(query)
            // What a statement finds whose values don't lie side by side.
            statement.valueDistance = isMeasured ? nil : 0
            var rows = 0
            while try statement.step() {
                let values = statement.values
                for column in 0..<sqlite3_column_count(statement.handle) {
                    #expect(values[column].type == statement.type(column))
                    #expect(values[column].int64 == statement.int64(column))
                    #expect(values[column].double == statement.double(column))
                    #expect(values[column].bytes.elementsEqual(statement.bytes(column)))
                }
                rows += 1
            }
            #expect(rows > 0)
        }
        withExtendedLifetime(connection) {}
    }

    /// Otherwise they are read in a slower way, and nothing else tells.
    @Test func thisSQLiteComputesARowInNeighbouringRegisters() throws {
        let connection = try connection()
        let statement = try connection.statement("SELECT 1, 'two', 3.0")
        #expect(try statement.step())
        _ = statement.values
        #expect(try #require(statement.valueDistance) > 0)
        withExtendedLifetime(connection) {}
    }
}

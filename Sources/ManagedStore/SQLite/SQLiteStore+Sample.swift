/// Telling common values from rare ones.
///
/// SQLite knows nothing of the values in a file unless something runs `ANALYZE`. A test for one value may meet a single
/// row or nearly all: most orders of a shop are sent. An index that leads to most of a table's rows takes twice as long
/// as to read them all, and of two tests, the one that few rows pass should be the first.
extension SQLiteStore {
    /// Returns the generator for a query that runs on a connection.
    func generator(_ plan: FetchPlan, on connection: Connection) -> SQLGenerator {
        SQLGenerator(plan.source, schema) { condition, table in
            // What fails here fails again in the query itself.
            try? self.share(of: condition, in: table, connection)
        }
    }

    /// The rows looked at, evenly spread over the keys.
    private static let sampledRows: Int64 = 32
    /// The greatest key of a table that is read in no time.
    private static let fewRows: Int64 = 1_000

    /// Returns the share of a table's rows that meet a condition, by a look at some of them. Nil for a small table, and
    /// if an index finds the rows, which SQLite takes for few.
    private func share(
        of condition: ResolvedPredicate, in table: EntityTable, _ connection: Connection
    ) throws(StoreError) -> Double? {
        guard condition.readsEachRow(of: table) else { return nil }
        let rows = SQLGenerator(table.source, schema, alias: "t1")
        let steps = StoredValue.integer64(Self.sampledRows - 1)
        // The greatest key is a scalar query, which SQLite answers without a scan.
        let query =
            SQLFragment(
                sql: """
                    WITH RECURSIVE places(n, last) AS (SELECT 0, (SELECT MAX(Z_PK) FROM \(table.name)) \
                    UNION ALL SELECT n + 1, last FROM places WHERE n < ?) SELECT COUNT(*), SUM(
                    """, bindings: [steps])
            + rows.condition(condition)
            + SQLFragment(
                sql: """
                    ) FROM places CROSS JOIN \(table.name) t1 \
                    WHERE last > ? AND t1.Z_PK = 1 + n * ((last - 1) / ?)
                    """, bindings: [.integer64(Self.fewRows), steps])
        return try read(query, .uncontrolled, on: connection) { statement throws(StoreError) in
            guard try statement.step(), statement.int64(0) >= Self.sampledRows / 4 else { return nil }
            return Double(statement.int64(1)) / Double(statement.int64(0))
        }
    }
}

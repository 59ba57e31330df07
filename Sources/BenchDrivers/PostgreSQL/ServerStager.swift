import BenchHarness
import ManagedStore

/// Makes the initial states of phases in a store on a server. The seeded copy is a schema of its own, whose tables have
/// the same content, and the statements that make their indexes in place of the indexes.
struct ServerStager: StoreStager {
    let store: ServerStore

    var hasSeeded: Bool {
        get throws {
            let connection = try store.connectForUpkeep()
            return try connection.integer(
                "SELECT count(*) FROM pg_namespace WHERE nspname = '\(store.seededSchema)'") != 0
        }
    }

    func empty() throws {
        let connection = try store.connectForUpkeep()
        try connection.transaction { try replace(store.schema, connection) }
    }

    func keepSeeded() throws {
        let connection = try store.connectForUpkeep()
        try connection.transaction {
            try replace(store.seededSchema, connection)
            for table in try tables(of: store.schema, connection) {
                try copy(table, from: store.schema, to: store.seededSchema, connection)
                // It never changes; the server need not look after it during a phase.
                try connection.execute(
                    "ALTER TABLE \(store.seededSchema).\(table) SET (autovacuum_enabled = off)")
            }
            try connection.execute(
                "CREATE TABLE \(store.seededSchema).\(Self.definitions) AS \(Self.definitions(of: store.schema))")
        }
    }

    /// Fills new tables: a server has no faster way that needs no other database.
    func restoreSeeded() throws {
        let connection = try store.connectForUpkeep()
        let tables = try self.tables(of: store.seededSchema, connection).filter { $0 != Self.definitions }
        try connection.transaction {
            try replace(store.schema, connection)
            for table in tables { try copy(table, from: store.seededSchema, to: store.schema, connection) }
            let definitions = "SELECT sql FROM \(store.seededSchema).\(Self.definitions) ORDER BY rank"
            for definition in try texts(definitions, connection) { try connection.execute(definition) }
        }
        // Otherwise the first phase would mark the rows as committed, and the planner would know nothing of them.
        for table in tables { try connection.execute("VACUUM ANALYZE \(store.schema).\(table)") }
        connection.writePages()
    }

    /// The table of the statements that make the indexes.
    private static let definitions = "bench_definitions"

    /// Returns the query of the statements that make the constraints and the indexes of a schema, under their names.
    private static func definitions(of schema: String) -> String {
        """
        SELECT 0 AS rank, format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, \
        pg_get_constraintdef(oid)) AS sql FROM pg_constraint \
        WHERE connamespace = '\(schema)'::regnamespace AND contype IN ('p', 'u') UNION ALL \
        SELECT 1, pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid \
        WHERE c.relnamespace = '\(schema)'::regnamespace \
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)
        """
    }

    /// Makes a schema anew. Its comment is the folder, by which it is found when a run ends.
    private func replace(_ schema: String, _ connection: ServerConnection) throws {
        let path = store.folder.path.replacing("'" as Unicode.Scalar, with: "''")
        try connection.execute("DROP SCHEMA IF EXISTS \(schema) CASCADE")
        try connection.execute("CREATE SCHEMA \(schema)")
        try connection.execute("COMMENT ON SCHEMA \(schema) IS '\(path)'")
    }

    private func copy(_ table: String, from: String, to: String, _ connection: ServerConnection) throws {
        try connection.execute("CREATE TABLE \(to).\(table) (LIKE \(from).\(table) INCLUDING DEFAULTS)")
        try connection.execute("INSERT INTO \(to).\(table) SELECT * FROM \(from).\(table)")
    }

    /// Returns the names of a schema's tables, in quotes.
    private func tables(of schema: String, _ connection: ServerConnection) throws -> [String] {
        try texts("SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = '\(schema)' ORDER BY 1", connection)
    }

    private func texts(_ sql: String, _ connection: ServerConnection) throws -> [String] {
        let answer = try connection.run(sql)
        return (0..<answer.rows).map { answer.row($0).string(0) }
    }
}

import Foundation

/// The tables that every store has, and those of a model's entities.
enum Schema {
    private static let statements = SchemaStatements(dialect: SQLiteDialect())

    /// Creates the tables of a new store.
    static func create(on connection: Connection, _ sources: [ObjectIDSource], identifier: UUID) throws(StoreError) {
        try connection.execute(
            """
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
            """)
        let tables = SchemaStatements.tables(numberedAnew: sources)
        let joins = sources.first.map { JoinTable.all($0.model, tables) } ?? []
        for statement in statements.creations(tables) + joins.flatMap(statements.creations) {
            try connection.execute(statement)
        }
        try number(tables, on: connection)
        let row = try connection.statement("INSERT INTO Z_METADATA VALUES (1, ?, ?)")
        row.bind(1, .string(identifier.uuidString))
        row.bind(2, .binaryData(try StoreMetadata.encode([:], over: nil)))
        try row.run()
    }

    /// Enters the entities in `Z_PRIMARYKEY`.
    private static func number(_ tables: [EntityTable], on connection: Connection) throws(StoreError) {
        for table in tables.sorted(by: { $0.entityNumber < $1.entityNumber }) {
            try connection.execute(statements.entry(of: table, among: tables).sql)
        }
    }

    /// Whether the file was never written. A damaged file may appear to have no tables.
    ///
    /// - Throws: `StoreError` with `incompatibleStore` for a database without tables that is not new.
    static func isEmpty(_ connection: Connection) throws(StoreError) -> Bool {
        if try number("SELECT COUNT(*) FROM sqlite_master", connection) > 0 { return false }
        guard try number("PRAGMA page_count", connection) <= 1, try number("PRAGMA schema_version", connection) == 0
        else {
            throw StoreError(
                .incompatibleStore,
                "\(connection.path) is a SQLite file that had tables and has none now; restore it from a copy; it "
                    + "was left as it is"
            )
        }
        return true
    }

    private static func number(_ query: String, _ connection: Connection) throws(StoreError) -> Int64 {
        let row = try connection.statement(query)
        defer { row.reset() }
        return try row.step() ? row.int64(0) : 0
    }

    /// The latest known version of the file format; Core Data has used no other.
    private static let knownVersion = 1

    /// Returns the store's UUID.
    ///
    /// - Throws: `StoreError` with `incompatibleStore` if the file is not a store, or has a later format.
    static func identifier(_ connection: Connection) throws(StoreError) -> UUID {
        let columns = try number(
            """
            SELECT COUNT(*) FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' \
            AND upper(t.name) = 'Z_METADATA' AND upper(c.name) IN ('Z_VERSION', 'Z_UUID', 'Z_PLIST')
            """,
            connection)
        guard columns == 3 else {
            throw StoreError(
                .incompatibleStore, "\(connection.path) is a SQLite file, but not a store: it has no Z_METADATA table")
        }
        let metadata = try connection.statement("SELECT Z_VERSION, Z_UUID, Z_PLIST FROM Z_METADATA")
        defer { metadata.reset() }
        guard try metadata.step() else {
            throw StoreError(
                .incompatibleStore, "\(connection.path): Z_METADATA has no row; restore the file from a copy")
        }
        guard metadata.int64(0) <= Int64(knownVersion) else {
            throw StoreError(
                .incompatibleStore,
                "\(connection.path) is of version \(metadata.int64(0)), later than \(knownVersion), the latest "
                    + "known version "
                    + "here; open it with a newer ManagedStore")
        }
        guard let identifier = UUID(uuidString: metadata.string(1)) else {
            throw StoreError(
                .incompatibleStore, "\(connection.path): Z_METADATA holds no valid UUID; restore the file from a copy")
        }
        guard StoreMetadata.isReadable(Data(metadata.bytes(2))) else {
            throw StoreError(
                .incompatibleStore,
                "\(connection.path): Z_METADATA has no property list in Z_PLIST; restore the file from a copy")
        }
        return identifier
    }
}

import Foundation

/// The tables that every store has, and those of a model's entities, in the first schema of the search path.
struct PostgreSQLSchema {
    let connection: PostgreSQLConnection
    let dialect: PostgreSQLDialect
    let options: PostgreSQLStoreOptions
    private let statements: SchemaStatements

    /// What was found in a database.
    struct Content {
        let identifier: UUID
        let sources: [ObjectIDSource]
        let schema: SQLSchema
        var metadata: [String: StoredValue] = [:]
    }

    /// Reads the store, or creates it or adds what it lacks. If two processes create or migrate the same store, one
    /// does it and the other one finds it done.
    static func openOrCreate(
        _ model: ManagedObjectModel, _ pool: PostgreSQLConnectionPool, _ dialect: PostgreSQLDialect
    ) throws(StoreError) -> Content {
        let areLocked = dialect.abilities.contains(.advisoryLocks)
        func attempt<Result>(
            _ body: (PostgreSQLSchema) throws(StoreError) -> Result
        ) throws(StoreError) -> Result {
            // Without locks, the second process fails where the first one was faster.
            try pool.retrying(after: { $0.isWorthRetrying || !areLocked && $0.isCollision }) { () throws(StoreError) in
                try pool.use { connection throws(StoreError) in
                    try body(PostgreSQLSchema(connection, dialect, pool.options))
                }
            }
        }
        if let whole = try attempt({ schema throws(StoreError) in try schema.readWhole(model) }) { return whole }
        return try attempt { schema throws(StoreError) in try schema.complete(model) }
    }

    private init(
        _ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect, _ options: PostgreSQLStoreOptions
    ) {
        (self.connection, self.dialect, self.options) = (connection, dialect, options)
        statements = SchemaStatements(dialect: dialect)
    }

    /// Reads a store that lacks nothing, and waits for nobody: a process that creates or migrates the store may take
    /// long, or be stopped. Nil if the store lacks something, or if others keep it from being read.
    private func readWhole(_ model: ManagedObjectModel) throws(StoreError) -> Content? {
        try checkServer()
        do throws(StoreError) {
            return try connection.endingSnapshot { () throws(StoreError) in
                // Several queries must see the same tables.
                try connection.beginSnapshot()
                return try content(model)
            }
        } catch {
            if error.sqlState == "55P03" { return nil }
            throw error
        }
    }

    /// Creates the store, or adds what it lacks, and reads it, in a transaction.
    private func complete(_ model: ManagedObjectModel) throws(StoreError) -> Content {
        try connection.repeatableTransaction { () throws(StoreError) in
            if dialect.abilities.contains(.advisoryLocks) { try OpeningLock(connection: connection).take() }
            // Another process may have been faster.
            if let content = try content(model) { return content }
            if try !hasTable("Z_METADATA") { try create(model) }
            try addMissing(model)
            return try content(find(model))
        }
    }

    private static let oldestServer = 11

    private func checkServer() throws(StoreError) {
        guard connection.serverVersion >= Self.oldestServer * 10_000 else {
            throw refuse("is on a server older than PostgreSQL \(Self.oldestServer); use a newer one")
        }
        guard let encoding = connection.setting("server_encoding"), encoding != "UTF8" else { return }
        throw StoreError(
            .incompatibleStore,
            "\(connection.address.name) has the encoding \(encoding), which cannot hold every text; create the "
                + "database with ENCODING 'UTF8'")
    }

    private func hasTable(_ name: String) throws(StoreError) -> Bool {
        let found = try ask(
            "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = ?", [.string(name)])
        return found.count > 0
    }

    private func ask(_ sql: String, _ values: [StoredValue] = []) throws(StoreError) -> QueryResult {
        try connection.query(SQLFragment(sql: sql, bindings: values), dialect)
    }

    private func refuse(_ reason: String) -> StoreError {
        StoreError(.incompatibleStore, "\(connection.address.name) \(reason)")
    }
}

// MARK: - Creating

extension PostgreSQLSchema {
    private func create(_ model: ManagedObjectModel) throws(StoreError) {
        guard try ask("SELECT current_schema()")[0].bytes(0) != nil else {
            throw refuse("has no schema to create tables in; create one, and name it in the search path of the user")
        }
        let identifier = UUID()
        let sources = ObjectIDSource.all(model, identifier)
        let tables = SchemaStatements.tables(numberedAnew: sources)
        try connection.execute(
            """
            CREATE TABLE "Z_METADATA" ("Z_VERSION" bigint PRIMARY KEY, "Z_UUID" text, "Z_PLIST" bytea); \
            CREATE TABLE "Z_PRIMARYKEY" \
            ("Z_ENT" bigint PRIMARY KEY, "Z_NAME" \(dialect.columnType(.text)), "Z_SUPER" bigint, "Z_MAX" bigint)
            """)
        let joins = JoinTable.all(model, tables)
        for statement in statements.creations(tables) + joins.flatMap(statements.creations) {
            try connection.execute(statement)
        }
        try spread(tables, joins, besides: [])
        for table in tables { try connection.execute(statements.entry(of: table, among: tables).sql) }
        let plist = try StoreMetadata.encode([:], over: nil, type: .postgreSQL)
        _ = try ask(
            "INSERT INTO \"Z_METADATA\" VALUES (1, ?, ?)", [.string(identifier.uuidString), .binaryData(plist)])
    }
}

// MARK: - Reading

extension PostgreSQLSchema {
    /// The latest known version of the layout.
    private static let knownVersion = 1

    /// What a database has, next to what a model wants.
    private struct Finding {
        let identifier: UUID
        let metadata: [String: StoredValue]
        let sources: [ObjectIDSource]
        let comparison: SchemaComparison
        let defaults: RequiredDefaults
    }

    private func find(_ model: ManagedObjectModel) throws(StoreError) -> Finding {
        let metadata = try ask("SELECT \"Z_VERSION\", \"Z_UUID\", \"Z_PLIST\" FROM \"Z_METADATA\"")
        guard metadata.count == 1, let identifier = UUID(uuidString: metadata[0].string(1)) else {
            throw refuse("has a table Z_METADATA without the row of a store; restore the database from a copy")
        }
        guard metadata[0].int64(0) <= Self.knownVersion else {
            throw refuse("is of a later version, \(metadata[0].int64(0)); open it with a newer ManagedStore")
        }
        let sources = ObjectIDSource.all(model, identifier)
        let plist = metadata[0].bytes(2).map { Data($0) } ?? Data()
        let comparison = try compare(sources)
        let schema = SQLSchema(tables: comparison.tables, joins: comparison.joins, dialect: dialect)
        return Finding(
            identifier: identifier, metadata: StoreMetadata.decode(plist), sources: sources, comparison: comparison,
            defaults: RequiredDefaults(schema, noted: StoreMetadata.required(plist)))
    }

    /// Returns the content of the store; nil if it lacks something.
    private func content(_ model: ManagedObjectModel) throws(StoreError) -> Content? {
        guard try hasTable("Z_METADATA"), try hasTable(CommitToken.tableName) else { return nil }
        let found = try find(model)
        guard found.comparison.additions.isEmpty, try indexes.changes(found.comparison.tables).isEmpty,
            found.defaults.areNoted || !options.migratesAutomatically
        else { return nil }
        return try content(found)
    }

    /// Adds what the store lacks of the model.
    private func addMissing(_ model: ManagedObjectModel) throws(StoreError) {
        var found = try find(model)
        if !found.comparison.additions.isEmpty {
            let old = Set(found.comparison.existing.tableNames)
            try migrate(found.comparison.additions)
            found = try find(model)
            try spread(found.comparison.tables, found.comparison.joins, besides: old)
        }
        try addTokens()
        try fill(found.defaults)
        for change in try indexes.changes(found.comparison.tables) { try indexes.make(change) }
    }

    private func content(_ found: Finding) throws(StoreError) -> Content {
        let (tables, joins) = (found.comparison.tables, found.comparison.joins)
        return Content(
            identifier: found.identifier, sources: found.sources,
            schema: SQLSchema(
                tables: tables, joins: joins, dialect: dialect, completeColumns: try indexes.completeColumns(tables)),
            metadata: found.metadata)
    }

    private var indexes: PostgreSQLIndexes { PostgreSQLIndexes(connection, dialect) }

    /// Adds the table of tokens. A user who may only read needs none.
    private func addTokens() throws(StoreError) {
        if try hasTable(CommitToken.tableName) { return }
        try ifAllowed("tokens") { () throws(StoreError) in try connection.execute(CommitToken.creation) }
    }

    /// Fills in the defaults of attributes that have become required. A user who may only read sees what there is.
    private func fill(_ defaults: RequiredDefaults) throws(StoreError) {
        if defaults.areNoted || !options.migratesAutomatically { return }
        try ifAllowed("defaults") { () throws(StoreError) in
            try migrate([SchemaAddition("", defaults.filling)])
            let before = try ask("SELECT \"Z_PLIST\" FROM \"Z_METADATA\" FOR UPDATE")[0].bytes(0).map { Data($0) }
            let plist = try StoreMetadata.noting(required: defaults.names, in: before ?? Data())
            _ = try ask("UPDATE \"Z_METADATA\" SET \"Z_PLIST\" = ?", [.binaryData(plist)])
        }
    }

    /// Changes what a user who may only read, or a standby server, leaves as it is.
    private func ifAllowed(_ savepoint: String, _ body: () throws(StoreError) -> Void) throws(StoreError) {
        try connection.execute("SAVEPOINT \(savepoint)")
        do throws(StoreError) {
            try body()
        } catch {
            guard ["42501", "25006"].contains(error.sqlState) else { throw error }
            try connection.execute("ROLLBACK TO SAVEPOINT \(savepoint)")
        }
    }

    private func spread(
        _ tables: [EntityTable], _ joins: [JoinTable], besides old: Set<String>
    ) throws(StoreError) {
        try CitusDistribution(connection: connection, dialect: dialect).spread(tables, joins, besides: old)
    }

    /// - Throws: `StoreError` with `incompatibleStore` for differences that no migration may remove.
    private func compare(_ sources: [ObjectIDSource]) throws(StoreError) -> SchemaComparison {
        let existing = try PostgreSQLTables(connection)
        guard let model = sources.first?.model else { throw refuse("was opened with a model without entities") }
        let tables = EntityTable.all(sources, numbers: existing.numbers(of: model), existing: existing)
        let joins = JoinTable.all(model, tables, existing: existing)
        let comparison = SchemaComparison(
            model, SQLSchema(tables: tables, joins: joins, dialect: dialect), with: existing)
        if !comparison.differences.isEmpty { throw misfit(comparison.differences + comparison.additions.map(\.text)) }
        if !comparison.additions.isEmpty, !options.migratesAutomatically {
            throw misfit(comparison.additions.map(\.text) + ["set migratesAutomatically to add this"])
        }
        return comparison
    }

    /// Adds the parts of the model that the database lacks. Rows stay in place and keep their versions.
    private func migrate(_ additions: [SchemaAddition]) throws(StoreError) {
        do throws(StoreError) {
            for fragment in additions.flatMap(\.statements) {
                guard fragment.bindings.allSatisfy(dialect.says) else {
                    throw refuse("cannot hold a default value with the character NUL; give the attribute another one")
                }
                _ = try connection.query(fragment, dialect)
            }
        } catch {
            throw StoreError(
                error.code,
                "\(connection.address.name) could not be migrated to the model and was left as it is: "
                    + error.message, sql: error.sql, storeCode: error.storeCode)
        }
    }

    private func misfit(_ differences: [String]) -> StoreError {
        refuse("does not fit the model: \(differences.joined(separator: "; ")); it was left as it is")
    }
}

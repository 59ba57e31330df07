import Foundation

/// The tables that every store has, and those of a model's entities, in the first schema of the search path.
struct PostgreSQLSchema {
    let connection: PostgreSQLConnection
    let dialect: PostgreSQLDialect
    private let statements: SchemaStatements

    /// What was found in a database.
    struct Content {
        let identifier: UUID
        let sources: [ObjectIDSource]
        let schema: SQLSchema
        var metadata: [String: StoredValue] = [:]
    }

    init(_ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect) {
        (self.connection, self.dialect) = (connection, dialect)
        statements = SchemaStatements(dialect: dialect)
    }

    /// The number of the lock that processes hold while they create a store.
    private static let creationLock = 0x4D61_6E61_6765_6453

    /// Reads the store, or creates it, in a transaction. If two processes create the same store, one does it and the
    /// other one finds it done.
    func openOrCreate(_ model: ManagedObjectModel) throws(StoreError) -> Content {
        try checkServer()
        try connection.execute("SELECT pg_advisory_xact_lock(\(Self.creationLock))")
        if try !hasTable("Z_METADATA") { try create(model) }
        return try read(model)
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
            ("Z_ENT" bigint PRIMARY KEY, "Z_NAME" text COLLATE "C", "Z_SUPER" bigint, "Z_MAX" bigint)
            """)
        let joins = JoinTable.all(model, tables)
        for statement in statements.creations(tables) + joins.flatMap(statements.creations) {
            try connection.execute(statement)
        }
        for table in tables { try connection.execute(statements.entry(of: table, among: tables).sql) }
        for table in tables { try createIndexes(table) }
        let plist = try StoreMetadata.encode([:], over: nil, type: .postgreSQL)
        _ = try ask(
            "INSERT INTO \"Z_METADATA\" VALUES (1, ?, ?)", [.string(identifier.uuidString), .binaryData(plist)])
    }

    /// Creates the constraints and indexes of an entity. A constraint that is checked at the end of a statement, or of
    /// a transaction, lets rows exchange values.
    private func createIndexes(_ table: EntityTable) throws(StoreError) {
        let entity = table.source.entity
        let name = dialect.identifier(table.name)
        let columns = { (positions: [Int]) in
            positions.map { dialect.identifier(table.columns[$0]) }.joined(separator: ", ")
        }
        for constraint in entity.ownUniqueness {
            let index = dialect.identifier("Z_\(entity.name)_UNIQUE_\(constraint.attributes.joined(separator: "_"))")
            try connection.execute(
                "ALTER TABLE \(name) ADD CONSTRAINT \(index) UNIQUE (\(columns(constraint.positions))) DEFERRABLE")
        }
        for attributes in entity.ownFetchIndexes {
            let index = dialect.identifier("Z_\(entity.name)_INDEX_\(attributes.joined(separator: "_"))")
            let positions = attributes.compactMap { attribute in
                entity.attributes.firstIndex { $0.name == attribute }
            }
            try connection.execute("CREATE INDEX \(index) ON \(name) (\(columns(positions)))")
        }
    }
}

// MARK: - Reading

extension PostgreSQLSchema {
    /// The latest known version of the layout.
    private static let knownVersion = 1

    private func read(_ model: ManagedObjectModel) throws(StoreError) -> Content {
        let metadata = try ask("SELECT \"Z_VERSION\", \"Z_UUID\", \"Z_PLIST\" FROM \"Z_METADATA\"")
        guard metadata.count == 1, let identifier = UUID(uuidString: metadata[0].string(1)) else {
            throw refuse("has a table Z_METADATA without the row of a store; restore the database from a copy")
        }
        guard metadata[0].int64(0) <= Self.knownVersion else {
            throw refuse("is of a later version, \(metadata[0].int64(0)); open it with a newer ManagedStore")
        }
        let sources = ObjectIDSource.all(model, identifier)
        let existing = try PostgreSQLTables(connection)
        let numbers = try numbers(model, existing)
        let tables = EntityTable.all(sources, numbers: numbers, existing: existing)
        let joins = JoinTable.all(model, tables, existing: existing)
        try check(tables, joins, existing)
        let plist = metadata[0].bytes(2).map { Data($0) } ?? Data()
        return Content(
            identifier: identifier, sources: sources,
            schema: SQLSchema(tables: tables, joins: joins, dialect: dialect), metadata: StoreMetadata.decode(plist))
    }

    /// Returns the numbers of the model's entities, in its order.
    private func numbers(_ model: ManagedObjectModel, _ existing: PostgreSQLTables) throws(StoreError) -> [Int] {
        let missing = model.entities.filter { existing.number(of: $0) == nil }
        if !missing.isEmpty { throw misfit(missing.map { "the database has no entity \($0.name)" }) }
        let moved = model.entities.filter { existing.superentity(of: $0) != $0.superentity?.name }
        if !moved.isEmpty {
            throw misfit(
                moved.map { entity in
                    "entity \(entity.name) inherits from \(existing.superentity(of: entity) ?? "none") in the database, "
                        + "from \(entity.superentity?.name ?? "none") in the model"
                })
        }
        return model.entities.map { existing.number(of: $0) ?? 0 }
    }

    /// Compares the columns that the model needs with those that there are.
    private func check(
        _ tables: [EntityTable], _ joins: [JoinTable], _ existing: PostgreSQLTables
    ) throws(StoreError) {
        var wanted: [String: [String: ServerType]] = [:]
        for table in tables {
            let known = ["Z_PK", "Z_ENT", "Z_OPT"].map { ($0, ServerType.bigint) }
            let own = table.ownDeclarations.map { ($0.name, ServerType($0.type.column)) }
            for (column, type) in known + own { wanted[table.name, default: [:]][column] = type }
        }
        for join in joins { for column in join.columns { wanted[join.name, default: [:]][column] = .bigint } }
        let differences = wanted.sorted { $0.key < $1.key }.flatMap { table, columns in
            columns.sorted { $0.key < $1.key }.compactMap { column, type -> String? in
                guard let declared = existing.type(of: column, in: table) else {
                    return "table \(table) lacks \(column)"
                }
                return declared == type.name ? nil : "\(table).\(column) is \(declared), not \(type.name)"
            }
        }
        if !differences.isEmpty { throw misfit(differences) }
    }

    private func misfit(_ differences: [String]) -> StoreError {
        refuse("does not fit the model: \(differences.joined(separator: "; ")); it was left as it is")
    }
}

import Foundation

/// The tables that every store has, and those of the model's entities.
enum Schema {
    /// Makes the tables of a new store.
    static func create(on connection: Connection, _ sources: [ObjectIDSource], identifier: UUID) throws(StoreError) {
        try connection.execute(
            """
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
            """)
        let tables = tables(numberedAnew: sources)
        let joins = sources.first.map { JoinTable.all($0.model, tables) } ?? []
        for statement in creations(tables) + joins.flatMap(\.creations) { try connection.execute(statement) }
        try number(tables, on: connection)
        let row = try connection.statement("INSERT INTO Z_METADATA VALUES (1, ?, ?)")
        row.bind(1, .string(identifier.uuidString))
        row.bind(2, .binaryData(try StoreMetadata.encode([:], over: nil)))
        try row.run()
    }

    /// The tables of a new store, the entities numbered from 1 as Core Data numbers them.
    private static func tables(numberedAnew sources: [ObjectIDSource]) -> [EntityTable] {
        var numbers = [Int](repeating: 0, count: sources.count)
        for (index, position) in (sources.first?.model.hierarchy.numbering ?? []).enumerated() {
            numbers[position] = index + 1
        }
        return EntityTable.all(sources, numbers: numbers)
    }

    /// `CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, ... )`, the columns grouped by type and alphabetical within, as Core Data
    /// orders them.
    private static func creations(_ tables: [EntityTable]) -> [String] {
        Dictionary(grouping: tables, by: \.name).sorted { $0.key < $1.key }.flatMap { name, tables in
            let attributes = tables.flatMap(\.ownDeclarations).sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }
                .map { "\($0.name) \($0.type)" }
            let columns = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"] + attributes
            let table = "CREATE TABLE \(name) ( \(columns.joined(separator: ", ")) )"
            let shared = tables[0].isShared ? ["CREATE INDEX \(name)_Z_ENT_INDEX ON \(name) (Z_ENT)"] : []
            return [table] + shared + tables.flatMap(\.ownIndexes)
        }
    }

    /// Enters the entities in `Z_PRIMARYKEY`.
    private static func number(_ tables: [EntityTable], on connection: Connection) throws(StoreError) {
        for table in tables.sorted(by: { $0.entityNumber < $1.entityNumber }) {
            let superentity = tables.first { $0.source.entity === table.source.entity.superentity }
            let row = try connection.statement("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, ?, 0)")
            row.bind(1, Int64(table.entityNumber))
            row.bind(2, .string(table.source.entity.name))
            row.bind(3, Int64(superentity?.entityNumber ?? 0))
            try row.run()
        }
    }

    /// Whether the file has tables at all.
    static func isEmpty(_ connection: Connection) throws(StoreError) -> Bool {
        let tables = try connection.statement("SELECT COUNT(*) FROM sqlite_master")
        defer { tables.reset() }
        return try tables.step() && tables.int64(0) == 0
    }

    /// The store's UUID.
    ///
    /// - Throws: `StoreError` with `incompatibleStore` when the file is no store.
    static func identifier(_ connection: Connection) throws(StoreError) -> UUID {
        guard try columns(of: "Z_METADATA", connection).isSuperset(of: ["Z_UUID", "Z_PLIST"]) else {
            throw StoreError(
                .incompatibleStore, "\(connection.path) is a SQLite file, but not a store: it has no Z_METADATA table")
        }
        let metadata = try connection.statement("SELECT Z_UUID FROM Z_METADATA")
        defer { metadata.reset() }
        guard try metadata.step(), let identifier = UUID(uuidString: metadata.string(0)) else {
            throw StoreError(.incompatibleStore, "\(connection.path): Z_METADATA holds no valid UUID")
        }
        return identifier
    }

    /// The tables of the model's entities, and of its many-to-many relationships.
    ///
    /// - Throws: `StoreError` with `incompatibleStore`, saying what differs.
    static func tables(
        _ connection: Connection, _ sources: [ObjectIDSource]
    ) throws(StoreError) -> ([EntityTable], [JoinTable]) {
        let numbers = try entityNumbers(connection)
        var differences = sources.filter { numbers[$0.entity.name] == nil }
            .map { "the file has no entity \($0.entity.name)" }
        let tables = EntityTable.all(sources, numbers: sources.map { numbers[$0.entity.name] ?? 0 })
        for table in tables where numbers[table.source.entity.name] != nil {
            let found = try columns(of: table.name, connection)
            let expected =
                ["Z_PK", "Z_ENT", "Z_OPT"] + table.writtenColumns + table.references.values.compactMap(\.orderColumn)
            let missing = expected.filter { !found.contains($0) }
            if !missing.isEmpty { differences.append("table \(table.name) lacks \(missing.joined(separator: ", "))") }
        }
        let joins = sources.first.map { JoinTable.all($0.model, tables) } ?? []
        for join in joins where differences.isEmpty {
            let found = try columns(of: join.name, connection)
            let missing = join.columns.filter { !found.contains($0) }
            if !missing.isEmpty { differences.append("table \(join.name) lacks \(missing.joined(separator: ", "))") }
        }
        guard differences.isEmpty else {
            throw StoreError(
                .incompatibleStore,
                "\(connection.path) does not fit the model: \(differences.joined(separator: "; ")); it was left as it is"
            )
        }
        return (tables, joins)
    }

    private static func entityNumbers(_ connection: Connection) throws(StoreError) -> [String: Int] {
        guard try columns(of: "Z_PRIMARYKEY", connection).isSuperset(of: ["Z_ENT", "Z_NAME", "Z_MAX"]) else {
            throw StoreError(
                .incompatibleStore, "\(connection.path) is a SQLite file, but not a store: it has no Z_PRIMARYKEY table"
            )
        }
        let rows = try connection.statement("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY")
        var numbers: [String: Int] = [:]
        while try rows.step() { numbers[rows.string(0)] = Int(rows.int64(1)) }
        return numbers
    }

    private static func columns(of table: String, _ connection: Connection) throws(StoreError) -> Set<String> {
        let rows = try connection.statement("SELECT name FROM pragma_table_info(?)")
        rows.bind(1, .string(table))
        var names = Set<String>()
        while try rows.step() { names.insert(rows.string(0)) }
        return names
    }
}

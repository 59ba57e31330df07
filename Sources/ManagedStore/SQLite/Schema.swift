import Foundation

/// An entity's table: its name, its columns in the order of the entity's attributes, and the entity's number.
struct EntityTable: Sendable {
    let name: String
    let columns: [String]
    let entityNumber: Int
    let source: ObjectIDSource

    init(source: ObjectIDSource, entityNumber: Int) {
        self.source = source
        self.entityNumber = entityNumber
        name = Self.column(source.entity.name)
        columns = source.entity.attributes.map { Self.column($0.name) }
    }

    /// Core Data's spelling: `Z` and the name in capitals.
    static func column(_ name: String) -> String { "Z" + name.uppercased() }

    /// `CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, ... )`, the columns grouped by type and alphabetical within, as Core Data
    /// orders them.
    var creation: String {
        let attributes = source.entity.attributes
            .map { (rank: $0.attributeType.columnRank, name: Self.column($0.name), type: $0.attributeType.columnType) }
            .sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }
            .map { "\($0.name) \($0.type)" }
        let columns = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"] + attributes
        return "CREATE TABLE \(name) ( \(columns.joined(separator: ", ")) )"
    }
}

extension AttributeType {
    /// The column's declared type.
    var columnType: String {
        switch self {
        case .boolean, .integer16, .integer32, .integer64: "INTEGER"
        case .date: "TIMESTAMP"
        case .double, .float: "FLOAT"
        case .decimal: "DECIMAL"
        case .string, .uri: "VARCHAR"
        case .binaryData, .uuid, .transformable: "BLOB"
        }
    }

    fileprivate var columnRank: Int {
        switch self {
        case .boolean, .integer16, .integer32, .integer64: 0
        case .date, .double, .float, .decimal: 1
        case .string, .uri: 2
        case .binaryData, .uuid, .transformable: 3
        }
    }
}

/// The tables that every store has, and those of the model's entities.
enum Schema {
    /// Makes the tables of a new store, entities numbered alphabetically from 1.
    static func create(on connection: Connection, _ sources: [ObjectIDSource], identifier: UUID) throws(StoreError) {
        try connection.execute(
            """
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
            """)
        for (index, source) in sources.enumerated() {
            let table = EntityTable(source: source, entityNumber: index + 1)
            try connection.execute(table.creation)
            let row = try connection.statement("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, 0, 0)")
            row.bind(1, Int64(table.entityNumber))
            row.bind(2, .string(source.entity.name))
            try row.run()
        }
        let row = try connection.statement("INSERT INTO Z_METADATA VALUES (1, ?, ?)")
        row.bind(1, .string(identifier.uuidString))
        row.bind(2, .binaryData(try StoreMetadata.encode([:], over: nil)))
        try row.run()
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

    /// The tables of the model's entities.
    ///
    /// - Throws: `StoreError` with `incompatibleStore`, saying what differs.
    static func tables(_ connection: Connection, _ sources: [ObjectIDSource]) throws(StoreError) -> [EntityTable] {
        let numbers = try entityNumbers(connection)
        var (tables, differences): ([EntityTable], [String]) = ([], [])
        for source in sources {
            guard let number = numbers[source.entity.name] else {
                differences.append("the file has no entity \(source.entity.name)")
                continue
            }
            let table = EntityTable(source: source, entityNumber: number)
            let found = try columns(of: table.name, connection)
            let missing = (["Z_PK", "Z_ENT", "Z_OPT"] + table.columns).filter { !found.contains($0) }
            if !missing.isEmpty { differences.append("table \(table.name) lacks \(missing.joined(separator: ", "))") }
            tables.append(table)
        }
        guard differences.isEmpty else {
            throw StoreError(
                .incompatibleStore,
                "\(connection.path) does not fit the model: \(differences.joined(separator: "; ")); it was left as it is"
            )
        }
        return tables
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

/// The entities, tables and columns of a store that a database holds.
struct PostgreSQLTables: ExistingTables {
    /// A row of `Z_PRIMARYKEY`.
    private struct Entity {
        let number: Int
        /// The number of the superentity; 0 if there is none.
        let superNumber: Int
    }

    /// The types of the columns of every table in the schema.
    private var columns: [String: [String: String]] = [:]
    private var entities: [String: Entity] = [:]
    private var names: [Int: String] = [:]

    init(_ connection: PostgreSQLConnection) throws(StoreError) {
        let found = try connection.query(
            """
            SELECT c.relname::text, a.attname::text, format_type(a.atttypid, NULL) \
            FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid \
            WHERE c.relnamespace = current_schema()::regnamespace AND a.attnum > 0 AND NOT a.attisdropped \
            AND c.relkind IN ('r', 'p', 'f')
            """)
        for row in 0..<found.count {
            columns[found[row].string(0), default: [:]][found[row].string(1)] = found[row].string(2)
        }
        let rows = try connection.query("SELECT \"Z_NAME\", \"Z_ENT\", \"Z_SUPER\" FROM \"Z_PRIMARYKEY\"")
        for row in 0..<rows.count {
            let entity = Entity(number: Int(rows[row].int64(1)), superNumber: Int(rows[row].int64(2)))
            entities[rows[row].string(0)] = entity
            names[entity.number] = rows[row].string(0)
        }
    }

    var isCoreDatas: Bool { false }
    var tableNames: [String] { Array(columns.keys) }
    func columnNames(of table: String) -> [String] { Array(columns[table, default: [:]].keys) }
    func tableName(of entity: EntityDescription) -> String { EntityTable.name(of: entity) }
    func has(_ column: String, in table: String) -> Bool { type(of: column, in: table) != nil }

    /// Returns the type of a column as the server writes it; nil if there is no such column.
    func type(of column: String, in table: String) -> String? {
        columns[PostgreSQLDialect.fitted(table)]?[PostgreSQLDialect.fitted(column)]
    }

    /// Returns the number of an entity; nil for one that the database does not have.
    func number(of entity: EntityDescription) -> Int? { entities[entity.name]?.number }

    /// Returns the name of an entity's superentity in the database; nil if there is none.
    func superentity(of entity: EntityDescription) -> String? {
        entities[entity.name].flatMap { names[$0.superNumber] }
    }

    func rootsWithStrangers(_ model: ManagedObjectModel) -> Set<Int> {
        let known = Set(model.entities.map(\.name))
        let roots = Set(entities.keys.filter { !known.contains($0) }.map(root))
        return Set(model.hierarchy.roots.filter { roots.contains(model.entities[$0].name) })
    }

    /// Returns the name of the topmost superentity. In a cycle, the number of steps is limited.
    private func root(of name: String) -> String {
        var root = name
        for _ in entities {
            guard let above = entities[root].flatMap({ names[$0.superNumber] }) else { break }
            root = above
        }
        return root
    }
}

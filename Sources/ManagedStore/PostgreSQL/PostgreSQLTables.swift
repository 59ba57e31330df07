/// The entities, tables and columns of a store that a database holds.
struct PostgreSQLTables: ExistingTables {
    private var tables: [String: [String: ExistingColumn]] = [:]
    private var entities: [String: ExistingEntity] = [:]
    private var names: [Int: String] = [:]

    /// A table whose parts lie on other servers can have no primary key.
    init(_ connection: PostgreSQLConnection) throws(StoreError) {
        let found = try connection.query(
            """
            SELECT c.relname::text, a.attname::text, format_type(a.atttypid, NULL), \
            COALESCE(i.indisprimary, c.relkind = 'p' AND a.attname = 'Z_PK'), \
            a.attnotnull AND NOT a.atthasdef \
            FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid \
            LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary AND a.attnum = ANY(i.indkey) \
            WHERE c.relnamespace = current_schema()::regnamespace AND a.attnum > 0 AND NOT a.attisdropped \
            AND c.relkind IN ('r', 'p', 'f')
            """)
        for row in 0..<found.count {
            let tuple = found[row]
            let isKey = tuple.int64(3) != 0
            tables[tuple.string(0), default: [:]][tuple.string(1)] = ExistingColumn(
                type: tuple.string(2), isRequired: tuple.int64(4) != 0 && !isKey, isPrimaryKey: isKey)
        }
        let rows = try connection.query("SELECT \"Z_NAME\", \"Z_ENT\", \"Z_SUPER\" FROM \"Z_PRIMARYKEY\"")
        for row in 0..<rows.count {
            let entity = ExistingEntity(
                name: rows[row].string(0), number: Int(rows[row].int64(1)), superNumber: Int(rows[row].int64(2)))
            (entities[entity.name], names[entity.number]) = (entity, entity.name)
        }
    }

    var noun: String { "database" }
    var isCoreDatas: Bool { false }
    var tableNames: [String] { Array(tables.keys) }
    func kept(_ name: String) -> String { PostgreSQLDialect.fitted(name) }
    func columns(of table: String) -> [String: ExistingColumn]? { tables[kept(table)] }
    func tableName(of entity: EntityDescription) -> String { EntityTable.name(of: entity) }
    func entity(named name: String) -> ExistingEntity? { entities[name] }
    func superentity(of entity: ExistingEntity) -> ExistingEntity? {
        names[entity.superNumber].flatMap { entities[$0] }
    }
    func fits(_ type: AttributeType, _ column: ExistingColumn) -> Bool { column.type == ServerType(type.column).name }
    func isKey(_ column: ExistingColumn) -> Bool { fits(.objectID, column) }

    /// Returns the numbers of the model's entities, in its order.
    func numbers(of model: ManagedObjectModel) -> [Int] { numbers(of: model, after: names.keys.max() ?? 0) }

    func rootsWithStrangers(_ model: ManagedObjectModel) -> Set<Int> {
        let known = Set(model.entities.map(\.name))
        let roots = Set(entities.values.filter { !known.contains($0.name) }.map(root))
        return Set(model.hierarchy.roots.filter { roots.contains(model.entities[$0].name) })
    }

    /// Returns the name of the topmost superentity. In a cycle, the number of steps is limited.
    private func root(of entity: ExistingEntity) -> String {
        var root = entity
        for _ in entities {
            guard let above = superentity(of: root) else { break }
            root = above
        }
        return root.name
    }
}

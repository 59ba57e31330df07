/// The uniqueness constraints and the indexes for fetches of a model's entities.
struct PostgreSQLIndexes {
    private let connection: PostgreSQLConnection
    private let dialect: PostgreSQLDialect

    /// The creation of a constraint or an index that the model declares, or the removal of one.
    struct Change {
        let name: String
        let sql: String
    }

    init(_ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect) {
        (self.connection, self.dialect) = (connection, dialect)
    }

    /// Returns the creation of what is missing, and the removal of constraints that the model no longer declares: they
    /// would keep rejecting rows. Indexes that it no longer declares stay.
    func changes(_ tables: [EntityTable]) throws(StoreError) -> [Change] {
        let known = try names(
            "SELECT conname::text FROM pg_constraint WHERE connamespace = current_schema()::regnamespace"
        )
        .union(try names("SELECT indexname::text FROM pg_indexes WHERE schemaname = current_schema()"))
        var changes: [Change] = []
        for table in tables {
            let constraints = constraints(table)
            changes += (constraints + indexes(table)).filter { !known.contains(PostgreSQLDialect.fitted($0.name)) }
            changes += try unwanted(table, constraints.map(\.name))
        }
        return changes
    }

    /// A constraint that is checked at the end of a statement, or of a transaction, lets rows exchange values.
    private func constraints(_ table: EntityTable) -> [Change] {
        table.source.entity.ownUniqueness.map { constraint in
            let name = "Z_\(table.source.entity.name)_UNIQUE_\(constraint.attributes.joined(separator: "_"))"
            return Change(
                name: name,
                sql: "ALTER TABLE \(dialect.identifier(table.name)) ADD CONSTRAINT \(dialect.identifier(name)) "
                    + "UNIQUE (\(columns(constraint.positions, table)))"
                    + (dialect.abilities.contains(.deferrableConstraints) ? " DEFERRABLE" : ""))
        }
    }

    private func indexes(_ table: EntityTable) -> [Change] {
        let entity = table.source.entity
        return entity.ownFetchIndexes.map { attributes in
            let name = "Z_\(entity.name)_INDEX_\(attributes.joined(separator: "_"))"
            let positions = attributes.compactMap { attribute in
                entity.attributes.firstIndex { $0.name == attribute }
            }
            return Change(
                name: name,
                sql: "CREATE INDEX \(dialect.identifier(name)) ON \(dialect.identifier(table.name)) "
                    + "(\(sorted(positions, table)))")
        }
    }

    /// Returns columns in an order in which missing values come first, as fetches sort them.
    private func sorted(_ positions: [Int], _ table: EntityTable) -> String {
        let attributes = table.source.entity.attributes
        return positions.map { position in
            dialect.sortKey(
                dialect.identifier(table.columns[position]), ascending: true,
                isNeverMissing: !attributes[position].isOptional)
        }.joined(separator: ", ")
    }

    private func columns(_ positions: [Int], _ table: EntityTable) -> String {
        positions.map { dialect.identifier(table.columns[$0]) }.joined(separator: ", ")
    }

    /// Returns the indexed columns of required attributes in which no row lacks a value: rows may be older than the
    /// requirement.
    func completeColumns(_ tables: [EntityTable]) throws(StoreError) -> Set<String> {
        var complete: Set<String> = []
        for table in tables {
            let entity = table.source.entity
            let names = entity.ownFetchIndexes.compactMap(\.first) + entity.ownUniqueness.compactMap(\.attributes.first)
            for position in entity.attributes.indices
            where !entity.attributes[position].isOptional && names.contains(entity.attributes[position].name) {
                let column = dialect.identifier(table.columns[position])
                let missing = try connection.query(
                    "SELECT 1 FROM \(dialect.identifier(table.name)) WHERE \(column) IS NULL LIMIT 1")
                if missing.count == 0 { complete.insert(table.path(of: position)) }
            }
        }
        return complete
    }

    func make(_ change: Change) throws(StoreError) {
        do throws(StoreError) {
            try connection.execute(change.sql)
        } catch {
            guard error.code == .constraintConflict else { throw error }
            throw StoreError(
                .incompatibleStore,
                "\(connection.address.name) holds rows that share values which must be unique in the model "
                    + "(\(change.name)); remove the duplicates first", sql: change.sql)
        }
    }

    /// Returns the removal of the constraints on columns of the entity's own attributes with names of this form that
    /// are not `wanted`.
    private func unwanted(_ table: EntityTable, _ wanted: [String]) throws(StoreError) -> [Change] {
        let entity = table.source.entity
        let found = try connection.query(
            SQLFragment(
                sql: """
                    SELECT c.conname::text, string_agg(a.attname::text, ',' ORDER BY k.place) \
                    FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid \
                    CROSS JOIN unnest(c.conkey) WITH ORDINALITY k(number, place) \
                    JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number \
                    WHERE c.contype = 'u' AND c.connamespace = current_schema()::regnamespace AND t.relname = ? \
                    GROUP BY c.oid, c.conname
                    """, bindings: [.string(PostgreSQLDialect.fitted(table.name))]), dialect)
        let attributes = Dictionary(
            zip(table.columns.map(PostgreSQLDialect.fitted), entity.fieldNames), uniquingKeysWith: { first, _ in first }
        )
        return (0..<found.count).compactMap { row in
            let (name, columns) = (found[row].string(0), found[row].string(1).split(separator: ","))
            let constrained = columns.compactMap { attributes[String($0)] }
            let ours = "Z_\(entity.name)_UNIQUE_\(constrained.joined(separator: "_"))"
            guard constrained.count == columns.count, name == PostgreSQLDialect.fitted(ours), !wanted.contains(ours)
            else { return nil }
            return Change(
                name: name,
                sql: "ALTER TABLE \(dialect.identifier(table.name)) DROP CONSTRAINT \(dialect.identifier(name))")
        }
    }

    private func names(_ sql: String) throws(StoreError) -> Set<String> {
        let found = try connection.query(sql)
        return Set((0..<found.count).map { found[$0].string(0) })
    }
}

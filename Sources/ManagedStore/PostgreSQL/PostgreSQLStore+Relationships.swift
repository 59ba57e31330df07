import Foundation

/// Writing relationships.
extension PostgreSQLStore {
    /// Writes pairs and orders, checks references, and removes deleted objects from all pairs.
    func writeRelationships(
        _ changes: ChangeSet, _ orders: [OrderChanges], _ keys: PermanentKeys, _ connection: PostgreSQLConnection
    ) throws(StoreError) {
        let writer = PostgreSQLRelationshipWriter(
            statements: RelationshipStatements(schema: schema), connection: connection)
        for pairs in PairChanges.all(changes.links, keys) { try writer.write(pairs) }
        for changes in orders { try writer.write(changes) }
        let reader = PostgreSQLKeyedReader(connection: connection, dialect: dialect)
        try ReferenceCheck(schema, changes, reader)?.run(keys)
        for (entity, changes) in changes.entities.enumerated() where !changes.deletes.isEmpty {
            try writer.unlink(changes.deletes, of: entity)
        }
    }
}

/// Reads and changes rows by arrays of keys.
struct PostgreSQLKeyedReader: KeyedWriter {
    let connection: PostgreSQLConnection
    let dialect: PostgreSQLDialect

    func forEachRow(
        _ columns: [String], of table: String, whose column: String, isIn keys: KeyRuns,
        _ body: (Int64, Int64, Int64) -> Void
    ) throws(StoreError) {
        try read(columns, table, column, ColumnArray(keys.lazy.joined()), "") { tuple in
            body(
                tuple.int64(0), columns.count > 1 ? tuple.int64(1) : 0, columns.count > 2 ? tuple.int64(2) : 0)
        }
    }

    /// The locks let others change the rows, but not delete them. Without them, another save may delete a row at the
    /// same moment.
    func forEachTarget(
        in table: EntityTable, _ keys: Set<Int64>, _ body: (_ key: Int64, _ entity: Int64) -> Void
    ) throws(StoreError) {
        let sorted = ColumnArray(keys.sorted())
        let locking = dialect.abilities.contains(.rowLocks) ? " ORDER BY \"Z_PK\" FOR KEY SHARE" : ""
        try read(["Z_PK", "Z_ENT"], table.name, "Z_PK", sorted, locking) { tuple in
            body(tuple.int64(0), tuple.int64(1))
        }
    }

    func lock(_ keys: KeyRuns, in table: String) throws(StoreError) {
        guard dialect.abilities.contains(.rowLocks) else { return }
        let locking = " ORDER BY \"Z_PK\" FOR UPDATE"
        try read(["Z_PK"], table, "Z_PK", ColumnArray(keys.lazy.joined()), locking) { _ in }
    }

    func write(
        _ sql: String, whose column: String, isIn keys: KeyRuns, and condition: String?
    ) throws(StoreError) {
        let keys = ColumnArray(keys.lazy.joined())
        if keys.count == 0 { return }
        let whole = "\(sql) WHERE \(dialect.identifier(column)) = ANY($1)\(condition.map { " AND \($0)" } ?? "")"
        connection.countRows(try connection.query(whole, QueryParameters([keys])).affected)
    }

    private func read(
        _ columns: [String], _ table: String, _ column: String, _ keys: ColumnArray, _ ending: String,
        _ body: (ResultTuple) -> Void
    ) throws(StoreError) {
        if keys.count == 0 { return }
        let list = columns.map(dialect.identifier).joined(separator: ", ")
        let found = try connection.query(
            "SELECT \(list) FROM \(dialect.identifier(table)) WHERE \(dialect.identifier(column)) = ANY($1)\(ending)",
            QueryParameters([keys]))
        for row in 0..<found.count { body(found[row]) }
    }
}

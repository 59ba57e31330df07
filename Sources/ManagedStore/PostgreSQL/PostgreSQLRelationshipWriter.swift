/// Writes pairs and orders in a save's transaction, many with one statement.
struct PostgreSQLRelationshipWriter {
    let statements: RelationshipStatements
    let connection: PostgreSQLConnection

    private var dialect: any SQLDialect { statements.dialect }

    /// Removes and adds pairs.
    func write(_ changes: PairChanges) throws(StoreError) {
        let pairs = statements.pairColumns(changes.join)
        let (table, first, second) = (pairs.table, pairs.first, pairs.second)
        var written = try run(changes.removed, [\.first, \.second]) { values in
            "DELETE FROM \(table) t USING \(values) AS u(f, s) WHERE t.\(first) = u.f AND t.\(second) = u.s"
        }
        written += try run(changes.added, [\.first, \.second]) { values in
            dialect.insertIfAbsent(into: table, [first, second], "SELECT u.f, u.s FROM \(values) AS u(f, s)")
        }
        connection.countRows(written)
    }

    /// Assigns numbers to members of an ordered relationship.
    func write(_ changes: OrderChanges) throws(StoreError) {
        guard let columns = statements.orderColumns(changes.relationship) else { return }
        _ = try run(changes.places, [\.member, \.owner, \.number]) { values in
            "UPDATE \(columns.table) t SET \(columns.number) = u.n FROM \(values) AS u(m, o, n) "
                + "WHERE t.\(columns.member) = u.m AND t.\(columns.owner) = u.o"
        }
    }

    /// Removes deleted objects of an entity from all pairs.
    func unlink(_ rows: ContiguousArray<RowReference>, of entity: Int) throws(StoreError) {
        let ends = statements.pairs(with: entity)
        if ends.isEmpty { return }
        let runs = Array(KeyRuns(rows.lazy.map(\.row.key)))
        let long = runs.filter { $0.count >= PostgreSQLWriter.rowsPerStatement }
        let others = runs.filter { $0.count < PostgreSQLWriter.rowsPerStatement }.flatMap { $0 }
        for (table, column) in ends {
            for run in long {
                var parameters = QueryParameters()
                parameters.append(run.lowerBound)
                parameters.append(run.upperBound)
                _ = try connection.query("DELETE FROM \(table) WHERE \(column) BETWEEN $1 AND $2", parameters)
            }
            _ = try run(others, [\.self]) { values in
                "DELETE FROM \(table) t USING \(values) AS u(k) WHERE t.\(column) = u.k"
            }
        }
    }

    /// Executes a statement for many values, which it takes from an array for each of their `members`. Returns the
    /// number of rows that it wrote.
    private func run<Value>(
        _ values: [Value], _ members: [KeyPath<Value, Int64>], _ sql: (_ values: String) -> String
    ) throws(StoreError) -> Int {
        var written = 0
        for start in stride(from: 0, to: values.count, by: PostgreSQLWriter.rowsPerStatement) {
            let part = values[start..<min(start + PostgreSQLWriter.rowsPerStatement, values.count)]
            let arrays = members.map { member in ColumnArray(part.lazy.map { $0[keyPath: member] }) }
            let text = sql(PostgreSQLWriter.unnest(arrays))
            written += try connection.query(text, QueryParameters(arrays)).affected
        }
        return written
    }
}

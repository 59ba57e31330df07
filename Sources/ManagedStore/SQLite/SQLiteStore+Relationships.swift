import Foundation

/// Reading and writing what relationships lead to.
extension SQLiteStore {
    func relatedRows(to owner: Int64, by relationship: ResolvedRelationship) throws(StoreError) -> RelatedRows {
        let plan = FetchPlan(source: sources[relationship.destination])
        let selection = selections[plan]
        let (query, order) = query(relationship, selection)
        let fragment = SQLFragment(sql: query, bindings: [.integer64(owner)])
        var related = RelatedRows()
        related.rows = try read(fragment, FetchControl()) { statement throws(StoreError) in
            try RowDecoder(
                selection: selection, statement: statement, externalData: externalData, isLenient: true
            ).decode(FetchControl())
        }
        if let order { related.order = try self.order(order, owner) }
        return related
    }

    /// A query for whole rows, and one for the numbers by which they are ordered.
    private func query(
        _ relationship: ResolvedRelationship, _ selection: RowSelection
    ) -> (rows: String, order: String?) {
        let columns = selection.columns.map { "t.\($0)" }.joined(separator: ", ")
        let condition: String
        let order: String?
        switch relationship.kind {
        case .toOne: (condition, order) = ("FROM \(selection.tableName) t WHERE t.Z_PK = ?", nil)
        case .toMany(let field):
            let table = tables[relationship.destination]
            condition = "FROM \(table.name) t WHERE t.\(table.columns[field]) = ?"
            order = table.references[field]?.orderColumn.map { "t.\($0)" }
        case .manyToMany(let join, let isFirst):
            let (own, other) = joins[join].ends(isFirst: isFirst)
            condition =
                "FROM \(joins[join].name) j JOIN \(selection.tableName) t ON t.Z_PK = j.\(other.column) "
                + "WHERE j.\(own.column) = ?"
            order = own.orderColumn.map { "j.\($0)" }
        }
        let known = knownEntities(relationship.destination)
        let sorted = known + "ORDER BY " + (order.map { "\($0), " } ?? "") + "t.Z_PK"
        return (
            "SELECT \(columns) \(condition) \(sorted)",
            relationship.isOrdered ? order.map { "SELECT \($0) \(condition) \(sorted)" } : nil
        )
    }

    /// Leaves out rows of entities that the model does not have, or that the relationship does not lead to. The sign
    /// keeps SQLite from looking for them by the entity.
    private func knownEntities(_ destination: Int) -> String {
        guard tables[destination].hasStrangers || sources[destination].rootIndex != destination else { return "" }
        let family = sources[destination].model.hierarchy.families[destination]
        return "AND +t.Z_ENT IN (\(family.map { String(tables[$0].entityNumber) }.joined(separator: ", "))) "
    }

    private func order(_ query: String, _ owner: Int64) throws(StoreError) -> [Int64] {
        try read(SQLFragment(sql: query, bindings: [.integer64(owner)]), FetchControl()) {
            statement throws(StoreError) in
            var numbers: [Int64] = []
            while try statement.step() { numbers.append(statement.int64(0)) }
            return numbers
        }
    }

    /// Writes pairs and orders, checks where references lead, and takes deleted objects out of all pairs.
    func writeRelationships(
        _ changes: ChangeSet, _ keys: PermanentKeys, _ connection: Connection
    ) throws(StoreError) {
        for link in changes.links { try write(link, keys, connection) }
        for order in changes.orders { try write(order, keys, connection) }
        try ReferenceCheck(self, changes, connection)?.run(keys)
        for (entity, changes) in changes.entities.enumerated() where !changes.deletes.isEmpty {
            try unlink(changes.deletes, of: entity, connection)
        }
    }

    private func write(_ link: LinkChange, _ keys: PermanentKeys, _ connection: Connection) throws(StoreError) {
        let (join, first, second) = (joins[link.join], keys.permanent(link.first), keys.permanent(link.second))
        // One end was discarded before it was saved.
        if first == 0 || second == 0 { return }
        let sql =
            link.isAdded
            ? "INSERT OR IGNORE INTO \(join.name) (\(join.first.column), \(join.second.column)) VALUES (?, ?)"
            : "DELETE FROM \(join.name) WHERE \(join.first.column) = ? AND \(join.second.column) = ?"
        let statement = try connection.statement(sql)
        statement.bind(1, first)
        statement.bind(2, second)
        try statement.run()
        connection.countRows(connection.changes)
    }

    private func write(_ order: OrderChange, _ keys: PermanentKeys, _ connection: Connection) throws(StoreError) {
        let statement: Statement
        switch order.relationship.kind {
        case .toOne: return
        case .toMany(let field):
            let table = tables[order.relationship.destination]
            guard let column = table.references[field]?.orderColumn else { return }
            // A member that somebody else has moved keeps its place in the other list.
            statement = try connection.statement(
                "UPDATE \(table.name) SET \(column) = ? WHERE Z_PK = ? AND \(table.columns[field]) = ?")
        case .manyToMany(let join, let isFirst):
            let (own, other) = joins[join].ends(isFirst: isFirst)
            guard let column = own.orderColumn else { return }
            statement = try connection.statement(
                "UPDATE \(joins[join].name) SET \(column) = ? WHERE \(other.column) = ? AND \(own.column) = ?")
        }
        statement.bind(3, keys.permanent(order.owner))
        statement.bind(1, order.number)
        statement.bind(2, keys.permanent(order.member))
        try statement.run()
    }

    private func unlink(
        _ rows: ContiguousArray<RowReference>, of entity: Int, _ connection: Connection
    ) throws(StoreError) {
        let hierarchy = sources[entity].model.hierarchy
        let runs = KeyRuns(rows.lazy.map(\.row.key))
        for join in joins {
            for end in [join.first, join.second] where hierarchy.families[end.entity].contains(entity) {
                let statement = try connection.statement(
                    "DELETE FROM \(join.name) WHERE \(end.column) BETWEEN ? AND ?")
                for run in runs {
                    statement.bind(1, run.lowerBound)
                    statement.bind(2, run.upperBound)
                    try statement.run()
                }
            }
        }
    }
}

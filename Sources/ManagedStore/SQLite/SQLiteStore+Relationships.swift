import Foundation

/// Reading and writing relationships.
extension SQLiteStore {
    func relatedRows(to owner: Int64, by relationship: ResolvedRelationship) throws(StoreError) -> RelatedRows {
        let plan = FetchPlan(source: sources[relationship.destination])
        let selection = selections[plan]
        let (query, order) = RelationshipStatements(schema: schema).rows(relationship, selection)
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

    private func order(_ query: String, _ owner: Int64) throws(StoreError) -> [Int64] {
        try read(SQLFragment(sql: query, bindings: [.integer64(owner)]), FetchControl()) {
            statement throws(StoreError) in
            var numbers: [Int64] = []
            while try statement.step() { numbers.append(statement.int64(0)) }
            return numbers
        }
    }

    /// Writes pairs and orders, checks references, and removes deleted objects from all pairs.
    func writeRelationships(
        _ changes: ChangeSet, _ keys: PermanentKeys, _ connection: Connection
    ) throws(StoreError) {
        for link in changes.links { try write(link, keys, connection) }
        for order in changes.orders { try write(order, keys, connection) }
        try ReferenceCheck(schema, changes, connection)?.run(keys)
        for (entity, changes) in changes.entities.enumerated() where !changes.deletes.isEmpty {
            try unlink(changes.deletes, of: entity, connection)
        }
    }

    private func write(_ link: LinkChange, _ keys: PermanentKeys, _ connection: Connection) throws(StoreError) {
        let (first, second) = (keys.permanent(link.first), keys.permanent(link.second))
        // One end was discarded before the save.
        if first == 0 || second == 0 { return }
        let statement = try connection.statement(RelationshipStatements(schema: schema).change(link))
        statement.bind(1, first)
        statement.bind(2, second)
        try statement.run()
        connection.countRows(connection.changes)
    }

    private func write(_ order: OrderChange, _ keys: PermanentKeys, _ connection: Connection) throws(StoreError) {
        guard let sql = RelationshipStatements(schema: schema).change(order) else { return }
        let statement = try connection.statement(sql)
        statement.bind(3, keys.permanent(order.owner))
        statement.bind(1, order.number)
        statement.bind(2, keys.permanent(order.member))
        try statement.run()
    }

    private func unlink(
        _ rows: ContiguousArray<RowReference>, of entity: Int, _ connection: Connection
    ) throws(StoreError) {
        let runs = KeyRuns(rows.lazy.map(\.row.key))
        for sql in RelationshipStatements(schema: schema).unlinking(entity) {
            let statement = try connection.statement(sql)
            for run in runs {
                statement.bind(1, run.lowerBound)
                statement.bind(2, run.upperBound)
                try statement.run()
            }
        }
    }
}

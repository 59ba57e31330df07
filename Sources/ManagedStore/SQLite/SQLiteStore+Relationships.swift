import Foundation

/// Reading and writing relationships.
extension SQLiteStore {
    func relatedRows(to owner: Int64, by relationship: ResolvedRelationship) throws(StoreError) -> RelatedRows {
        let plan = FetchPlan(source: sources[relationship.destination])
        let selection = selections[plan]
        let (query, order) = RelationshipStatements(schema: schema).rows(relationship, selection)
        let fragment = SQLFragment(sql: query, bindings: [.integer64(owner)])
        return try readSnapshot(of: order != nil) { connection throws(StoreError) in
            var related = RelatedRows()
            related.rows = try rows(fragment, selection, on: connection)
            if let order { related.order = try self.order(order, owner, connection) }
            return related
        }
    }

    private func order(
        _ query: String, _ owner: Int64, _ connection: Connection
    ) throws(StoreError) -> [Int64] {
        let fragment = SQLFragment(sql: query, bindings: [.integer64(owner)])
        return try read(fragment, .uncontrolled, on: connection) { statement throws(StoreError) in
            var numbers: [Int64] = []
            while try statement.step() { numbers.append(statement.int64(0)) }
            return numbers
        }
    }

    /// Writes pairs and orders, checks references, and removes deleted objects from all pairs.
    func writeRelationships(
        _ changes: ChangeSet, _ orders: [OrderChanges], _ keys: PermanentKeys, _ connection: Connection
    ) throws(StoreError) {
        for pairs in PairChanges.all(changes.links, keys) { try write(pairs, connection) }
        for changes in orders { try write(changes, connection) }
        try ReferenceCheck(schema, changes, connection)?.run(keys)
        for entity in changes.entities.indices where !changes.entities[entity].deletes.isEmpty {
            try unlink(changes.entities[entity].deletes, of: entity, connection)
        }
    }

    private func write(_ changes: PairChanges, _ connection: Connection) throws(StoreError) {
        let statements = RelationshipStatements(schema: schema).changes(ofPairs: changes.join)
        try write(changes.removed, statements.removal, connection)
        try write(changes.added, statements.addition, connection)
    }

    private func write(_ pairs: [PairChanges.Pair], _ sql: String, _ connection: Connection) throws(StoreError) {
        if pairs.isEmpty { return }
        let statement = try connection.statement(sql)
        for pair in pairs {
            statement.bind(1, pair.first)
            statement.bind(2, pair.second)
            try statement.run()
            connection.countRows(connection.changes)
        }
    }

    private func write(_ changes: OrderChanges, _ connection: Connection) throws(StoreError) {
        guard !changes.places.isEmpty,
            let sql = RelationshipStatements(schema: schema).numbering(changes.relationship)
        else { return }
        let statement = try connection.statement(sql)
        for place in changes.places {
            statement.bind(1, place.number)
            statement.bind(2, place.member)
            statement.bind(3, place.owner)
            try statement.run()
        }
    }

    private func unlink(
        _ rows: ContiguousArray<RowReference>, of entity: Int, _ connection: Connection
    ) throws(StoreError) {
        let ends = RelationshipStatements(schema: schema).pairs(with: entity)
        if ends.isEmpty { return }
        let runs = KeyRuns(rows.lazy.map(\.row.key))
        for (table, column) in ends {
            let statement = try connection.statement("DELETE FROM \(table) WHERE \(column) BETWEEN ? AND ?")
            for run in runs {
                statement.bind(1, run.lowerBound)
                statement.bind(2, run.upperBound)
                try statement.run()
            }
        }
    }
}

import Foundation

extension PostgreSQLStore {
    func rows(_ plan: FetchPlan, _ control: FetchControl) throws(StoreError) -> FetchedRows {
        try fetch(control) { fetch throws(StoreError) in try fetch.rows(plan) }
    }

    func keys(_ plan: FetchPlan, _ control: FetchControl) throws(StoreError) -> FoundKeys {
        try fetch(control) { fetch throws(StoreError) in try fetch.keys(plan) }
    }

    func dictionaries(_ plan: DictionaryPlan, _ control: FetchControl) throws(StoreError) -> FetchedRows {
        try fetch(control) { fetch throws(StoreError) in try fetch.dictionaries(plan) }
    }

    func count(_ plan: FetchPlan) throws(StoreError) -> Int {
        try fetch(.uncontrolled) { fetch throws(StoreError) in try fetch.count(plan) }
    }

    func rows(withKeys keys: [Int64], of entity: Int) throws(StoreError) -> FetchedRows {
        let (table, selection) = (tables[entity], selections[entity])
        var fragment = SQLFragment(
            sql: "SELECT \(selection.columnList) FROM \(dialect.identifier(table.name)) WHERE ")
        fragment.append(dialect.isOne(of: keys, dialect.identifier("Z_PK")))
        if table.isShared { fragment.sql += " AND \(dialect.identifier("Z_ENT")) = \(table.entityNumber)" }
        return try fetch(.uncontrolled) { fetch throws(StoreError) in try fetch.rows(fragment, selection) }
    }

    func relatedRows(to owner: Int64, by relationship: ResolvedRelationship) throws(StoreError) -> RelatedRows {
        if relationship.isManyToMany, !dialect.abilities.contains(.distantJoins) {
            var list = try relatedLists(to: RelatedOwners([owner], areAll: false), by: relationship)
            let places = try list.arrange(by: [owner])
            return RelatedRows(rows: list.rows, order: relationship.isOrdered ? places.numbers : [])
        }
        let selection = selections[FetchPlan(source: sources[relationship.destination])]
        let (query, order) = RelationshipStatements(schema: schema).rows(relationship, selection)
        let owners: [StoredValue] = [.integer64(owner)]
        return try fetch(.uncontrolled) { fetch throws(StoreError) in
            var related = RelatedRows()
            if order != nil { try fetch.connection.beginSnapshot() }
            related.rows = try fetch.rows(SQLFragment(sql: query, bindings: owners), selection)
            guard let order else { return related }
            let numbers = try fetch.connection.query(SQLFragment(sql: order, bindings: owners), dialect)
            related.order = (0..<numbers.count).map { numbers[$0].int64(0) }
            return related
        }
    }

    func relatedLists(
        to owners: RelatedOwners, by relationship: ResolvedRelationship
    ) throws(StoreError) -> RelatedLists {
        try fetch(.uncontrolled) { fetch throws(StoreError) in try fetch.lists(of: owners, by: relationship) }
    }

    /// Calls `body` with a connection that `control` can interrupt.
    private func fetch<Result>(
        _ control: FetchControl, _ body: (PostgreSQLFetch) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try pool.useRetrying { connection throws(StoreError) in
            try control.interruptible(by: { connection.cancel() }) { () throws(StoreError) in
                try connection.endingSnapshot { () throws(StoreError) in
                    try body(PostgreSQLFetch(store: self, connection: connection, control: control))
                }
            }
        }
    }
}

extension PostgreSQLFetch {
    /// Returns the rows that a to-many relationship of several objects leads to, with their places in the lists.
    func lists(of owners: RelatedOwners, by relationship: ResolvedRelationship) throws(StoreError) -> RelatedLists {
        let plan = FetchPlan(source: store.sources[relationship.destination])
        let selection = store.selections[plan]
        let queries = RelationshipStatements(schema: store.schema).lists(relationship, selection, of: owners)
        if queries.needSnapshot { try connection.beginSnapshot() }
        return try RelatedLists(queries, of: relationship, plan.source.entity.layout) { query throws(StoreError) in
            try rows(query, selection)
        } pairs: { query throws(StoreError) in
            let result = try connection.query(query, store.dialect)
            return (0..<result.count).map { row in
                .init(owner: result[row].int64(0), member: result[row].int64(1), number: result[row].int64(2))
            }
        }
    }
}

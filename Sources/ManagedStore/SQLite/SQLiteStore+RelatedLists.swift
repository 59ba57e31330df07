import CSQLite

/// Reading a to-many relationship of several objects.
extension SQLiteStore {
    func relatedLists(
        to owners: RelatedOwners, by relationship: ResolvedRelationship
    ) throws(StoreError) -> RelatedLists {
        let plan = FetchPlan(source: sources[relationship.destination])
        let selection = selections[plan]
        let queries = RelationshipStatements(schema: schema).lists(relationship, selection, of: owners)
        return try readSnapshot(of: queries.needSnapshot) { connection throws(StoreError) in
            try RelatedLists(queries, of: relationship, plan.source.entity.layout) { query throws(StoreError) in
                try rows(query, selection, on: connection)
            } pairs: { query throws(StoreError) in
                try pairs(query, connection)
            }
        }
    }

    func lastPlaces(of owners: [Int64], in relationship: ResolvedRelationship) throws(StoreError) -> [Int64: Int64]? {
        let owners = RelatedOwners(owners, areAll: false)
        let queries = RelationshipStatements(schema: schema).lastPlaces(relationship, of: owners)
        if queries.isEmpty { return nil }
        var places: [Int64: Int64] = [:]
        var areNumbers = true
        for query in queries {
            try read(query, FetchControl()) { statement throws(StoreError) in
                while try statement.step() {
                    // Texts and data are greater than all numbers.
                    areNumbers = areNumbers && ![SQLITE_TEXT, SQLITE_BLOB].contains(statement.type(1))
                    places[statement.int64(0)] = statement.int64(1)
                }
            }
        }
        return areNumbers ? places : nil
    }

    private func pairs(
        _ query: SQLFragment, _ connection: Connection
    ) throws(StoreError) -> [RelatedLists.Pair] {
        try read(query, FetchControl(), on: connection) { statement throws(StoreError) in
            var pairs: [RelatedLists.Pair] = []
            while try statement.step() {
                pairs.append(
                    .init(owner: statement.int64(0), member: statement.int64(1), number: statement.int64(2)))
            }
            return pairs
        }
    }
}

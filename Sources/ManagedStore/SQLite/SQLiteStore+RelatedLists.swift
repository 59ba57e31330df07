/// Reading a to-many relationship of several objects.
extension SQLiteStore {
    func relatedLists(
        to owners: RelatedOwners, by relationship: ResolvedRelationship
    ) throws(StoreError) -> RelatedLists {
        let plan = FetchPlan(source: sources[relationship.destination])
        let selection = selections[plan]
        let queries = RelationshipStatements(schema: schema).lists(relationship, selection, of: owners)
        return try readSnapshot(of: queries.count > 1 || queries.contains { $0.pairs != nil }) {
            connection throws(StoreError) in
            var lists = RelatedLists()
            for query in queries {
                let rows = try read(query.rows, FetchControl(), on: connection) { statement throws(StoreError) in
                    try RowDecoder(
                        selection: selection, statement: statement, externalData: externalData, isLenient: true
                    ).decode(FetchControl())
                }
                if let pairs = query.pairs {
                    lists.append(rows, try self.pairs(pairs, connection))
                } else if case .toMany(let field) = relationship.kind {
                    lists.append(rows, ownersIn: plan.source.entity.layout.fields[field])
                }
            }
            return lists
        }
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

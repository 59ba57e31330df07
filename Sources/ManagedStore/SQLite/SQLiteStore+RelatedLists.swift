/// Reading a to-many relationship of several objects.
extension SQLiteStore {
    func relatedLists(
        to owners: RelatedOwners, by relationship: ResolvedRelationship
    ) throws(StoreError) -> RelatedLists {
        let plan = FetchPlan(source: sources[relationship.destination])
        let selection = selections[plan]
        var lists = RelatedLists()
        for queries in RelationshipStatements(schema: schema).lists(relationship, selection, of: owners) {
            let rows = try read(queries.rows, FetchControl()) { statement throws(StoreError) in
                try RowDecoder(
                    selection: selection, statement: statement, externalData: externalData, isLenient: true
                ).decode(FetchControl())
            }
            if let query = queries.pairs {
                lists.append(rows, try pairs(query))
            } else if case .toMany(let field) = relationship.kind {
                lists.append(rows, ownersIn: plan.source.entity.layout.fields[field])
            }
        }
        return lists
    }

    private func pairs(_ query: SQLFragment) throws(StoreError) -> [RelatedLists.Pair] {
        try read(query, FetchControl()) { statement throws(StoreError) in
            var pairs: [RelatedLists.Pair] = []
            while try statement.step() {
                pairs.append(
                    .init(owner: statement.int64(0), member: statement.int64(1), number: statement.int64(2)))
            }
            return pairs
        }
    }
}

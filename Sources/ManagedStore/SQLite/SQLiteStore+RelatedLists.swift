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
        let members = tables[relationship.destination]
        // A file that another program made may lack the index of the reference.
        guard case .toMany(let field) = relationship.kind, let number = members.references[field]?.orderColumn,
            !members.isAdopted
        else { return nil }
        var places: [Int64: Int64] = [:]
        for start in stride(from: 0, to: owners.count, by: ValueLookup.limit) {
            let part = owners[start..<min(start + ValueLookup.limit, owners.count)]
            let areNumbers = try pool.read(briefly: owners.count <= Self.fewLists) { connection throws(StoreError) in
                let statement = try lastPlaces(number, in: members, field, part, connection)
                defer { statement.reset() }
                while try statement.step() {
                    // Texts and data are greater than all numbers.
                    if [SQLITE_TEXT, SQLITE_BLOB].contains(statement.type(1)) { return false }
                    if statement.type(1) != SQLITE_NULL { places[statement.int64(0)] = statement.int64(1) }
                }
                return true
            }
            if !areNumbers { return nil }
        }
        return places
    }

    /// The greatest number of lists whose members are looked through in a short time.
    private static let fewLists = 8

    /// Returns a statement for each owner and the greatest number in its list, which is null for an empty list.
    private func lastPlaces(
        _ number: String, in members: EntityTable, _ field: Int, _ owners: ArraySlice<Int64>,
        _ connection: Connection
    ) throws(StoreError) -> Statement {
        let length = ValueLookup.length(for: owners.count)
        let key = StatementKey.lastPlaces(members: members.source.entityIndex, field: field, owners: length)
        let statement = try connection.statement(key) {
            "SELECT v.column1, (SELECT MAX(\(number)) FROM \(members.name) WHERE \(members.columns[field]) = v.column1) "
                + "FROM (VALUES \(String.list(of: "(?)", length))) v"
        }
        for (place, owner) in owners.enumerated() { statement.bind(Int32(place + 1), owner) }
        return statement
    }

    private func pairs(
        _ query: SQLFragment, _ connection: Connection
    ) throws(StoreError) -> [RelatedLists.Pair] {
        try read(query, .uncontrolled, on: connection) { statement throws(StoreError) in
            var pairs: [RelatedLists.Pair] = []
            while try statement.step() {
                pairs.append(
                    .init(owner: statement.int64(0), member: statement.int64(1), number: statement.int64(2)))
            }
            return pairs
        }
    }
}

extension [RelationshipStatements.ListQueries] {
    /// Whether the queries have to see the same state of the store: they are several.
    var needSnapshot: Bool { count > 1 || contains { $0.pairs != nil } }
}

extension RelatedLists {
    /// Reads the lists of a to-many relationship part by part.
    ///
    /// - Parameters:
    ///   - rows: Executes a query for rows.
    ///   - pairs: Executes a query for owners, members and numbers.
    init(
        _ queries: [RelationshipStatements.ListQueries], of relationship: ResolvedRelationship, _ layout: RowLayout,
        rows: (SQLFragment) throws(StoreError) -> FetchedRows, pairs: (SQLFragment) throws(StoreError) -> [Pair]
    ) throws(StoreError) {
        for query in queries {
            let members = try rows(query.rows)
            if let places = query.pairs {
                append(members, try pairs(places))
            } else if case .toMany(let field) = relationship.kind {
                append(members, ownersIn: layout.fields[field])
            }
        }
    }
}

/// The statements that read a to-many relationship of several objects at once.
extension RelationshipStatements {
    /// The queries for the lists of some owners.
    struct ListQueries {
        let rows: SQLFragment
        /// The query for owners, members and numbers, in the order of each list; nil if each row refers to its owner
        /// and the lists have no order.
        let pairs: SQLFragment?
    }

    /// Returns queries for the rows that a to-many relationship leads to, and for their places in the lists. They come
    /// in parts that each hold all rows of some owners.
    func lists(
        _ relationship: ResolvedRelationship, _ selection: RowSelection, of owners: RelatedOwners
    ) -> [ListQueries] {
        switch relationship.kind {
        case .toOne: []
        case .toMany(let field): lists(relationship, ownersIn: field, selection, of: owners)
        case .manyToMany(let join, let isFirst):
            lists(relationship, ends: schema.joins[join].ends(isFirst: isFirst), join, selection, of: owners)
        }
    }

    private func lists(
        _ relationship: ResolvedRelationship, ownersIn field: Int, _ selection: RowSelection, of owners: RelatedOwners
    ) -> [ListQueries] {
        let destination = tables[relationship.destination]
        let (owner, key) = (row(destination.columns[field]), row("Z_PK"))
        let known = knownEntities(relationship.destination)
        let order = relationship.isOrdered ? destination.references[field]?.orderColumn.map(row) : nil
        // The index finds the rows of a few owners. For those of all, it would lead all over the table, and a
        // comparison of each row's owner would be in vain.
        let ofAll = SQLFragment(sql: "\(dialect.withoutIndex(owner)) IS NOT NULL")
        return (owners.areAll ? [ofAll] : conditions(owners, owner)).map { condition in
            let table = SQLFragment(sql: "FROM \(dialect.identifier(selection.tableName)) t WHERE ") + condition
            return ListQueries(
                rows: SQLFragment(sql: "SELECT \(selection.aliasedList) ") + table
                    + SQLFragment(sql: " \(known)ORDER BY \(owners.areAll ? key : "\(owner), \(key)")"),
                pairs: order.map { number in
                    SQLFragment(sql: "SELECT \(owner), \(key), \(number) ") + table
                        + SQLFragment(sql: " \(known)ORDER BY \(dialect.sortKey(number, ascending: true)), \(key)")
                })
        }
    }

    private func lists(
        _ relationship: ResolvedRelationship, ends: (own: JoinTable.End, other: JoinTable.End), _ join: Int,
        _ selection: RowSelection, of owners: RelatedOwners
    ) -> [ListQueries] {
        let (owner, member, key) = (pair(ends.own.column), pair(ends.other.column), row("Z_PK"))
        let number = relationship.isOrdered ? ends.own.orderColumn.map { pair($0) } : nil
        let order = (number.map { dialect.sortKey($0, ascending: true) + ", " } ?? "") + member
        let rows = "SELECT \(selection.aliasedList) FROM \(dialect.identifier(selection.tableName)) t WHERE \(key) IN "
        return conditions(owners, owner).map { condition in
            let pairs =
                SQLFragment(sql: "FROM \(dialect.identifier(schema.joins[join].name)) j WHERE ") + condition
            return ListQueries(
                rows: SQLFragment(sql: "\(rows)(SELECT \(member) ") + pairs
                    + SQLFragment(sql: ") \(knownEntities(relationship.destination))ORDER BY \(key)"),
                pairs: SQLFragment(sql: "SELECT \(owner), \(member), \(number ?? "0") ") + pairs
                    + SQLFragment(sql: " ORDER BY \(order)"))
        }
    }

    /// Returns conditions that the column has one of the keys, each with a bounded number of parameters.
    private func conditions(_ owners: RelatedOwners, _ column: String) -> [SQLFragment] {
        if let range = owners.range { return [KeyLists.condition(column, in: range)] }
        return KeyLists(owners.keys).conditions(column)
    }
}

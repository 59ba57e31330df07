/// Conditions on related rows, as queries within the query.
extension SQLGenerator {
    /// Of the one row that a to-one relationship leads to; `ifMissing` where there is none.
    func through(
        _ relationship: ResolvedRelationship, _ condition: ResolvedPredicate, ifMissing: Bool
    ) -> SQLFragment {
        let inner = generator(of: relationship)
        return SQLFragment(sql: "IFNULL((SELECT ") + inner.condition(condition) + SQLFragment(sql: " ")
            + rows(relationship, inner) + SQLFragment(sql: "), \(ifMissing ? 1 : 0))")
    }

    func related(
        _ quantifier: FetchPredicate.Quantifier, _ relationship: ResolvedRelationship, _ condition: ResolvedPredicate
    ) -> SQLFragment {
        let inner = generator(of: relationship)
        let wanted = inner.condition(quantifier == .all ? .not(condition) : condition)
        return SQLFragment(sql: quantifier == .any ? "EXISTS (SELECT 1 " : "NOT EXISTS (SELECT 1 ")
            + rows(relationship, inner) + SQLFragment(sql: " AND (") + wanted + SQLFragment(sql: "))")
    }

    func count(
        _ relationship: ResolvedRelationship, _ comparison: FetchPredicate.Comparison, _ count: Int
    ) -> SQLFragment {
        SQLFragment(sql: "(SELECT COUNT(*) ") + rows(relationship, generator(of: relationship))
            + SQLFragment(sql: ") \(comparison.rawValue) ?", bindings: [.integer64(Int64(count))])
    }

    /// A column of the row itself, or of that to which to-one relationships lead, one after another; NULL where one leads nowhere.
    func value(at position: Int, through path: ArraySlice<ResolvedRelationship>) -> String {
        guard let step = path.first else { return column(position) }
        let inner = generator(of: step)
        return "(SELECT \(inner.value(at: position, through: path.dropFirst())) \(rows(step, inner).sql))"
    }

    /// Says conditions on the rows that a relationship leads to, by a name that no query around it has.
    private func generator(of relationship: ResolvedRelationship) -> SQLGenerator {
        let depth = alias.flatMap { Int($0.dropFirst()) } ?? 0
        return SQLGenerator(tables[relationship.destination].source, tables, joins, alias: "t\(depth + 1)")
    }

    /// `FROM ZITEM t1 WHERE t1.ZFOLDER = ZFOLDER.Z_PK`: the rows that a relationship leads to.
    private func rows(_ relationship: ResolvedRelationship, _ inner: SQLGenerator) -> SQLFragment {
        let outer = alias ?? table.name
        let name = inner.alias ?? inner.table.name
        switch relationship.kind {
        case .toOne(let field):
            return SQLFragment(
                sql: "FROM \(inner.table.name) \(name) WHERE \(name).Z_PK = \(outer).\(table.columns[field])")
        case .toMany(let field):
            return SQLFragment(
                sql: "FROM \(inner.table.name) \(name) WHERE \(name).\(inner.table.columns[field]) = \(outer).Z_PK")
        case .manyToMany(let join, let isFirst):
            let (own, other) = joins[join].ends(isFirst: isFirst)
            let pairs = "j\(name)"
            return SQLFragment(
                sql: "FROM \(joins[join].name) \(pairs) JOIN \(inner.table.name) \(name) ON \(name).Z_PK = "
                    + "\(pairs).\(other.column) WHERE \(pairs).\(own.column) = \(outer).Z_PK")
        }
    }
}

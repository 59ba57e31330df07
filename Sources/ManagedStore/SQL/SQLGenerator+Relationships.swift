/// Conditions on related rows, as queries within the query.
///
/// Such a query either finds the keys of all rows that it is about, once, or is asked anew for each row of the query
/// around it. The first lets the query around it find its rows by an index, and is the rule. The second costs less
/// where few rows are asked, or where most related rows meet the condition and the first of them answers.
extension SQLGenerator {
    /// Of the one row that a to-one relationship leads to; `ifMissing` where there is none.
    func through(
        _ relationship: ResolvedRelationship, _ condition: ResolvedPredicate, ifMissing: Bool, _ scope: ConditionScope
    ) -> SQLFragment {
        if scope.isNarrowed, scope.hasRoom(within: 14) {
            let inner = generator(of: relationship)
            return SQLFragment(sql: "IFNULL((SELECT ") + inner.condition(condition, scope.within(10))
                + SQLFragment(sql: " \(rows(relationship, inner))), \(ifMissing ? 1 : 0))")
        }
        guard case .toOne(let field) = relationship.kind else { return SQLFragment(sql: ifMissing ? "1" : "0") }
        // Where nothing is led to, a condition that holds there does, and its opposite does not.
        let wanted = ifMissing ? .not(condition) : condition
        let column = column(field)
        // A plus hides the index where it would lead to most rows of the table.
        return SQLFragment(sql: "\(ifMissing ? "NOT " : "")(\(wanted.isSelective ? "" : "+")\(column) IN (")
            + keys(of: relationship, meeting: wanted, scope) + SQLFragment(sql: ") AND \(column) IS NOT NULL)")
    }

    func related(
        _ quantifier: FetchPredicate.Quantifier, _ relationship: ResolvedRelationship, _ condition: ResolvedPredicate,
        _ scope: ConditionScope
    ) -> SQLFragment {
        let wanted = quantifier == .all ? .not(condition) : condition
        let word = quantifier == .any ? "" : "NOT "
        if scope.isNarrowed || !wanted.isSelective, scope.hasRoom(within: 16) {
            let inner = generator(of: relationship)
            return SQLFragment(sql: "\(word)EXISTS (SELECT 1 \(rows(relationship, inner)) AND (")
                + inner.condition(wanted, scope.within(12).narrowed) + SQLFragment(sql: "))")
        }
        return SQLFragment(sql: "\(qualified("Z_PK")) \(word)IN (")
            + owners(of: relationship, meeting: wanted, scope) + SQLFragment(sql: ")")
    }

    func count(
        _ relationship: ResolvedRelationship, _ comparison: FetchPredicate.Comparison, _ count: Int
    ) -> SQLFragment {
        SQLFragment(
            sql: "(SELECT COUNT(*) \(rows(relationship, generator(of: relationship)))) \(comparison.rawValue) ?",
            bindings: [.integer64(Int64(count))])
    }

    /// A column of the row itself, or of that to which to-one relationships lead, one after another; NULL where one
    /// leads nowhere.
    func value(at position: Int, through path: ArraySlice<ResolvedRelationship>) -> String {
        guard let first = path.first else { return column(position) }
        var inner = generator(of: first)
        var (joined, condition) = ("\(inner.table.name) \(inner.name)", "")
        if case .toOne(let field) = first.kind { condition = "\(inner.name).Z_PK = \(name).\(table.columns[field])" }
        for step in path.dropFirst() {
            let next = inner.generator(of: step)
            guard case .toOne(let field) = step.kind else { continue }
            joined += " JOIN \(next.table.name) \(next.name) ON \(next.name).Z_PK = \(inner.column(field))"
            inner = next
        }
        return "(SELECT \(inner.column(position)) FROM \(joined) WHERE \(condition))"
    }

    /// What the table is called in the query.
    private var name: String { alias ?? table.name }

    /// Says conditions on the rows that a relationship leads to, by a name that no query around it has.
    private func generator(of relationship: ResolvedRelationship) -> SQLGenerator {
        let depth = alias.flatMap { Int($0.dropFirst()) } ?? 0
        return SQLGenerator(
            tables[relationship.destination].source, tables, joins, alias: "t\(depth + 1)", names: names)
    }
}

// MARK: - Once

extension SQLGenerator {
    /// What the text of a query takes before its condition.
    private static let queryEntries = 24

    /// A query for the keys of the rows that a relationship may lead to, and that meet a condition.
    private func keys(
        of relationship: ResolvedRelationship, meeting condition: ResolvedPredicate, _ scope: ConditionScope
    ) -> SQLFragment {
        let inner = generator(of: relationship)
        return query("SELECT \(inner.name).Z_PK FROM \(inner.table.name) \(inner.name) WHERE", inner, condition, scope)
    }

    /// A query for the keys of the rows from which a to-many relationship leads to one that meets a condition.
    private func owners(
        of relationship: ResolvedRelationship, meeting condition: ResolvedPredicate, _ scope: ConditionScope
    ) -> SQLFragment {
        let inner = generator(of: relationship)
        switch relationship.kind {
        case .toOne: return SQLFragment(sql: "")
        case .toMany(let field):
            // NULL among them would make it unknown whether any other is there.
            let owner = inner.column(field)
            return query(
                "SELECT \(owner) FROM \(inner.table.name) \(inner.name) WHERE \(owner) IS NOT NULL AND", inner,
                condition, scope)
        case .manyToMany(let join, let isFirst):
            let (own, other) = joins[join].ends(isFirst: isFirst)
            let pairs = "j\(inner.name)"
            return SQLFragment(
                sql: "SELECT \(pairs).\(own.column) FROM \(joins[join].name) \(pairs) "
                    + "WHERE \(pairs).\(own.column) IS NOT NULL AND \(pairs).\(other.column) IN (")
                + keys(of: relationship, meeting: condition, scope.within(9)) + SQLFragment(sql: ")")
        }
    }

    private func query(
        _ text: String, _ inner: SQLGenerator, _ condition: ResolvedPredicate, _ scope: ConditionScope
    ) -> SQLFragment {
        let isHere = scope.hasRoom(within: Self.queryEntries)
        let within = isHere ? ConditionScope(room: scope.room - Self.queryEntries) : ConditionScope()
        let query = SQLFragment(sql: "\(text) (") + inner.condition(condition, within) + SQLFragment(sql: ")")
        return isHere ? query : beforehand(query)
    }
}

// MARK: - For each row

extension SQLGenerator {
    /// `FROM ZITEM t1 WHERE t1.ZFOLDER = ZFOLDER.Z_PK`: the rows that a relationship leads to.
    private func rows(_ relationship: ResolvedRelationship, _ inner: SQLGenerator) -> String {
        switch relationship.kind {
        case .toOne(let field):
            return "FROM \(inner.table.name) \(inner.name) WHERE \(inner.name).Z_PK = \(name).\(table.columns[field])"
        case .toMany(let field):
            return "FROM \(inner.table.name) \(inner.name) WHERE \(inner.column(field)) = \(name).Z_PK"
        case .manyToMany(let join, let isFirst):
            let (own, other) = joins[join].ends(isFirst: isFirst)
            let pairs = "j\(inner.name)"
            return "FROM \(joins[join].name) \(pairs) JOIN \(inner.table.name) \(inner.name) ON \(inner.name).Z_PK = "
                + "\(pairs).\(other.column) WHERE \(pairs).\(own.column) = \(name).Z_PK"
        }
    }
}

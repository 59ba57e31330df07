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
        if dialect.allowsCorrelatedQueries, scope.isNarrowed, scope.hasRoom(within: 14) {
            let inner = generator(of: relationship)
            return SQLFragment(sql: "COALESCE((SELECT ") + inner.condition(condition, scope.within(10))
                + SQLFragment(sql: " \(rows(relationship, inner))), \(dialect.literal(ifMissing)))")
        }
        guard case .toOne(let field) = relationship.kind else { return SQLFragment(sql: dialect.literal(ifMissing)) }
        // Where nothing is led to, a condition that holds there does, and its opposite does not.
        let wanted = ifMissing ? .not(condition) : condition
        let column = column(field)
        // The index would lead to most rows of the table where few conditions fail.
        return SQLFragment(
            sql: "\(ifMissing ? "NOT " : "")(\(wanted.isSelective ? column : dialect.withoutIndex(column)) IN (")
            + keys(of: relationship, meeting: wanted, scope) + SQLFragment(sql: ") AND \(column) IS NOT NULL)")
    }

    func related(
        _ quantifier: FetchPredicate.Quantifier, _ relationship: ResolvedRelationship, _ condition: ResolvedPredicate,
        _ scope: ConditionScope
    ) -> SQLFragment {
        let wanted = quantifier == .all ? .not(condition) : condition
        let word = quantifier == .any ? "" : "NOT "
        let isCorrelated = dialect.allowsCorrelatedQueries && (scope.isNarrowed || !wanted.isSelective)
        if isCorrelated, scope.hasRoom(within: 16) {
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
        if !dialect.allowsCorrelatedQueries { return countOnce(relationship, comparison, count) }
        return SQLFragment(
            sql: "(SELECT COUNT(*) \(rows(relationship, generator(of: relationship)))) \(comparison.sqlOperator) ?",
            bindings: [.integer64(Int64(count))])
    }

    /// A column of the row itself, or of that to which to-one relationships lead, one after another; NULL where one
    /// leads nowhere.
    func value(at position: Int, through path: ArraySlice<ResolvedRelationship>) -> String {
        guard let first = path.first else { return column(position) }
        var inner = generator(of: first)
        var (joined, condition) = (inner.named, "")
        if case .toOne(let field) = first.kind {
            condition = "\(inner.qualified("Z_PK")) = \(own(table.columns[field]))"
        }
        for step in path.dropFirst() {
            let next = inner.generator(of: step)
            guard case .toOne(let field) = step.kind else { continue }
            joined += " JOIN \(next.named) ON \(next.qualified("Z_PK")) = \(inner.column(field))"
            inner = next
        }
        return "(SELECT \(inner.column(position)) FROM \(joined) WHERE \(condition))"
    }

    /// What the table is called in the query.
    private var name: String { alias ?? name(of: table) }

    /// The table, and what it is called within a query about related rows.
    private var named: String { "\(name(of: table)) \(name)" }

    /// A column as queries about related rows name it.
    private func own(_ column: String) -> String { "\(name).\(dialect.identifier(column))" }

    /// A join table, and what it is called in the query about the rows of `inner`.
    private func pairs(_ join: JoinTable, _ inner: SQLGenerator) -> (named: String, column: (JoinTable.End) -> String) {
        let (dialect, alias) = (dialect, "j\(inner.name)")
        return (
            "\(dialect.identifier(join.name)) \(alias)", { end in "\(alias).\(dialect.identifier(end.column))" }
        )
    }

    /// Says conditions on the rows that a relationship leads to, by a name that no query around it has.
    private func generator(of relationship: ResolvedRelationship) -> SQLGenerator {
        let depth = alias.flatMap { Int($0.dropFirst()) } ?? 0
        return SQLGenerator(
            tables[relationship.destination].source, schema, alias: "t\(depth + 1)", names: names)
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
        return query("SELECT \(inner.qualified("Z_PK")) FROM \(inner.named) WHERE", inner, condition, scope)
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
                "SELECT \(owner) FROM \(inner.named) WHERE \(owner) IS NOT NULL AND", inner, condition, scope)
        case .manyToMany(let join, let isFirst):
            let (own, other) = schema.joins[join].ends(isFirst: isFirst)
            let pairs = pairs(schema.joins[join], inner)
            return SQLFragment(
                sql: "SELECT \(pairs.column(own)) FROM \(pairs.named) "
                    + "WHERE \(pairs.column(own)) IS NOT NULL AND \(pairs.column(other)) IN (")
                + keys(of: relationship, meeting: condition, scope.within(9)) + SQLFragment(sql: ")")
        }
    }

    /// The owners that a relationship leads from to so many rows, counted once for all of them. Those from which it
    /// leads to none are not among the counted.
    private func countOnce(
        _ relationship: ResolvedRelationship, _ comparison: FetchPredicate.Comparison, _ count: Int
    ) -> SQLFragment {
        let holdsOfNone = comparison.holds(0, count)
        let (owner, rows) = owned(relationship, generator(of: relationship))
        let counted =
            "SELECT \(owner) FROM \(rows) WHERE \(owner) IS NOT NULL GROUP BY \(owner) "
            + "HAVING \(holdsOfNone ? "NOT " : "")(COUNT(*) \(comparison.sqlOperator) ?)"
        return SQLFragment(
            sql: "\(qualified("Z_PK")) \(holdsOfNone ? "NOT " : "")IN (\(counted))",
            bindings: [.integer64(Int64(count))])
    }

    /// The column that holds the owners of a to-many relationship, and the table in which it is.
    private func owned(_ relationship: ResolvedRelationship, _ inner: SQLGenerator) -> (owner: String, rows: String) {
        switch relationship.kind {
        case .toOne: return (inner.qualified("Z_PK"), inner.named)
        case .toMany(let field): return (inner.column(field), inner.named)
        case .manyToMany(let join, let isFirst):
            let pairs = pairs(schema.joins[join], inner)
            return (pairs.column(schema.joins[join].ends(isFirst: isFirst).own), pairs.named)
        }
    }

    private func query(
        _ text: String, _ inner: SQLGenerator, _ condition: ResolvedPredicate, _ scope: ConditionScope
    ) -> SQLFragment {
        let isHere = scope.hasRoom(within: Self.queryEntries)
        let within = isHere ? ConditionScope(room: scope.room - Self.queryEntries) : wholeScope
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
            return "FROM \(inner.named) WHERE \(inner.qualified("Z_PK")) = \(own(table.columns[field]))"
        case .toMany(let field):
            return "FROM \(inner.named) WHERE \(inner.column(field)) = \(own("Z_PK"))"
        case .manyToMany(let join, let isFirst):
            let (own, other) = schema.joins[join].ends(isFirst: isFirst)
            let pairs = pairs(schema.joins[join], inner)
            return "FROM \(pairs.named) JOIN \(inner.named) ON \(inner.qualified("Z_PK")) = \(pairs.column(other)) "
                + "WHERE \(pairs.column(own)) = \(self.own("Z_PK"))"
        }
    }
}

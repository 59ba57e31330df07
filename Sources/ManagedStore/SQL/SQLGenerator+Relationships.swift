/// Conditions on related rows, as subqueries.
///
/// A subquery either finds the keys of all its rows once, or runs again for each row of the surrounding query. The
/// first form is the rule, since the surrounding query can find its rows by an index. The second costs less if few rows
/// are tested, or if most related rows meet the condition so that the first one decides.
extension SQLGenerator {
    /// Returns a condition on the row that a to-one relationship leads to; `ifMissing` is its value if there is none.
    func through(
        _ relationship: ResolvedRelationship, _ condition: ResolvedPredicate, ifMissing: Bool, _ scope: ConditionScope
    ) -> SQLFragment {
        if dialect.allowsCorrelatedQueries, scope.isNarrowed, scope.hasRoom(within: 14) {
            let inner = generator(of: relationship)
            return SQLFragment(sql: "COALESCE((SELECT ") + inner.condition(condition, scope.within(10))
                + SQLFragment(sql: " \(rows(relationship, inner))), \(dialect.literal(ifMissing)))")
        }
        guard case .toOne(let field) = relationship.kind else { return SQLFragment(sql: dialect.literal(ifMissing)) }
        // If the condition holds where no row exists, the query finds the rows that fail it, and `NOT` includes all
        // others.
        let wanted = ifMissing ? .not(condition) : condition
        let column = column(field)
        let isSelective = isSelective(wanted, relationship)
        let gathers = isSelective && !ifMissing && gathersKeys(scope)
        // Without the index, which would find most rows of the table when few fail the condition.
        let isReferring =
            SQLFragment(sql: "(\(isSelective ? column : dialect.withoutIndex(column)) IN (")
            + keys(of: relationship, meeting: wanted, gathers ? scope.within(Self.gatheringEntries) : scope)
            + SQLFragment(sql: ") AND \(column) IS NOT NULL)")
        if ifMissing { return SQLFragment(sql: "NOT ") + isReferring }
        guard gathers else { return isReferring }
        let key = dialect.identifier("Z_PK")
        return SQLFragment(sql: "\(key) IN (SELECT \(key) FROM \(name(of: table)) WHERE ") + isReferring
            + SQLFragment(sql: ")")
    }

    /// Whether few of the rows that a relationship leads to are likely to meet a condition.
    private func isSelective(_ condition: ResolvedPredicate, _ relationship: ResolvedRelationship) -> Bool {
        condition.isSelective && share?(condition, tables[relationship.destination]) ?? 0 < 0.3
    }

    /// Returns parts of which all must hold with those about related rows last, the rarest first: SQLite tests them in
    /// their order.
    func rarestFirst(_ parts: [ResolvedPredicate]) -> [ResolvedPredicate] {
        guard let share else { return parts }
        let related = parts.filter(\.isThrough)
        if related.count < 2 { return parts }
        let shares = related.map { part in
            guard case .through(let relationship, let condition, _) = part else { return 0.0 }
            return share(condition, tables[relationship.destination]) ?? 0
        }
        return parts.filter { !$0.isThrough }
            + zip(related, shares).sorted { $0.1 < $1.1 }.map(\.0)
    }

    /// Whether a query gathers the keys of its rows before it reads them. An index of references has the keys, and once
    /// they are sorted, no page of the table is read twice.
    ///
    /// Measured with 10,000 rows of 100,000 and with 100,000 of a million: to read the rows takes 0.4 of the time, to
    /// change them 0.3 to 0.4.
    private func gathersKeys(_ scope: ConditionScope) -> Bool {
        dialect.readsByIndex && scope.readsAll && alias == nil && expressions == nil
            && scope.hasRoom(within: Self.gatheringEntries)
    }

    /// The parser entries that it takes to gather keys.
    private static let gatheringEntries = 10

    func related(
        _ quantifier: FetchPredicate.Quantifier, _ relationship: ResolvedRelationship, _ condition: ResolvedPredicate,
        _ scope: ConditionScope
    ) -> SQLFragment {
        let wanted = quantifier == .all ? .not(condition) : condition
        let word = quantifier == .any ? "" : "NOT "
        let isCorrelated =
            dialect.allowsCorrelatedQueries && (scope.isNarrowed || !isSelective(wanted, relationship))
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

    /// Returns the number of rows of a to-many relationship, or of those that meet a condition.
    func count(
        _ path: [ResolvedRelationship], _ relationship: ResolvedRelationship, meeting condition: ResolvedPredicate?
    ) -> SQLFragment {
        let inner = generator(of: relationship)
        var owner = own("Z_PK")
        if case .toOne(let field)? = path.last?.kind { owner = value(at: field, through: path.dropLast(), own: true) }
        let rows = SQLFragment(sql: "(SELECT COUNT(*) \(rows(relationship, inner, of: owner))")
        guard let condition else { return rows + SQLFragment(sql: ")") }
        let scope = ConditionScope(room: min(dialect.conditionRoom, Self.countedRoom), isNarrowed: true)
        return rows + SQLFragment(sql: " AND (") + inner.condition(condition, scope) + SQLFragment(sql: "))")
    }

    /// The parser entries for a condition on rows that are counted.
    private static var countedRoom: Int { ConditionScope.leastRoom + 20 }

    /// Returns a column of the row itself or of the row at the end of a path of to-one relationships; NULL if one leads
    /// nowhere.
    ///
    /// - Parameter own: Whether a query about related rows writes it.
    func value(at position: Int, through path: ArraySlice<ResolvedRelationship>, own isOwn: Bool = false) -> String {
        guard let first = path.first else { return isOwn ? own(table.columns[position]) : column(position) }
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

    /// The name of the table in the query.
    private var name: String { alias ?? name(of: table) }

    /// The table and its name in a query about related rows.
    private var named: String { "\(name(of: table)) \(name)" }

    /// Returns a column as queries about related rows write it.
    private func own(_ column: String) -> String { "\(name).\(dialect.identifier(column))" }

    /// Returns a join table with its name in the query about the rows of `inner`.
    private func pairs(_ join: JoinTable, _ inner: SQLGenerator) -> (named: String, column: (JoinTable.End) -> String) {
        let (dialect, alias) = (dialect, "j\(inner.name)")
        return (
            "\(dialect.identifier(join.name)) \(alias)", { end in "\(alias).\(dialect.identifier(end.column))" }
        )
    }

    /// Returns a generator for conditions on the rows of a relationship. Its table name differs from those of all
    /// surrounding queries.
    private func generator(of relationship: ResolvedRelationship) -> SQLGenerator {
        let depth = alias.flatMap { Int($0.dropFirst()) } ?? 0
        return SQLGenerator(
            tables[relationship.destination].source, schema, alias: "t\(depth + 1)", names: names, share: share)
    }
}

// MARK: - Once

extension SQLGenerator {
    /// The parser entries that the text of a query takes before its condition.
    private static let queryEntries = 24

    /// Returns a query for the keys of the rows that a relationship can lead to and that meet a condition.
    private func keys(
        of relationship: ResolvedRelationship, meeting condition: ResolvedPredicate, _ scope: ConditionScope
    ) -> SQLFragment {
        let inner = generator(of: relationship)
        return query("SELECT \(inner.qualified("Z_PK")) FROM \(inner.named) WHERE", inner, condition, scope)
    }

    /// Returns a query for the keys of the rows from which a to-many relationship leads to a row that meets a
    /// condition.
    private func owners(
        of relationship: ResolvedRelationship, meeting condition: ResolvedPredicate, _ scope: ConditionScope
    ) -> SQLFragment {
        let inner = generator(of: relationship)
        switch relationship.kind {
        case .toOne: return SQLFragment(sql: "")
        case .toMany(let field):
            // With NULL in the list, `IN` would be unknown for all other values.
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

    /// Returns the owners with the given number of rows in a relationship, counted in one query for all owners. Owners
    /// without rows are not in its result.
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

    /// Returns the column with the owners of a to-many relationship, and the table that has it.
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
    /// Returns `FROM ZITEM t1 WHERE t1.ZFOLDER = ZFOLDER.Z_PK`: the rows that a relationship leads to.
    ///
    /// - Parameter owner: The key of the row that a to-many relationship leads from, if it is not this one's.
    private func rows(
        _ relationship: ResolvedRelationship, _ inner: SQLGenerator, of owner: String? = nil
    ) -> String {
        let owner = owner ?? own("Z_PK")
        switch relationship.kind {
        case .toOne(let field):
            return "FROM \(inner.named) WHERE \(inner.qualified("Z_PK")) = \(own(table.columns[field]))"
        case .toMany(let field):
            return "FROM \(inner.named) WHERE \(inner.column(field)) = \(owner)"
        case .manyToMany(let join, let isFirst):
            let (own, other) = schema.joins[join].ends(isFirst: isFirst)
            let pairs = pairs(schema.joins[join], inner)
            return "FROM \(pairs.named) JOIN \(inner.named) ON \(inner.qualified("Z_PK")) = \(pairs.column(other)) "
                + "WHERE \(pairs.column(own)) = \(owner)"
        }
    }
}

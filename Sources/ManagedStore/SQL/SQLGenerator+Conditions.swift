/// Conditions. Each one is true or false, never NULL, so that `NOT` has the same meaning as in memory.
extension SQLGenerator {
    func condition(_ predicate: ResolvedPredicate) -> SQLFragment { condition(predicate, wholeScope) }

    /// The scope of a statement's whole condition.
    var wholeScope: ConditionScope { ConditionScope(room: dialect.conditionRoom) }

    func condition(_ predicate: ResolvedPredicate, _ scope: ConditionScope) -> SQLFragment {
        switch predicate {
        case .and(let parts): all(parts, scope)
        case .or(let parts): joined(parts[...], by: " OR ", whenEmpty: dialect.literal(false), scope.partial)
        case .not(let part): negated(part, scope.partial)
        case .decision(let steps, let otherwise): decision(steps, otherwise, scope.partial)
        case .through(let relationship, let condition, let ifMissing):
            through(relationship, condition, ifMissing: ifMissing, scope)
        case .related(let quantifier, let relationship, let condition):
            related(quantifier, relationship, condition, scope)
        case .values(let left, let comparison, let right):
            scope.hasRoom(within: Self.entries(left, right)) || scope.room >= wholeScope.room
                ? self.comparison(left, comparison, right) : apart(predicate)
        default: condition(alone: predicate)
        }
    }

    /// Returns a condition that contains no other condition.
    private func condition(alone predicate: ResolvedPredicate) -> SQLFragment {
        switch predicate {
        case .constant(let value): SQLFragment(sql: dialect.literal(value))
        case .compare(let position, let comparison, let value): compare(column(position), comparison, value)
        case .in(let position, let values): membership(column(position), values)
        case .keys(let keys): membership(keys)
        case .text(let position, let test): dialect.condition(test, column(position))
        case .count(let relationship, let comparison, let count): self.count(relationship, comparison, count)
        case .and, .or, .not, .decision, .through, .related, .values: SQLFragment(sql: dialect.literal(false))
        }
    }

    private func all(_ parts: [ResolvedPredicate], _ scope: ConditionScope) -> SQLFragment {
        let isNarrowed = isNarrowed(by: parts)
        // Of a few rows, all parts cost little.
        let ordered = isNarrowed || scope.isNarrowed ? parts : rarestFirst(parts)
        return joined(
            ordered[...], by: " AND ", whenEmpty: dialect.literal(true),
            isNarrowed ? scope.narrowed : isThroughOne(parts) ? scope : scope.partial)
    }

    private func negated(_ part: ResolvedPredicate, _ scope: ConditionScope) -> SQLFragment {
        SQLFragment(sql: "NOT (") + condition(part, scope.within(2)) + SQLFragment(sql: ")")
    }

    /// The number of conditions in one chain.
    private static let chainLength = 32

    /// Joins conditions in chains of chains: databases limit the depth of an expression, and a chain is as deep as it
    /// is long.
    private func joined(
        _ parts: ArraySlice<ResolvedPredicate>, by word: String, whenEmpty: String, _ scope: ConditionScope
    ) -> SQLFragment {
        guard let first = parts.first else { return SQLFragment(sql: whenEmpty) }
        if parts.count == 1 { return condition(first, scope) }
        guard scope.hasRoom(within: 3) else {
            return apart(word == " AND " ? .and(Array(parts)) : .or(Array(parts)))
        }
        var length = 1
        while length * Self.chainLength < parts.count { length *= Self.chainLength }
        var fragment = SQLFragment(sql: "(")
        for start in stride(from: parts.startIndex, to: parts.endIndex, by: length) {
            if start > parts.startIndex { fragment.sql += word }
            let link = parts[start..<min(start + length, parts.endIndex)]
            fragment.append(
                length == 1
                    ? condition(parts[start], scope.within(3))
                    : joined(link, by: word, whenEmpty: whenEmpty, scope.within(3)))
        }
        fragment.sql += ")"
        return fragment
    }

    /// Returns `CASE WHEN ... THEN 0 WHEN ... THEN 1 ELSE ... END`, whose depth is independent of the number of steps.
    private func decision(
        _ steps: [ResolvedPredicate.Step], _ otherwise: ResolvedPredicate, _ scope: ConditionScope
    ) -> SQLFragment {
        guard scope.hasRoom(within: 4) else { return apart(.decision(steps, otherwise: otherwise)) }
        var fragment = SQLFragment(sql: "CASE")
        for step in steps {
            fragment.sql += " WHEN "
            fragment.append(condition(step.condition, scope.within(4)))
            fragment.sql += " THEN \(dialect.literal(step.result))"
        }
        fragment.sql += " ELSE "
        fragment.append(condition(otherwise, scope.within(4)))
        fragment.sql += " END"
        return fragment
    }

    /// Returns a condition that does not fit into its scope: a separate query finds the keys of the rows that meet it.
    private func apart(_ predicate: ResolvedPredicate) -> SQLFragment {
        // Rows of a result have no keys. Conditions on them fit, since they do not refer to other rows.
        if expressions != nil { return condition(predicate, ConditionScope(room: .max)) }
        let inner = SQLGenerator(table.source, schema, alias: "t1", names: names, share: share)
        let rows =
            SQLFragment(sql: "SELECT \(inner.qualified("Z_PK")) FROM \(name(of: table)) t1 WHERE ")
            + inner.condition(predicate)
        return SQLFragment(sql: "\(qualified("Z_PK")) IN (") + beforehand(rows) + SQLFragment(sql: ")")
    }

    /// Moves `query`, which has one column, into the `WITH` clause, and returns a query that reads its result.
    func beforehand(_ query: SQLFragment) -> SQLFragment {
        let name = names.next()
        var reading = SQLFragment(sql: "SELECT k FROM \(name)")
        reading.queries = query.queries + [SQLFragment(sql: "\(name)(k) AS (\(query.sql))", bindings: query.bindings)]
        return reading
    }

    /// Whether at most one part is about a related row. Of two, each would gather keys that the other one refuses.
    private func isThroughOne(_ parts: [ResolvedPredicate]) -> Bool {
        parts.count(where: \.isThrough) <= 1
    }

    /// Whether an index finds the rows that meet one of several conditions.
    private func isNarrowed(by parts: [ResolvedPredicate]) -> Bool {
        parts.contains { part in
            switch part {
            case .keys: true
            case .compare(let position, .equal, let value): value != .null && table.isIndexed(position)
            case .in(let position, let values): !values.contains(.null) && table.isIndexed(position)
            default: false
            }
        }
    }

    private func compare(
        _ column: String, _ comparison: FetchPredicate.Comparison, _ value: StoredValue
    ) -> SQLFragment {
        switch comparison {
        case .equal: return dialect.isSame(column, value)
        case .notEqual: return dialect.isNotSame(column, value)
        default:
            if value == .null { return SQLFragment(sql: dialect.literal(false)) }
            return SQLFragment(
                sql: "(\(column) \(comparison.sqlOperator) ? AND \(column) IS NOT NULL)", bindings: [value])
        }
    }

    private func membership(_ column: String, _ values: [StoredValue]) -> SQLFragment {
        let known = values.filter { $0 != .null }
        let isKnown = dialect.isOne(of: known, column)
        if known.count == values.count { return isKnown }
        return SQLFragment(sql: "(\(column) IS NULL OR ") + isKnown + SQLFragment(sql: ")")
    }

    /// Tests consecutive keys as ranges.
    private func membership(_ keys: [Int64]) -> SQLFragment {
        guard let first = keys.first, let last = keys.last else { return SQLFragment(sql: dialect.literal(false)) }
        if last &- first == Int64(keys.count - 1) {
            return SQLFragment(
                sql: "\(qualified("Z_PK")) BETWEEN ? AND ?", bindings: [.integer64(first), .integer64(last)])
        }
        return dialect.isOne(of: keys, qualified("Z_PK"))
    }
}

extension FetchPredicate.Comparison {
    /// The operator between two values that are not NULL.
    var sqlOperator: String {
        switch self {
        case .equal: "="
        case .notEqual: "<>"
        case .less, .lessOrEqual, .greater, .greaterOrEqual: rawValue
        }
    }
}

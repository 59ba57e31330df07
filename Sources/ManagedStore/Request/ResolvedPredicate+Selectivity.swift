extension ResolvedPredicate {
    /// Whether few rows are likely to meet the condition, as with a test for a certain value, but not for a different
    /// one.
    var isSelective: Bool { isSelective(whenNegated: false) }

    private func isSelective(whenNegated isNegated: Bool) -> Bool {
        switch self {
        case .constant(let value): value == isNegated
        case .compare(_, let comparison, let value):
            comparison == (isNegated ? .notEqual : .equal) && value != .null && value.type != .boolean
        case .in, .keys, .text: !isNegated
        case .and(let parts), .or(let parts):
            isConjunction != isNegated
                ? parts.contains { $0.isSelective(whenNegated: isNegated) }
                : parts.allSatisfy { $0.isSelective(whenNegated: isNegated) }
        case .not(let part): part.isSelective(whenNegated: !isNegated)
        case .through(_, let condition, let ifMissing):
            ifMissing == isNegated && condition.isSelective(whenNegated: isNegated)
        case .related(let quantifier, _, let condition):
            (quantifier == .any) != isNegated && condition.isSelective(whenNegated: quantifier == .all)
        case .values, .count, .decision: false
        }
    }

    /// Whether it concerns a row's own values alone, and no index finds the rows that meet it.
    func readsEachRow(of table: EntityTable) -> Bool {
        switch self {
        case .compare(let position, .equal, _), .in(let position, _): !table.isIndexed(position)
        case .constant, .compare, .text: true
        case .and(let parts), .or(let parts): parts.allSatisfy { $0.readsEachRow(of: table) }
        case .not(let part): part.readsEachRow(of: table)
        case .values: !followsRelationships
        case .keys, .through, .related, .count, .decision: false
        }
    }

    /// Whether it is about the row that a to-one relationship leads to.
    var isThrough: Bool {
        if case .through = self { true } else { false }
    }

    private var isConjunction: Bool {
        if case .and = self { true } else { false }
    }
}

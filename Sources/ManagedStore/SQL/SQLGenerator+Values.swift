/// Comparisons of values that are computed for each row.
extension SQLGenerator {
    /// Returns the parser entries that it takes to compare two values.
    static func entries(_ left: BatchUpdatePlan.Expression, _ right: BatchUpdatePlan.Expression) -> Int {
        let related = left.followsRelationships || right.followsRelationships
        return 8 + 5 * max(left.depth, right.depth) + (related ? 20 : 0)
    }

    /// Returns a comparison that is never NULL: a missing value equals nothing but another missing one.
    func comparison(
        _ left: BatchUpdatePlan.Expression, _ comparison: FetchPredicate.Comparison,
        _ right: BatchUpdatePlan.Expression
    ) -> SQLFragment {
        // A constant is never missing.
        let mayBothMiss = !left.isConstant && !right.isConstant
        let (left, right) = (operand(left), operand(right))
        func compared(_ sql: String) -> SQLFragment { left + SQLFragment(sql: " \(sql) ") + right }
        switch comparison {
        case .equal, .notEqual:
            let areMissing =
                mayBothMiss
                ? left + SQLFragment(sql: " IS NULL AND ") + right + SQLFragment(sql: " IS NULL")
                : SQLFragment(sql: dialect.literal(false))
            return SQLFragment(sql: "\(comparison == .equal ? "" : "NOT ")COALESCE(") + compared("=")
                + SQLFragment(sql: ", ") + areMissing + SQLFragment(sql: ")")
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            return SQLFragment(sql: "COALESCE(") + compared(comparison.sqlOperator)
                + SQLFragment(sql: ", \(dialect.literal(false)))")
        }
    }

    /// Whether the dialect computes the value exactly.
    func says(_ value: BatchUpdatePlan.Expression) -> Bool {
        switch value {
        case .constant(let constant): dialect.says(constant)
        case .attribute: true
        case .related: dialect.allowsCorrelatedQueries
        case .count(_, _, let condition): dialect.allowsCorrelatedQueries && (condition.map(saysParts) ?? true)
        case .not, .chain: dialect.computesConditions
        }
    }
}

extension BatchUpdatePlan.Expression {
    fileprivate var isConstant: Bool {
        if case .constant = self { true } else { false }
    }
}

extension TextTest {
    /// The test of a column, in SQL; false for NULL.
    func condition(_ column: String) -> SQLFragment {
        let text = options.folded(column)
        switch question {
        case .compare(.equal, let other): return SQLFragment(sql: "\(text) IS ?", bindings: [.string(other)])
        case .compare(let comparison, let other):
            return SQLFragment(
                sql: "(\(text) \(comparison.rawValue) ? AND \(column) IS NOT NULL)", bindings: [.string(other)])
        case .isOneOf(let others):
            let places = repeatElement("?", count: others.count).joined(separator: ", ")
            return SQLFragment(
                sql: "(\(text) IN (\(places)) AND \(column) IS NOT NULL)", bindings: others.map { .string($0) })
        case .finds(let needle, let place):
            return SQLFragment(sql: "\(place.function)(\(text), ?)", bindings: [.string(needle)])
        case .isLike(_, let pattern):
            return SQLFragment(sql: "MS_LIKE(\(text), ?, 0)", bindings: [.string(pattern)])
        case .matches(_, let pattern, _):
            return SQLFragment(
                sql: "MS_MATCHES(\(column), ?, \(patternOptions.rawValue))", bindings: [.string(pattern)])
        }
    }
}

extension FetchPredicate.StringOptions {
    /// A column as SQL folds it.
    func folded(_ column: String) -> String {
        isEmpty ? column : "MS_FOLD(\(column), \(rawValue))"
    }
}

extension StringPlace {
    /// The SQL function that finds one string at this place of another.
    var function: String {
        switch self {
        case .anywhere: "MS_CONTAINS"
        case .beginning: "MS_BEGINSWITH"
        case .end: "MS_ENDSWITH"
        }
    }
}

/// Conditions on keys, with a parameter for each key.
struct KeyLists {
    /// The values for the parameters of each statement. Lists of the same length share a statement, so there are few
    /// lengths. A key that no row has fills up the last list.
    private let bindings: [[StoredValue]]
    /// The parameters of such a list.
    private let parameters: String

    private static let longest = list(of: RowPage.rows)
    private static let lists = [1, 8, 64, 256, 1_024].map(list) + [longest]

    private static func list(of length: Int) -> (length: Int, parameters: String) {
        (length, .list(of: "?", length))
    }

    init(_ keys: [Int64]) {
        let (length, parameters) = Self.lists.first { $0.length >= keys.count } ?? Self.longest
        self.parameters = parameters
        bindings = stride(from: 0, to: keys.count, by: length).map { start in
            (start..<start + length).map { .integer64($0 < keys.count ? keys[$0] : -1) }
        }
    }

    /// Returns the conditions that a column has one of the keys.
    func conditions(_ column: String) -> [SQLFragment] {
        bindings.map { SQLFragment(sql: "\(column) IN (\(parameters))", bindings: $0) }
    }

    /// Returns the condition that a column has a key of a range.
    static func condition(_ column: String, in range: ClosedRange<Int64>) -> SQLFragment {
        SQLFragment(
            sql: "\(column) BETWEEN ? AND ?",
            bindings: [.integer64(range.lowerBound), .integer64(range.upperBound)])
    }
}

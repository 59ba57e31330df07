/// Conditions on keys, with a parameter for each key.
struct KeyLists {
    /// The values for the parameters of each statement. Lists of the same length share a statement, so there are few
    /// lengths. A key that no row has fills up the last list.
    private let bindings: [[StoredValue]]
    private let length: Int

    /// The lengths, and the parameters of a list of each.
    private static let parameters = [1, 8, 64, 256, RowPage.rows].map { length in
        (length: length, text: repeatElement("?", count: length).joined(separator: ", "))
    }

    init(_ keys: [Int64]) {
        let length = Self.parameters.map(\.length).first { $0 >= keys.count } ?? RowPage.rows
        self.length = length
        bindings = stride(from: 0, to: keys.count, by: length).map { start in
            (start..<start + length).map { .integer64($0 < keys.count ? keys[$0] : -1) }
        }
    }

    /// Returns the conditions that a column has one of the keys.
    func conditions(_ column: String) -> [SQLFragment] {
        let places = Self.parameters.first { $0.length == length }?.text ?? ""
        return bindings.map { SQLFragment(sql: "\(column) IN (\(places))", bindings: $0) }
    }

    /// Returns the condition that a column has a key of a range.
    static func condition(_ column: String, in range: ClosedRange<Int64>) -> SQLFragment {
        SQLFragment(
            sql: "\(column) BETWEEN ? AND ?",
            bindings: [.integer64(range.lowerBound), .integer64(range.upperBound)])
    }
}

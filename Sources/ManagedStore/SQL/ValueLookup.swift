/// Finds the rows that have one of several integers in a column that an index covers.
///
/// For `IN (?, ?)`, SQLite sorts the values into a table of its own whenever the statement runs, which costs more than
/// to find a few rows. A join with the values needs no such table, and takes a third to two thirds of the time.
struct ValueLookup {
    private let column: String
    private let values: [Int64]

    /// The greatest number of values. With more, the table is a smaller part of the work, and the text a larger one.
    static let limit = RowPage.rows

    /// - Parameters:
    ///   - column: The column of a table that goes by `t`, as a statement writes it.
    ///   - values: Distinct values.
    init(_ column: String, isOneOf values: [Int64]) {
        (self.column, self.values) = (column, values)
    }

    /// Returns `FROM (VALUES (?), ...) v CROSS JOIN table t ON t.column = v.column1`. The join follows the values in
    /// their order.
    func rows(of table: String) -> SQLFragment {
        // There are few lengths, since it takes longer to compile a statement than to run it. No row is equal to NULL.
        var length = 1
        while length < values.count { length *= 2 }
        var bindings: [StoredValue] = []
        bindings.reserveCapacity(length)
        for value in values { bindings.append(.integer64(value)) }
        for _ in values.count..<length { bindings.append(.null) }
        var sql = "FROM (VALUES (?)"
        for _ in 1..<length { sql += ",(?)" }
        sql += ") v CROSS JOIN \(table) t ON \(column) = v.column1"
        return SQLFragment(sql: sql, bindings: bindings)
    }
}

extension SQLGenerator {
    /// Returns the lookup that finds the rows of `plan`; nil if its condition is none on a few integers.
    func lookup(_ plan: FetchPlan) -> ValueLookup? {
        guard dialect.looksUpValues, let predicate = plan.predicate else { return nil }
        switch predicate {
        case .keys(let keys) where keys.count <= ValueLookup.limit && keys.ends == nil:
            return ValueLookup("t.\(dialect.identifier("Z_PK"))", isOneOf: keys)
        case .in(let position, let values)
        where values.count <= ValueLookup.limit && isIndexed(position) && !table.isAdopted:
            return values.integers.map { integers in
                ValueLookup(
                    "t.\(dialect.identifier(table.columns[position]))", isOneOf: DistinctKeys.sorted(integers))
            }
        default: return nil
        }
    }
}

extension [StoredValue] {
    /// The values as integers; nil if there are none, or if one is of another kind: strings that are equal here may
    /// differ in a database.
    fileprivate var integers: [Int64]? {
        if isEmpty { return nil }
        var integers: [Int64] = []
        integers.reserveCapacity(count)
        for value in self {
            guard case .integer(let integer) = value.untyped else { return nil }
            integers.append(integer)
        }
        return integers
    }
}

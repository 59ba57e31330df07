/// Changed and deleted rows.
extension PostgreSQLWriter {
    /// A changed row: the version in the store that it replaces, and its changed fields, one bit each.
    private struct Change {
        let row: RowReference
        let version: Int32
        let mask: UInt64
        var expected: (key: Int64, version: Int32) { (row.row.key, version) }
    }

    /// Writes the changed fields of `rows`.
    mutating func update(_ rows: ContiguousArray<RowReference>) throws(StoreError) {
        try checkValues(rows)
        for (mask, changes) in Dictionary(grouping: changes(rows), by: \.mask).sorted(by: { $0.key < $1.key }) {
            // In the order of the keys, rows that lie together are changed together, and saves lock in one order.
            let sorted = changes.sorted { $0.row.row.key < $1.row.row.key }
            let positions = fields(mask)
            for part in statements(of: sorted, { size(of: $0.row) }) { try write(part, positions) }
        }
        connection.countRows(rows.count)
    }

    private func changes(_ rows: ContiguousArray<RowReference>) -> [Change] {
        rows.compactMap { row in
            guard let origin = row.origin else { return nil }
            let mask = RowPage.differences(origin, row, layout)
            return mask == 0 ? nil : Change(row: row, version: origin.row.version, mask: mask)
        }
    }

    /// Removes the values of uniqueness constraints that `rows` are going to change, so that rows can exchange values
    /// where the server checks each row at once.
    func giveUpUniqueValues(_ rows: ContiguousArray<RowReference>) throws(StoreError) {
        let unique = Set(table.source.entity.uniqueness.flatMap(\.positions))
        for (mask, changes) in Dictionary(grouping: changes(rows), by: \.mask) {
            let assignments = fields(mask).filter(unique.contains).map { position in
                "\(dialect.identifier(table.columns[position])) = NULL"
            }
            if assignments.isEmpty { continue }
            for part in statements(of: changes, { _ in 0 }) {
                let arrays = Self.arrays(part.map(\.expected))
                let sql = """
                    UPDATE \(name) t SET \(assignments.joined(separator: ", ")) \
                    FROM \(Self.unnest(arrays)) AS u(k, o) WHERE \(Self.isExpected)
                    """
                _ = try connection.query(sql, QueryParameters(arrays))
            }
        }
    }

    /// Returns the positions of the fields that a mask has.
    private func fields(_ mask: UInt64) -> [Int] {
        layout.fields.indices.filter { mask & (1 << UInt64(min($0, 63))) != 0 }
    }

    /// Writes some fields of rows that have the versions that they had in the store.
    mutating func overwrite(_ rows: [RowReference], _ positions: [Int]) throws(StoreError) {
        try checkValues(rows)
        let changes = rows.map { Change(row: $0, version: $0.row.version, mask: 0) }
        for part in statements(of: changes, { size(of: $0.row) }) { try write(part, positions) }
    }

    private mutating func write(_ changes: ArraySlice<Change>, _ positions: [Int]) throws(StoreError) {
        if let runs = runs(changes, positions) { return try write(changes, positions, runs) }
        let expected = changes.map(\.expected)
        let arrays = Self.arrays(expected) + newValues(changes, positions)
        let columns = writtenColumns(positions)
        let assignments = columns.enumerated().map { "\(dialect.identifier($1)) = u.c\($0), " }.joined()
        let names = columns.indices.map { ", c\($0)" }.joined()
        let sql = """
            UPDATE \(name) t SET \(assignments)"Z_OPT" = u.n FROM \(Self.unnest(arrays)) AS u(k, o, n\(names)) \
            WHERE \(Self.isExpected)
            """
        try run(sql, QueryParameters(arrays), expected.count)
    }

    /// Returns the new versions of rows, then the values of some fields.
    private func newValues(_ changes: ArraySlice<Change>, _ positions: [Int]) -> [ColumnArray] {
        [ColumnArray(changes.lazy.map { Int64(RowVersion.next($0.version)) })]
            + values(of: changes.map(\.row), positions)
    }

    /// Returns the columns of some fields: those of the fields, then the entities of references among them.
    private func writtenColumns(_ positions: [Int]) -> [String] {
        positions.map { table.columns[$0] }
            + table.entityColumns.filter { positions.contains($0.field) }.map(\.column)
    }

    /// A statement for a range of keys must save the server the work of finding so many rows one by one.
    private static let rowsPerRange = 16

    /// Returns the ranges of the keys of rows that all have the same version and take on the same values; nil if they
    /// do not, or if the ranges are short.
    private func runs(_ changes: ArraySlice<Change>, _ positions: [Int]) -> [ClosedRange<Int64>]? {
        guard let first = changes.first, changes.count >= Self.rowsPerRange,
            changes.allSatisfy({ $0.version == first.version }),
            zip(changes, changes.dropFirst()).allSatisfy({ $0.row.row.key < $1.row.row.key })
        else { return nil }
        let runs = Array(KeyRuns(changes.lazy.map(\.row.row.key)))
        guard runs.count * Self.rowsPerRange <= changes.count else { return nil }
        let areSame = positions.allSatisfy { position in
            changes.allSatisfy { RowPage.areEqual($0.row, first.row, layout.fields[position]) }
        }
        return areSame ? runs : nil
    }

    /// Writes the same values into all rows of some ranges, whose keys are those of `changes`.
    private mutating func write(
        _ changes: ArraySlice<Change>, _ positions: [Int], _ runs: [ClosedRange<Int64>]
    ) throws(StoreError) {
        let one = changes.prefix(1)
        let arrays = Array(Self.arrays(one.map(\.expected)).dropFirst()) + newValues(one, positions)
        let value = { (number: Int, array: ColumnArray) in "($\(number)::\(array.type.name)[])[1]" }
        let assignments = zip(writtenColumns(positions), arrays.dropFirst(2)).enumerated().map { index, column in
            "\(dialect.identifier(column.0)) = \(value(index + 5, column.1)), "
        }
        let sql = """
            UPDATE \(name) t SET \(assignments.joined())"Z_OPT" = \(value(4, arrays[1])) \
            WHERE t."Z_PK" BETWEEN $1 AND $2 AND \(Self.version) = \(value(3, arrays[0]))
            """
        var left = changes
        for run in runs {
            var parameters = QueryParameters()
            parameters.append(run.lowerBound)
            parameters.append(run.upperBound)
            for array in arrays { parameters.append(array) }
            let rows = left.prefix(run.count)
            left = left.dropFirst(run.count)
            try self.run(sql, parameters, rows.count)
        }
    }

    /// Deletes `rows`.
    mutating func delete(_ rows: ContiguousArray<RowReference>) throws(StoreError) {
        let sorted = rows.map { (key: $0.row.key, version: $0.row.version) }.sorted { $0.key < $1.key }
        for start in stride(from: 0, to: sorted.count, by: Self.rowsPerStatement) {
            let part = sorted[start..<min(start + Self.rowsPerStatement, sorted.count)]
            let arrays = Self.arrays(part)
            let sql = """
                DELETE FROM \(name) t USING \(Self.unnest(arrays)) AS u(k, o) WHERE \(Self.isExpected)
                """
            try run(sql, QueryParameters(arrays), part.count)
        }
        connection.countRows(rows.count)
    }

    private mutating func run(
        _ sql: String, _ parameters: QueryParameters, _ expectedCount: Int
    ) throws(StoreError) {
        let written = try connection.query(sql, parameters).affected
        if written != expectedCount { hasMismatch = true }
    }
}

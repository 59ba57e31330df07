import Foundation

/// Writes the rows of one entity in a save's transaction.
struct PostgreSQLWriter {
    let table: EntityTable
    let connection: PostgreSQLConnection
    let dialect: PostgreSQLDialect
    let keys: PermanentKeys
    /// The numbers of the model's entities.
    let numbers: [Int]
    private let layout: RowLayout
    /// Keys of which at least one did not have the expected version.
    private(set) var mismatches: [[Int64: Int32]] = []

    /// The most rows of a statement with arrays, and about the most bytes of their values.
    private static let rowsPerStatement = 10_000
    private static let bytesPerStatement = 16 << 20
    /// The server accepts no value of 1 GiB.
    private static let longestValue = 1_000_000_000
    /// From this number on, new rows are copied; fewer take one statement, which is prepared.
    private static let rowsToCopy = 64
    /// New rows are sent in pieces of about so many bytes.
    private static let pieceSize = 1 << 18

    init(
        _ table: EntityTable, _ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect, _ keys: PermanentKeys,
        _ numbers: [Int]
    ) {
        (self.table, self.connection, self.dialect, self.keys, self.numbers) =
            (table, connection, dialect, keys, numbers)
        layout = table.source.entity.layout
    }

    private var name: String { dialect.identifier(table.name) }
    /// The lower 32 bits of the version, as rows have them.
    private static let version = "(t.\"Z_OPT\" & 4294967295)"

    private static func unsigned(_ version: Int32) -> Int64 { Int64(UInt32(bitPattern: version)) }
}

// MARK: - New rows

extension PostgreSQLWriter {
    /// Inserts rows with version 1, and replaces temporary keys by permanent ones.
    func insert(_ rows: ContiguousArray<RowReference>) throws(StoreError) {
        if rows.isEmpty { return }
        try checkValues(rows)
        let isSmall = rows.count < Self.rowsToCopy && size(of: rows) < Self.bytesPerStatement
        let written = try isSmall ? insertTogether(rows) : copy(rows)
        guard written == rows.count else { throw connection.unwritten("new rows of table \(table.name)") }
        connection.countRows(rows.count)
    }

    private func copy(_ rows: ContiguousArray<RowReference>) throws(StoreError) -> Int {
        var (index, next) = (0, keys.firstKeys[table.source.entityIndex])
        let columns = ["Z_PK", "Z_ENT", "Z_OPT"] + table.writtenColumns
        let fieldCount = Int16(columns.count)
        let entityColumns = table.entityColumns
        return try connection.copy(into: name, columns.map(dialect.identifier)) { buffer throws(StoreError) in
            while index < rows.count, buffer.count < Self.pieceSize {
                let row = rows[index]
                buffer.append(fieldCount)
                buffer.appendValue(key(of: row, &next))
                buffer.appendValue(Int64(table.entityNumber))
                buffer.appendValue(1 as Int64)
                for field in layout.fields { buffer.append(field, of: row, keys) }
                for (field, _) in entityColumns { buffer.appendEntity(layout.fields[field], of: row, keys, numbers) }
                index += 1
            }
            return index < rows.count
        }
    }

    @inline(__always) private func key(of row: RowReference, _ next: inout Int64) -> Int64 {
        if row.row.key >= 0 { return row.row.key }
        defer { next += 1 }
        return next
    }

    private func insertTogether(_ rows: ContiguousArray<RowReference>) throws(StoreError) -> Int {
        var next = keys.firstKeys[table.source.entityIndex]
        let arrays = [ColumnArray(rows.map { key(of: $0, &next) })] + values(of: rows, Array(layout.fields.indices))
        let columns = (["Z_PK"] + table.writtenColumns).map(dialect.identifier).joined(separator: ", ")
        let sql = """
            INSERT INTO \(name) (\(columns), "Z_ENT", "Z_OPT") \
            SELECT u.*, \(table.entityNumber), 1 FROM \(Self.unnest(arrays)) u
            """
        return try connection.query(sql, QueryParameters(arrays)).affected
    }

    /// Returns the values of some fields by column: those of the fields, then the entities of references among them.
    private func values(of rows: some Collection<RowReference>, _ positions: [Int]) -> [ColumnArray] {
        let own = positions.map { position in
            var array = ColumnArray(ServerType(layout.fields[position].type.column))
            for row in rows { array.append { $0.append(layout.fields[position], of: row, keys) } }
            return array
        }
        let entities = table.entityColumns.filter { positions.contains($0.field) }.map { field, _ in
            var array = ColumnArray(.bigint)
            for row in rows { array.append { $0.appendEntity(layout.fields[field], of: row, keys, numbers) } }
            return array
        }
        return own + entities
    }

    /// Returns `unnest($1::bigint[], $2::text[], ...)`.
    private static func unnest(_ arrays: [ColumnArray]) -> String {
        let parameters = arrays.enumerated().map { "$\($0 + 1)::\($1.type.name)[]" }
        return "unnest(\(parameters.joined(separator: ", ")))"
    }

    /// - Throws: `StoreError` with `wrongType` for text with a NUL, which the server cannot hold, and for a value that
    ///   is too long.
    private func checkValues(_ rows: some Sequence<RowReference>) throws(StoreError) {
        for (position, field) in layout.attributeFields.enumerated() where field.isArena {
            for row in rows where !field.isNull(in: row.row) {
                let bytes = row.bytes(field)
                if bytes.count > Self.longestValue {
                    throw refusal(position, row, "is longer than the gigabyte that a PostgreSQL store can hold")
                }
                if field.storage == .text, bytes.contains(0) {
                    throw refusal(
                        position, row,
                        "contains the character NUL, which a PostgreSQL store cannot hold: remove it, or make the "
                            + "attribute binaryData")
                }
            }
        }
    }

    private func refusal(_ position: Int, _ row: RowReference, _ reason: String) -> StoreError {
        let attribute = table.source.entity.attributes[position]
        return StoreError(
            .wrongType, "\(table.source.entity.name).\(attribute.name) \(reason)",
            objectID: ManagedObjectID(source: table.source, key: row.row.key), key: attribute.name)
    }

    /// Returns about the number of bytes of the rows' values.
    private func size(of rows: some Sequence<RowReference>) -> Int {
        rows.reduce(0) { $0 + size(of: $1) }
    }

    private func size(of row: RowReference) -> Int {
        layout.arenaFields.reduce(layout.stride) { $0 + ($1.isNull(in: row.row) ? 0 : row.bytes($1).count) }
    }
}

// MARK: - Changed and deleted rows

extension PostgreSQLWriter {
    /// A changed row: the version in the store that it replaces, and its changed fields, one bit each.
    private struct Change {
        let row: RowReference
        let version: Int32
        let mask: UInt64
    }

    /// Writes the changed fields of `rows`.
    mutating func update(_ rows: ContiguousArray<RowReference>) throws(StoreError) {
        try checkValues(rows)
        let changes = rows.compactMap { row -> Change? in
            guard let origin = row.page._withUnsafeGuaranteedRef({ $0.origin(of: row.row) }) else { return nil }
            let mask = RowPage.differences(origin, row, layout)
            return mask == 0 ? nil : Change(row: row, version: origin.row.version, mask: mask)
        }
        for (mask, changes) in Dictionary(grouping: changes, by: \.mask).sorted(by: { $0.key < $1.key }) {
            // In the order of the keys, rows that lie together are changed together, and saves lock in one order.
            let sorted = changes.sorted { $0.row.row.key < $1.row.row.key }
            let positions = layout.fields.indices.filter { mask & (1 << UInt64(min($0, 63))) != 0 }
            var left = sorted[...]
            while !left.isEmpty {
                let part = statement(of: left)
                try write(part, positions)
                left = left.dropFirst(part.count)
            }
        }
        connection.countRows(rows.count)
    }

    /// Returns the first changes, as many as one statement takes; at least one.
    private func statement(of changes: ArraySlice<Change>) -> ArraySlice<Change> {
        var bytes = 0
        let end = changes.prefix(Self.rowsPerStatement).firstIndex { change in
            bytes += size(of: change.row)
            return bytes > Self.bytesPerStatement
        }
        return changes.prefix(max((end ?? changes.startIndex + Self.rowsPerStatement) - changes.startIndex, 1))
    }

    /// Writes some fields of rows that have the versions that they had in the store.
    mutating func overwrite(_ rows: [RowReference], _ positions: [Int]) throws(StoreError) {
        try checkValues(rows)
        var left = rows.map { Change(row: $0, version: $0.row.version, mask: 0) }[...]
        while !left.isEmpty {
            let part = statement(of: left)
            try write(part, positions)
            left = left.dropFirst(part.count)
        }
    }

    private mutating func write(_ changes: ArraySlice<Change>, _ positions: [Int]) throws(StoreError) {
        let arrays =
            [
                ColumnArray(changes.map(\.row.row.key)), ColumnArray(changes.map { Self.unsigned($0.version) }),
                ColumnArray(changes.map { Int64(RowVersion.next($0.version)) }),
            ] + values(of: changes.map(\.row), positions)
        let columns =
            positions.map { table.columns[$0] }
            + table.entityColumns.filter { positions.contains($0.field) }.map(\.column)
        let assignments = columns.enumerated().map { "\(dialect.identifier($1)) = u.c\($0), " }.joined()
        let names = columns.indices.map { ", c\($0)" }.joined()
        let sql = """
            UPDATE \(name) t SET \(assignments)"Z_OPT" = u.n FROM \(Self.unnest(arrays)) AS u(k, o, n\(names)) \
            WHERE t."Z_PK" = u.k AND \(Self.version) = u.o
            """
        try run(sql, arrays, changes.map { ($0.row.row.key, $0.version) })
    }

    /// Deletes `rows`.
    mutating func delete(_ rows: ContiguousArray<RowReference>) throws(StoreError) {
        let sorted = rows.map { (key: $0.row.key, version: $0.row.version) }.sorted { $0.key < $1.key }
        for start in stride(from: 0, to: sorted.count, by: Self.rowsPerStatement) {
            let part = sorted[start..<min(start + Self.rowsPerStatement, sorted.count)]
            let arrays = [
                ColumnArray(part.lazy.map(\.key)), ColumnArray(part.lazy.map { Self.unsigned($0.version) }),
            ]
            let sql = """
                DELETE FROM \(name) t USING \(Self.unnest(arrays)) AS u(k, o) \
                WHERE t."Z_PK" = u.k AND \(Self.version) = u.o
                """
            try run(sql, arrays, Array(part))
        }
        connection.countRows(rows.count)
    }

    private mutating func run(
        _ sql: String, _ arrays: [ColumnArray], _ expected: [(Int64, Int32)]
    ) throws(StoreError) {
        let written = try connection.query(sql, QueryParameters(arrays)).affected
        if written != expected.count {
            mismatches.append(Dictionary(expected, uniquingKeysWith: { first, _ in first }))
        }
    }

    /// Returns the rows of the mismatched statements that differ from the expectation. Call it after the transaction
    /// was rolled back.
    func conflicts(_ connection: PostgreSQLConnection) throws(StoreError) -> [MergeConflict] {
        var conflicts: [MergeConflict] = []
        for expected in mismatches {
            let keys = expected.keys.sorted()
            let found = try connection.query(
                "SELECT \"Z_PK\", \"Z_OPT\" FROM \(name) WHERE \"Z_PK\" = ANY($1)", QueryParameters([ColumnArray(keys)])
            )
            var versions: [Int64: Int32] = [:]
            for row in 0..<found.count {
                versions[found[row].int64(0)] = Int32(truncatingIfNeeded: found[row].int64(1))
            }
            for key in keys where versions[key] != expected[key] {
                conflicts.append(
                    MergeConflict(
                        objectID: ManagedObjectID(source: table.source, key: key),
                        oldVersion: Int(expected[key] ?? 0), newVersion: Int(versions[key] ?? 0)))
            }
        }
        return conflicts
    }
}

extension PostgreSQLConnection {
    /// Returns the error for rows that the server did not write although it reported no error.
    func unwritten(_ rows: String) -> StoreError {
        StoreError(
            .storeFailure,
            "\(address.name): \(rows) were not written, although the server reported no error: look for a trigger or "
                + "a rule that ignores them, and drop it; nothing was saved")
    }
}

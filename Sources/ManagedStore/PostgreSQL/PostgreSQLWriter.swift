import Foundation

/// Writes the rows of one entity in a save's transaction.
struct PostgreSQLWriter {
    let table: EntityTable
    let connection: PostgreSQLConnection
    let dialect: PostgreSQLDialect
    let keys: PermanentKeys
    /// The numbers of the model's entities.
    let numbers: [Int]
    let layout: RowLayout
    /// Whether a row did not have the expected version.
    var hasMismatch = false

    /// The most rows of a statement with arrays, and about the most bytes of their values.
    static let rowsPerStatement = 10_000
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

    var name: String { dialect.identifier(table.name) }
    /// The lower 32 bits of the version, as rows have them.
    static let version = "(t.\"Z_OPT\" & 4294967295)"

    static func unsigned(_ version: Int32) -> Int64 { Int64(UInt32(bitPattern: version)) }
}

// MARK: - New rows

extension PostgreSQLWriter {
    /// Inserts rows with version 1 and their numbers in ordered relationships, and replaces temporary keys by permanent
    /// ones.
    func insert(_ rows: ContiguousArray<RowReference>, _ orders: RowOrders) throws(StoreError) {
        if rows.isEmpty { return }
        try checkValues(rows)
        let isSmall = rows.count < Self.rowsToCopy && size(of: rows) < Self.bytesPerStatement
        let copies = !isSmall && dialect.abilities.contains(.copyIn)
        let written = try copies ? copy(rows, orders.columns) : insertTogether(rows, orders.columns)
        guard written == rows.count else { throw connection.unwritten("new rows of table \(table.name)") }
        connection.countRows(rows.count)
    }

    private func copy(
        _ rows: ContiguousArray<RowReference>, _ orders: [RowOrders.Column]
    ) throws(StoreError) -> Int {
        var (index, next) = (0, keys.firstKeys[table.source.entityIndex])
        let columns = ["Z_PK", "Z_ENT", "Z_OPT"] + table.writtenColumns + orders.map(\.name)
        let fieldCount = Int16(columns.count)
        let entityColumns = table.entityColumns
        return try connection.copy(into: name, columns.map(dialect.identifier)) { buffer throws(StoreError) in
            while index < rows.count, buffer.count < Self.pieceSize {
                let row = rows[index]
                buffer.append(fieldCount)
                let key = key(of: row, &next)
                buffer.appendValue(key)
                buffer.appendValue(Int64(table.entityNumber))
                buffer.appendValue(1 as Int64)
                for field in layout.fields { buffer.append(field, of: row, keys) }
                for (field, _) in entityColumns { buffer.appendEntity(layout.fields[field], of: row, keys, numbers) }
                for order in orders { buffer.appendNumber(order.number(of: row, key, keys)) }
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

    private func insertTogether(
        _ rows: ContiguousArray<RowReference>, _ orders: [RowOrders.Column]
    ) throws(StoreError) -> Int {
        var (next, written) = (keys.firstKeys[table.source.entityIndex], 0)
        let columns = (["Z_PK"] + table.writtenColumns + orders.map(\.name)).map(dialect.identifier)
            .joined(separator: ", ")
        for part in statements(of: rows, { size(of: $0) }) {
            let own = part.map { key(of: $0, &next) }
            let arrays =
                [ColumnArray(own)] + values(of: part, Array(layout.fields.indices))
                + orders.map { orderNumbers(of: part, own, $0) }
            let sql = """
                INSERT INTO \(name) (\(columns), "Z_ENT", "Z_OPT") \
                SELECT u.*, \(table.entityNumber), 1 FROM \(Self.unnest(arrays)) u
                """
            written += try connection.query(sql, QueryParameters(arrays)).affected
        }
        return written
    }

    private func orderNumbers(
        of rows: some Sequence<RowReference>, _ own: [Int64], _ order: RowOrders.Column
    ) -> ColumnArray {
        var array = ColumnArray(.bigint)
        for (row, key) in zip(rows, own) { array.append { $0.appendNumber(order.number(of: row, key, keys)) } }
        return array
    }

    /// Returns the values of some fields by column: those of the fields, then the entities of references among them.
    func values(of rows: some Collection<RowReference>, _ positions: [Int]) -> [ColumnArray] {
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

    /// The condition for the rows of ``arrays(_:)`` that still have the expected version.
    static let isExpected = "t.\"Z_PK\" = u.k AND \(version) = u.o"

    /// Returns the keys of rows, and the versions that they are expected to have.
    static func arrays(_ expected: some Collection<(key: Int64, version: Int32)>) -> [ColumnArray] {
        [ColumnArray(expected.lazy.map(\.key)), ColumnArray(expected.lazy.map { unsigned($0.version) })]
    }

    /// Returns `unnest($1::bigint[], $2::text[], ...)`.
    static func unnest(_ arrays: [ColumnArray]) -> String {
        let parameters = arrays.enumerated().map { "$\($0 + 1)::\($1.type.name)[]" }
        return "unnest(\(parameters.joined(separator: ", ")))"
    }

    /// - Throws: `StoreError` with `wrongType` for text with a NUL, which the server cannot hold, and for a value that
    ///   is too long.
    func checkValues(_ rows: some Sequence<RowReference>) throws(StoreError) {
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

    /// Returns rows or changes in parts, each as many as one statement takes, and at least one.
    func statements<Rows: RandomAccessCollection>(
        of rows: Rows, _ size: (Rows.Element) -> Int
    ) -> [Rows.SubSequence] where Rows.Index == Int {
        var (parts, left) = ([Rows.SubSequence](), rows[...])
        while !left.isEmpty {
            var bytes = 0
            let end = left.prefix(Self.rowsPerStatement).firstIndex { row in
                bytes += size(row)
                return bytes > Self.bytesPerStatement
            }
            parts.append(left.prefix(max((end ?? left.startIndex + Self.rowsPerStatement) - left.startIndex, 1)))
            left = left[parts[parts.count - 1].endIndex...]
        }
        return parts
    }

    /// Returns about the number of bytes of the rows' values.
    private func size(of rows: some Sequence<RowReference>) -> Int {
        rows.reduce(0) { $0 + size(of: $1) }
    }

    func size(of row: RowReference) -> Int {
        layout.arenaFields.reduce(layout.stride) { $0 + ($1.isNull(in: row.row) ? 0 : row.bytes($1).count) }
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

import BenchHarness
import DriverSupport

/// The fewest messages, with the least work per row: copies in both directions, arrays of changes, an order made here.
struct CopyServerTechnique<Record: SQLRecord>: Technique {
    let table: RecordTable
    private let deletion: String

    init(table: RecordTable) {
        self.table = table
        deletion =
            "DELETE FROM \(table.name) t USING unnest($1, $2) AS d(key, version) "
            + "WHERE t.\"Z_PK\" = d.key AND t.\"Z_OPT\" = d.version"
    }

    func insert(_ ordinals: Range<Int>, of records: RecordGenerator, on connection: ServerConnection) throws {
        let binder = RecordBinder(records)
        try copy(ordinals, on: connection) { ordinal in
            RecordTable.key(ordinal)
        } attributes: { ordinal, row in
            try binder.appendAttributes(of: ordinal, to: &row)
        }
    }

    func insert(_ records: [Record], on connection: ServerConnection) throws {
        try copy(records.indices, on: connection) { position in
            records[position].key
        } attributes: { position, row in
            try records[position].appendAttributes(of: table, to: &row)
        }
    }

    /// Copies new rows to the table: a row comes last in the orders that relationships keep, as its key does.
    @inline(__always)
    private func copy(
        _ positions: Range<Int>, on connection: ServerConnection, key: (Int) -> Int64,
        attributes: (Int, inout ServerCopyBuffer) throws -> Void
    ) throws {
        let entity = table.isShared ? [] : ["\"Z_ENT\""]
        let columns = [table.key, table.version] + entity + table.columns + table.orderColumns
        let (number, orders) = (Int64(table.number), table.orderColumns.count)
        try connection.copyIn(table.name, columns, positions) { position, row in
            let key = key(position)
            row.append(key)
            row.append(1 as Int64)
            if !entity.isEmpty { row.append(number) }
            try attributes(position, &row)
            for _ in 0..<orders { row.append(key) }
        }
    }

    func insert(_ pairs: [LinkTable.Pair], of link: LinkTable, on connection: ServerConnection) throws {
        try connection.copyIn(link.name, link.columns, pairs.indices) { position, row in
            row.append(pairs[position].source)
            row.append(pairs[position].target)
            if let place = pairs[position].place { row.append(place) }
        }
    }

    func upsert(
        _ ordinals: [Int], of records: RecordGenerator, by key: Int, on connection: ServerConnection
    ) throws {
        // `COPY` has no way to replace rows.
        try LoopTechnique<ServerConnection, Record>(table: table).upsert(ordinals, of: records, by: key, on: connection)
    }

    /// Copies the rows in the order in which the server finds them, and sorts them here. A copy takes no parameters, so
    /// a condition and a limit are a matter of a statement; so is the order where there is a limit.
    func fetch(
        _ work: FetchWork, from offset: Int?, on connection: ServerConnection, watch: FetchWatch?
    ) throws -> ColumnRows {
        let sortsHere = work.limit == 0 && !work.sort.isEmpty
        let part = table.keeping(work.attributes, of: work.filter)
        var rows = ColumnRows(types: part.entity.attributes.map(\.type))
        func note() throws {
            if rows.count.isMultiple(of: FetchWatch.interval) { try watch?.found(rows.count) }
        }
        var keys = KeyOrder()
        if work.filter == nil, work.limit == 0 {
            let sql = "SELECT \(part.selectList) FROM \(table.name)"
            try connection.copyOut(sql, columns: part.columns.count + 2) { row in
                rows.append(row: row)
                if sortsHere { keys.append(row.int64(0)) }
                try note()
            }
        } else {
            try connection.read(table.selection(work, sorted: !sortsHere, from: offset), isKept: true) { row in
                rows.append(row: row)
                if sortsHere { keys.append(row.int64(0)) }
                try note()
            }
        }
        if sortsHere {
            let count = rows.count
            try rows.sort(work.sort.map { try sortKey($0, of: part, on: connection) }, from: keys.order) {
                try watch?.found(count)
            }
        }
        return rows
    }

    /// Returns a sort key. The server sorts the related records, if the key leads to those, and the rows take their
    /// places.
    private func sortKey(
        _ sort: SortSpec, of part: RecordTable, on connection: ServerConnection
    ) throws -> ColumnRows.SortKey {
        guard let (toOne, rest) = table.entity.reached(by: sort.key) else {
            return ColumnRows.SortKey(attribute: try part.attribute(sort.key), ascending: sort.ascending)
        }
        let target = table.target(toOne)
        let order = "ORDER BY \(try target.sortValue(rest, depth: 1)) NULLS FIRST"
        var places = RelatedPlaces()
        try connection.stream(
            "SELECT \(target.key), dense_rank() OVER (\(order)) FROM \(target.name) AS related1", ServerValues()
        ) { places.set($0.int64(1), of: $0.int64(0)) }
        let number = table.entity.toOneAttributes.lowerBound + toOne
        return ColumnRows.SortKey(attribute: number, ascending: sort.ascending, places: places)
    }

    func fetchPart(_ work: FetchWork, on connection: ServerConnection) throws -> any PlainRows {
        try fetch(work, from: nil, on: connection, watch: nil)
    }

    func read(_ keys: [Int64], on connection: ServerConnection) throws -> [Record] {
        try LoopTechnique<ServerConnection, Record>(table: table).read(keys, on: connection)
    }

    /// The most rows that a statement changes, and about the most bytes of their values: the server takes no message
    /// of a gigabyte.
    private static var rowsPerStatement: Int { 10_000 }
    private static var bytesPerStatement: Int { 16 << 20 }

    /// Changes rows by arrays, which are sorted by key: in another order, the server takes several times as long.
    @_specialize(where Record == ItemRecord)
    @_specialize(where Record == OwnedItemRecord)
    func update(_ records: inout [Record], _ changes: [RecordChange], on connection: ServerConnection) throws {
        for position in records.indices {
            for change in changes { try records[position].make(change) }
        }
        let sql = updateStatement(changes)
        try forEachPart(of: records) { part in
            var (columns, start) = (arrays(changes), 0)
            for (number, position) in part.enumerated() {
                for (index, change) in changes.enumerated() {
                    try records[position].append(change.attribute, of: table, to: &columns[index])
                }
                let isFull = columns.contains { $0.byteCount > Self.bytesPerStatement }
                guard isFull || number == part.count - 1 else { continue }
                try write(sql, part[start...number], of: records, columns, on: connection)
                (columns, start) = (arrays(changes), number + 1)
            }
        }
        for position in records.indices { records[position].version += 1 }
    }

    /// Returns empty arrays for the new values.
    private func arrays(_ changes: [RecordChange]) -> [ServerArray] {
        changes.map { ServerArray(ServerType(table.entity.attributes[$0.attribute].type)) }
    }

    private func updateStatement(_ changes: [RecordChange]) -> String {
        let assignments = changes.enumerated().map { "\(table.columns[$1.attribute]) = d.value\($0), " }.joined()
        let names = changes.indices.map { ", value\($0)" }.joined()
        let parameters = changes.indices.map { ", $\($0 + 3)" }.joined()
        return "UPDATE \(table.name) t SET \(assignments)\"Z_OPT\" = d.version + 1 "
            + "FROM unnest($1, $2\(parameters)) AS d(key, version\(names)) "
            + "WHERE t.\"Z_PK\" = d.key AND t.\"Z_OPT\" = d.version"
    }

    func delete(_ records: [Record], on connection: ServerConnection) throws {
        try forEachPart(of: records) { try write(deletion, $0[...], of: records, [], on: connection) }
    }

    /// All keys at once.
    static var isGiven: String { "= ANY($1)" }

    func run(_ statements: [String], for keys: [Int64], on connection: ServerConnection) throws {
        if keys.isEmpty { return }
        var values = ServerValues()
        values.append(ServerArray(keys.sorted()))
        for sql in statements { try connection.run(sql, values) }
    }

    func find(_ query: String, for keys: [Int64], on connection: ServerConnection) throws -> [Int64] {
        var found: [Int64] = []
        try connection.read(query, keys: keys) { found.append($0.int64(0)) }
        return found
    }

    /// Calls `body` with the positions of some records after others, in the order of their keys.
    private func forEachPart(of records: [Record], _ body: ([Int]) throws -> Void) throws {
        let order = records.indices.sorted { records[$0].key < records[$1].key }
        for start in stride(from: 0, to: order.count, by: Self.rowsPerStatement) {
            try body(Array(order[start..<min(start + Self.rowsPerStatement, order.count)]))
        }
    }

    /// Runs a statement on the rows of some records, and checks that it found each in the version that was read.
    private func write(
        _ sql: String, _ part: ArraySlice<Int>, of records: [Record], _ columns: [ServerArray],
        on connection: ServerConnection
    ) throws {
        var values = ServerValues()
        values.append(ServerArray(part.lazy.map { records[$0].key }))
        values.append(ServerArray(part.lazy.map { records[$0].version }))
        for column in columns { values.append(column) }
        guard try connection.run(sql, values).affected == part.count else {
            throw conflict("one of \(part.count) records", on: connection)
        }
    }
}

/// The keys of rows in the order in which a server sent them, which is often their own.
private struct KeyOrder {
    private var keys: [Int64] = []
    private var isAscending = true

    @inline(__always)
    mutating func append(_ key: Int64) {
        if let last = keys.last, key < last { isAscending = false }
        keys.append(key)
    }

    /// The rows in the order of their keys; nil if they came in it.
    var order: [UInt32]? {
        isAscending ? nil : (0..<UInt32(keys.count)).sorted { keys[Int($0)] < keys[Int($1)] }
    }
}

import BenchHarness

/// Reads related records on a bare server.
struct ServerRelatedReader: RelatedReader {
    let connection: ServerConnection

    func records<Record: ServerRecord>(_ work: FetchWork, of table: RecordTable) throws -> [Record] {
        try LoopServerTechnique<Record>(table: ServerTable(table))
            .fetch(work, from: nil, on: connection, watch: nil).records
    }

    func keys(_ work: FetchWork, of table: RecordTable) throws -> (sql: String, values: ServerValues) {
        // Only the first records of an order need one.
        try LoopServerTechnique<FieldRecord>(table: ServerTable(table))
            .selection(work, columns: table.key, sorted: work.limit > 0)
    }

    func read<Record: ServerRecord>(
        _ sql: String, _ values: ServerValues?, of table: RecordTable
    ) throws -> [Record] {
        try LoopServerTechnique<Record>(table: ServerTable(table))
            .readAll(sql, values ?? ServerValues(), on: connection)
    }

    func readOne<Record: ServerRecord>(
        _ sql: String, for keys: [Int64], of table: RecordTable
    ) throws -> [Record] {
        let groups: [[Record]] = try readGroups(sql, for: keys, of: table)
        return groups.compactMap(\.first)
    }

    func readGroups<Record: ServerRecord>(
        _ sql: String, for keys: [Int64], of table: RecordTable
    ) throws -> [[Record]] {
        let table = ServerTable(table)
        var values = ServerValues()
        return try keys.map { key in
            values.removeAll()
            values.append(key)
            let answer = try connection.run(sql, values)
            connection.didRead(answer.rows)
            return (0..<answer.rows).map { Record(row: answer.row($0), of: table) }
        }
    }

    func readPairs(_ sql: String, _ values: ServerValues, _ body: (Int64, Int64) -> Void) throws {
        var count = 0
        try connection.stream(sql, values) { row in
            body(row.int64(0), row.int64(1))
            count += 1
        }
        connection.didRead(count)
    }
}

import BenchHarness

extension ServerSession {
    /// Fetches the records of `work`, and follows a relationship to another of several entities.
    func followRelated(_ work: FetchWork, _ follow: FollowSpec) throws -> any FetchedRecords {
        try ServerRelatedReader(server: table, connection: reading).fetch(work, following: follow)
    }
}

private struct ServerRelatedReader: RelatedReader {
    let server: ServerTable
    let connection: ServerConnection

    var table: RecordTable { server.records }
    private var loop: LoopServerTechnique<FieldRecord> { LoopServerTechnique(table: server) }

    func records(_ work: FetchWork) throws -> [FieldRecord] {
        let (sql, values) = try loop.selection(work)
        return try loop.readAll(sql, values, on: connection)
    }

    func keys(_ work: FetchWork) throws -> (sql: String, values: ServerValues) {
        // Only the first records of an order need one.
        try loop.selection(work, columns: table.key, sorted: work.limit > 0)
    }

    func read(_ sql: String, _ values: ServerValues?, of table: RecordTable) throws -> [FieldRecord] {
        var records: [FieldRecord] = []
        try connection.stream(sql, values ?? ServerValues()) { records.append(FieldRecord(row: $0, of: table)) }
        connection.didRead(records.count)
        return records
    }

    func read(_ sql: String, key: Int64, of table: RecordTable) throws -> [FieldRecord] {
        var values = ServerValues()
        values.append(key)
        let answer = try connection.run(sql, values)
        connection.didRead(answer.rows)
        return (0..<answer.rows).map { FieldRecord(row: answer.row($0), of: table) }
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

import BenchHarness

extension PlainSession {
    /// Fetches the records of `work`, and follows a relationship to another of several entities.
    func followRelated(_ work: FetchWork, _ follow: FollowSpec) throws -> any FetchedRecords {
        try FileRelatedReader(table: file.table, connection: reading).fetch(work, following: follow)
    }
}

private struct FileRelatedReader: RelatedReader {
    let table: RecordTable
    let connection: PlainConnection

    func records(_ work: FetchWork) throws -> [FieldRecord] {
        let loop = LoopTechnique<FieldRecord>(table: table)
        return try FieldRecord.readAll(from: loop.select(work, on: connection), of: table)
    }

    func keys(_ work: FetchWork) throws -> (sql: String, values: [FieldValue]) {
        let filter = try Filter(
            DeleteWork(mode: .batch, filter: work.filter, sort: work.sort, limit: work.limit), table: table)
        return ("SELECT \(table.key) FROM \(table.name) WHERE \(filter.sql)", filter.bindings)
    }

    func read(_ sql: String, _ values: [FieldValue]?, of table: RecordTable) throws -> [FieldRecord] {
        let statement = try connection.prepare(sql)
        try statement.bind(values ?? [])
        return try FieldRecord.readAll(from: statement, of: table)
    }

    func read(_ sql: String, key: Int64, of table: RecordTable) throws -> [FieldRecord] {
        let statement = try connection.kept(sql)
        try statement.bind(key, at: 1)
        defer { statement.reset() }
        return try FieldRecord.readAll(from: statement, of: table)
    }

    func readPairs(_ sql: String, _ values: [FieldValue], _ body: (Int64, Int64) -> Void) throws {
        let statement = try connection.prepare(sql)
        try statement.bind(values)
        var count = 0
        while try statement.step() {
            body(statement.int64(0), statement.int64(1))
            count += 1
        }
        statement.didRead(count)
    }
}

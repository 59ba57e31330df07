import BenchHarness

/// Reads related records on bare SQLite.
struct FileRelatedReader: RelatedReader {
    let connection: PlainConnection

    func records<Record: ServerRecord>(_ work: FetchWork, of table: RecordTable) throws -> [Record] {
        try LoopTechnique<Record>(table: table).fetch(work, on: connection, watch: nil).records
    }

    func keys(_ work: FetchWork, of table: RecordTable) throws -> (sql: String, values: [FieldValue]) {
        let filter = try Filter(
            DeleteWork(mode: .batch, filter: work.filter, sort: work.sort, limit: work.limit), table: table)
        return ("SELECT \(table.key) FROM \(table.name) WHERE \(filter.sql)", filter.bindings)
    }

    func read<Record: ServerRecord>(
        _ sql: String, _ values: [FieldValue]?, of table: RecordTable
    ) throws -> [Record] {
        let statement = try connection.prepare(sql)
        try statement.bind(values ?? [])
        return try Record.readAll(from: statement, of: table)
    }

    func readOne<Record: ServerRecord>(
        _ sql: String, for keys: [Int64], of table: RecordTable
    ) throws -> [Record] {
        let statement = try connection.kept(sql)
        var records: [Record] = []
        for key in keys {
            try statement.bind(key, at: 1)
            if try statement.step() { records.append(Record(row: statement, of: table)) }
            statement.reset()
        }
        statement.didRead(records.count)
        return records
    }

    func readGroups<Record: ServerRecord>(
        _ sql: String, for keys: [Int64], of table: RecordTable
    ) throws -> [[Record]] {
        let statement = try connection.kept(sql)
        return try keys.map { key in
            try statement.bind(key, at: 1)
            defer { statement.reset() }
            return try Record.readAll(from: statement, of: table)
        }
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

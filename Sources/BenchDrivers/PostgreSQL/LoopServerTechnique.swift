import BenchHarness
import DriverSupport

/// One prepared statement per row, sent without waiting for the answer to the one before; the server does the rest.
struct LoopServerTechnique<Record: ServerRecord>: ServerTechnique {
    let table: ServerTable
    private let insertion: String
    private let selection: String
    private let deletion: String

    init(table: ServerTable) {
        self.table = table
        insertion = table.insertion
        selection = "SELECT \(table.selectList) FROM \(table.name) WHERE \"Z_PK\" = ANY($1)"
        deletion = "DELETE FROM \(table.name) WHERE \"Z_PK\" = $1 AND \"Z_OPT\" = $2"
    }

    @_specialize(where Record == ItemRecord)
    @_specialize(where Record == MessageRecord)
    @_specialize(where Record == OwnedItemRecord)
    func insert(_ ordinals: Range<Int>, of records: RecordGenerator, on connection: ServerConnection) throws {
        try connection.pipeline(insertion, count: ordinals.count) { position, values in
            Record(ordinals.lowerBound + position, of: records).appendAll(of: table, to: &values)
        } check: { _, _ in
        }
    }

    func insertOthers(_ ordinals: Range<Int>, of others: RecordGenerator, on connection: ServerConnection) throws {
        try LoopServerTechnique<FieldRecord>(table: table).insert(ordinals, of: others, on: connection)
    }

    func insert(
        _ pairs: [(source: Int64, target: Int64)], of link: LinkTable, on connection: ServerConnection
    ) throws {
        try connection.pipeline(link.insertion, count: pairs.count) { position, values in
            values.append(pairs[position].source)
            values.append(pairs[position].target)
        } check: { _, _ in
        }
    }

    func insert(_ records: [Record], on connection: ServerConnection) throws {
        try connection.pipeline(insertion, count: records.count) { position, values in
            records[position].appendAll(of: table, to: &values)
        } check: { _, _ in
        }
    }

    @_specialize(where Record == ItemRecord)
    @_specialize(where Record == MessageRecord)
    @_specialize(where Record == OwnedItemRecord)
    func fetch(
        _ work: FetchWork, from offset: Int?, on connection: ServerConnection, watch: FetchWatch?
    ) throws -> RecordArray<Record> {
        let (sql, values) = try selection(work, from: offset)
        let part = table.keeping(work.attributes, of: work.filter)
        var records: [Record] = []
        try connection.stream(sql, values) { row in
            records.append(Record(row: row, of: part))
            if records.count.isMultiple(of: FetchWatch.interval) { try watch?.found(records.count) }
        }
        connection.didRead(records.count)
        return RecordArray(records)
    }

    /// Fetches some attributes into the generic struct: a handwritten one has a property for every attribute.
    func fetchPart(_ work: FetchWork, on connection: ServerConnection) throws -> any PlainRows {
        try LoopServerTechnique<FieldRecord>(table: table).fetch(work, from: nil, on: connection, watch: nil)
    }

    func read(_ keys: [Int64], on connection: ServerConnection) throws -> [Record] {
        guard !keys.isEmpty else { return [] }
        var values = ServerValues()
        values.append(ServerArray(keys))
        return try readAll(selection, values, on: connection)
    }

    @_specialize(where Record == ItemRecord)
    @_specialize(where Record == MessageRecord)
    @_specialize(where Record == OwnedItemRecord)
    func update(_ records: inout [Record], _ changes: [RecordChange], on connection: ServerConnection) throws {
        for position in records.indices {
            for change in changes { try records[position].make(change) }
        }
        let assignments = changes.enumerated().map { "\(table.columns[$1.attribute]) = $\($0 + 4), " }.joined()
        let sql = "UPDATE \(table.name) SET \(assignments)\"Z_OPT\" = $1 WHERE \"Z_PK\" = $2 AND \"Z_OPT\" = $3"
        let changed = records
        try connection.pipeline(sql, count: changed.count) { position, values in
            values.append(changed[position].version + 1)
            values.append(changed[position].key)
            values.append(changed[position].version)
            for change in changes { changed[position].append(change.attribute, of: table, to: &values) }
        } check: { position, affected in
            guard affected == 1 else { throw conflict("the record with key \(changed[position].key)", on: connection) }
        }
        for position in records.indices { records[position].version += 1 }
    }

    func delete(_ records: [Record], on connection: ServerConnection) throws {
        try connection.pipeline(deletion, count: records.count) { position, values in
            values.append(records[position].key)
            values.append(records[position].version)
        } check: { position, affected in
            guard affected == 1 else { throw conflict("the record with key \(records[position].key)", on: connection) }
        }
    }

    func deleteBelongings(of records: [Record], on connection: ServerConnection) throws {
        for sql in table.records.cascadingDeletions(of: "= $1") {
            try connection.pipeline(sql, count: records.count) { position, values in
                values.append(records[position].key)
            } check: { _, _ in
            }
        }
    }
}

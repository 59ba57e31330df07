import BenchHarness
import DriverSupport

/// One statement per row; the database does the rest.
struct LoopTechnique<Connection: SQLConnection, Record: SQLRecord>: Technique {
    let table: RecordTable
    private let insertion: String
    private let selection: String
    private let deletion: String

    init(table: RecordTable) {
        self.table = table
        insertion = table.insertion(rows: 1)
        selection = table.selectionOfKeys
        let (first, second) = (table.dialect.parameter(1), table.dialect.parameter(2))
        deletion = "DELETE FROM \(table.name) WHERE \(table.key) = \(first) AND \(table.version) = \(second)"
    }

    func insert(_ ordinals: Range<Int>, of records: RecordGenerator, on connection: Connection) throws {
        try connection.insert(ordinals, RecordBinder(records), by: connection.statement(insertion), withKeys: true)
    }

    func upsert(_ ordinals: [Int], of records: RecordGenerator, by key: Int, on connection: Connection) throws {
        let statement = try connection.statement(
            named: "upsert into \(table.name)", table.upsertion(rows: 1, by: key))
        try connection.insert(
            ordinals, RecordBinder(records), by: statement, withKeys: !table.dialect.keepsLastKeys)
    }

    @_specialize(where Connection == PlainConnection, Record == ItemRecord)
    @_specialize(where Connection == PlainConnection, Record == OwnedItemRecord)
    @_specialize(where Connection == PlainConnection, Record == FieldRecord)
    func insert(_ records: [Record], on connection: Connection) throws {
        try connection.runEach(connection.statement(insertion), count: records.count) { position, values in
            try values.append(records[position].key)
            try records[position].appendAttributes(of: table, to: &values)
        }
    }

    @_specialize(where Connection == PlainConnection, Record == ItemRecord)
    @_specialize(where Connection == PlainConnection, Record == OwnedItemRecord)
    @_specialize(where Connection == PlainConnection, Record == FieldRecord)
    @_specialize(where Connection == ServerConnection, Record == ItemRecord)
    @_specialize(where Connection == ServerConnection, Record == OwnedItemRecord)
    @_specialize(where Connection == ServerConnection, Record == FieldRecord)
    func fetch(
        _ work: FetchWork, from offset: Int?, on connection: Connection, watch: FetchWatch?
    ) throws -> RecordArray<Record> {
        let part = table.keeping(work.attributes, of: work.filter)
        var records: [Record] = []
        try connection.read(table.selection(work, from: offset), isKept: offset != nil) { row in
            records.append(Record(row: row, of: part))
            if records.count.isMultiple(of: FetchWatch.interval) { try watch?.found(records.count) }
        }
        return RecordArray(records)
    }

    /// Fetches some attributes into the generic struct: a handwritten one has a property for every attribute.
    func fetchPart(_ work: FetchWork, on connection: Connection) throws -> any PlainRows {
        try LoopTechnique<Connection, FieldRecord>(table: table).fetch(work, on: connection, watch: nil)
    }

    @_specialize(where Connection == PlainConnection, Record == ItemRecord)
    @_specialize(where Connection == PlainConnection, Record == OwnedItemRecord)
    @_specialize(where Connection == PlainConnection, Record == FieldRecord)
    func read(_ keys: [Int64], on connection: Connection) throws -> [Record] {
        var records: [Record] = []
        records.reserveCapacity(keys.count)
        try connection.read(connection.statement(selection), keys: keys) {
            records.append(Record(row: $0, of: table))
        }
        return records
    }

    @_specialize(where Connection == PlainConnection, Record == ItemRecord)
    @_specialize(where Connection == PlainConnection, Record == OwnedItemRecord)
    @_specialize(where Connection == PlainConnection, Record == FieldRecord)
    @_specialize(where Connection == ServerConnection, Record == ItemRecord)
    @_specialize(where Connection == ServerConnection, Record == OwnedItemRecord)
    @_specialize(where Connection == ServerConnection, Record == FieldRecord)
    func update(_ records: inout [Record], _ changes: [RecordChange], on connection: Connection) throws {
        let statement = try connection.statement(update(changes))
        try connection.runEach(statement, count: records.count) { position, values in
            for change in changes {
                try records[position].make(change)
                try records[position].append(change.attribute, of: table, to: &values)
            }
            let version = records[position].version
            try values.append(version + 1)
            try values.append(records[position].key)
            try values.append(version)
            records[position].version = version + 1
        } check: { position, affected in
            if affected != 1 { throw conflict(key: records[position].key, on: connection) }
        }
    }

    private func update(_ changes: [RecordChange]) -> String {
        let parameter = table.dialect.parameter
        var assignments = ""
        for (place, change) in changes.enumerated() {
            assignments += "\(table.columns[change.attribute]) = \(parameter(place + 1)), "
        }
        let next = changes.count + 1
        return "UPDATE \(table.name) SET \(assignments)\(table.version) = \(parameter(next)) "
            + "WHERE \(table.key) = \(parameter(next + 1)) AND \(table.version) = \(parameter(next + 2))"
    }

    @_specialize(where Connection == PlainConnection, Record == ItemRecord)
    @_specialize(where Connection == PlainConnection, Record == OwnedItemRecord)
    @_specialize(where Connection == PlainConnection, Record == FieldRecord)
    func delete(_ records: [Record], on connection: Connection) throws {
        try connection.runEach(connection.statement(deletion), count: records.count) { position, values in
            try values.append(records[position].key)
            try values.append(records[position].version)
        } check: { position, affected in
            if affected != 1 { throw conflict(key: records[position].key, on: connection) }
        }
    }

    private func conflict(key: Int64, on connection: Connection) -> DriverError {
        conflict("the record with key \(key)", on: connection)
    }
}

/// Records in a plain array.
struct RecordArray<Record: SQLRecord>: PlainRows {
    let records: [Record]

    init() { records = [] }

    init(_ records: [Record]) { self.records = records }

    var count: Int { records.count }

    @_specialize(where Record == ItemRecord)
    @_specialize(where Record == OwnedItemRecord)
    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        for record in records[positions] {
            record.digest(into: &digester)
            digester.endRecord()
        }
    }
}

import BenchHarness
import DriverSupport

/// One statement per row; SQLite does the rest.
struct LoopTechnique<Record: PlainRecord>: Technique {
    static var takesTurns: Bool { false }

    let table: RecordTable
    private let insertion: String
    private let selection: String
    private let deletion: String

    init(table: RecordTable) {
        self.table = table
        insertion = table.insertion(rows: 1)
        selection = "SELECT \(table.selectList) FROM \(table.name) WHERE Z_PK = ?"
        deletion = "DELETE FROM \(table.name) WHERE Z_PK = ? AND Z_OPT = ?"
    }

    func insert(_ ordinals: Range<Int>, of records: RecordGenerator, on connection: PlainConnection) throws {
        let binder = RecordBinder(records)
        let statement = try connection.kept(insertion)
        for ordinal in ordinals {
            try binder.bind(ordinal, to: statement, from: 1)
            try statement.run()
        }
    }

    func upsert(
        _ ordinals: [Int], of records: RecordGenerator, by key: Int, on connection: PlainConnection
    ) throws {
        let binder = RecordBinder(records)
        let statement = try connection.kept("upsert into \(table.name)", sql: table.upsertion(rows: 1, by: key))
        for ordinal in ordinals {
            try binder.bindAttributes(ordinal, to: statement, from: 1)
            try statement.run()
        }
    }

    @_specialize(where Record == ItemRecord)
    @_specialize(where Record == MessageRecord)
    @_specialize(where Record == OwnedItemRecord)
    func insert(_ records: [Record], on connection: PlainConnection) throws {
        let statement = try connection.kept(insertion)
        for record in records {
            try record.bindAll(of: table, to: statement, from: 1)
            try statement.run()
        }
    }

    @_specialize(where Record == ItemRecord)
    @_specialize(where Record == MessageRecord)
    @_specialize(where Record == OwnedItemRecord)
    func fetch(
        _ work: FetchWork, from offset: Int?, on connection: PlainConnection, watch: FetchWatch?
    ) throws -> RecordArray<Record> {
        let statement = try select(work, from: offset, on: connection)
        let part = table.keeping(work.attributes, of: work.filter)
        var records: [Record] = []
        while try statement.step() {
            records.append(Record(row: statement, of: part))
            if records.count.isMultiple(of: FetchWatch.interval) { try watch?.found(records.count) }
        }
        statement.didRead(records.count)
        return RecordArray(records)
    }

    /// Fetches some attributes into the generic struct: a handwritten one has a property for every attribute.
    func fetchPart(_ work: FetchWork, on connection: PlainConnection) throws -> any PlainRows {
        try LoopTechnique<FieldRecord>(table: table).fetch(work, on: connection, watch: nil)
    }

    @_specialize(where Record == ItemRecord)
    @_specialize(where Record == MessageRecord)
    @_specialize(where Record == OwnedItemRecord)
    func read(_ keys: [Int64], on connection: PlainConnection) throws -> [Record] {
        let statement = try connection.kept(selection)
        var records: [Record] = []
        records.reserveCapacity(keys.count)
        for key in keys {
            try statement.bind(key, at: 1)
            if try statement.step() { records.append(Record(row: statement, of: table)) }
            statement.reset()
        }
        statement.didRead(records.count)
        return records
    }

    @_specialize(where Record == ItemRecord)
    @_specialize(where Record == MessageRecord)
    @_specialize(where Record == OwnedItemRecord)
    func update(_ records: inout [Record], _ changes: [RecordChange], on connection: PlainConnection) throws {
        let assignments = changes.map { table.columns[$0.attribute] + " = ?, " }.joined()
        let statement = try connection.kept(
            "UPDATE \(table.name) SET \(assignments)Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?")
        for position in records.indices {
            for change in changes { try records[position].make(change) }
            try update(records[position], changes, with: statement, on: connection)
            records[position].version += 1
        }
    }

    @_specialize(where Record == ItemRecord)
    @_specialize(where Record == MessageRecord)
    @_specialize(where Record == OwnedItemRecord)
    private func update(
        _ record: Record, _ changes: [RecordChange], with statement: PlainStatement, on connection: PlainConnection
    ) throws {
        var index: Int32 = 1
        for change in changes {
            try record.bind(change.attribute, to: statement, at: index)
            index += 1
        }
        try statement.bind(record.version + 1, at: index)
        try statement.bind(record.key, at: index + 1)
        try statement.bind(record.version, at: index + 2)
        try statement.run()
        guard statement.changes == 1 else {
            throw conflict("the record with key \(record.key)", on: connection)
        }
    }

    @_specialize(where Record == ItemRecord)
    @_specialize(where Record == MessageRecord)
    @_specialize(where Record == OwnedItemRecord)
    func delete(_ records: [Record], on connection: PlainConnection) throws {
        let statement = try connection.kept(deletion)
        for record in records {
            try statement.bind(record.key, at: 1)
            try statement.bind(record.version, at: 2)
            try statement.run()
            guard statement.changes == 1 else {
                throw conflict("the record with key \(record.key)", on: connection)
            }
        }
    }
}

/// Records in a plain array.
struct RecordArray<Record: PlainRecord>: PlainRows {
    let records: [Record]

    init() { records = [] }

    init(_ records: [Record]) { self.records = records }

    var count: Int { records.count }

    @_specialize(where Record == ItemRecord)
    @_specialize(where Record == MessageRecord)
    @_specialize(where Record == OwnedItemRecord)
    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        for record in records[positions] {
            record.digest(into: &digester)
            digester.endRecord()
        }
    }
}

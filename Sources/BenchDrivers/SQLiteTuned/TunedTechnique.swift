import BenchHarness
import DriverSupport

/// The minimal number of statements, with the minimal work per row.
struct TunedTechnique<Record: PlainRecord>: Technique {
    /// The number of rows per INSERT and of keys per SELECT. Twice as many gain little, and cost SQLite more memory.
    private static var rowsPerStatement: Int { 64 }
    /// SQLite's own limit on the parameters of a statement.
    private static var parametersPerStatement: Int { 32_766 }

    static var takesTurns: Bool { true }

    let table: RecordTable

    init(table: RecordTable) { self.table = table }

    // MARK: Inserting

    func insert(_ ordinals: Range<Int>, of records: RecordGenerator, on connection: PlainConnection) throws {
        let binder = RecordBinder(records)
        let step = max(1, min(Self.rowsPerStatement, Self.parametersPerStatement / binder.parameters))
        let whole = ordinals.count / step * step
        try insert(ordinals.prefix(whole), by: step, binder, on: connection)
        try insert(ordinals.dropFirst(whole), by: ordinals.count - whole, binder, on: connection)
    }

    /// Inserts `step` rows per statement; the number of `ordinals` must be a multiple of that.
    private func insert(_ ordinals: Range<Int>, by step: Int, _ binder: RecordBinder, on connection: PlainConnection)
        throws
    {
        guard !ordinals.isEmpty else { return }
        let columns = (["Z_PK", "Z_ENT", "Z_OPT"] + table.columns).joined(separator: ", ")
        let row = "(?, \(table.number), 1" + String(repeating: ", ?", count: table.columns.count) + ")"
        let rows = Array(repeating: row, count: step).joined(separator: ", ")
        let statement = try connection.prepare("INSERT INTO \(table.name) (\(columns)) VALUES \(rows)")
        for start in stride(from: ordinals.lowerBound, to: ordinals.upperBound, by: step) {
            var parameter: Int32 = 1
            for ordinal in start..<start + step {
                try binder.bind(ordinal, to: statement, from: parameter)
                parameter += Int32(binder.parameters)
            }
            try statement.run()
        }
    }

    // MARK: Reading

    /// Scans in the order of the keys and sorts afterwards. With a limit, SQLite sorts instead, and keeps no more rows
    /// than necessary.
    func fetch(_ work: FetchWork, on connection: PlainConnection, watch: FetchWatch?) throws -> ColumnRows {
        let sortsHere = work.limit == 0 && !work.sort.isEmpty
        let statement = try select(work, sorted: !sortsHere, on: connection)
        let part = table.keeping(work.attributes)
        var rows = ColumnRows(types: part.entity.attributes.map(\.type))
        while try statement.step() {
            rows.append(row: statement)
            if rows.count.isMultiple(of: FetchWatch.interval) { try watch?.found(rows.count) }
        }
        statement.didRead(rows.count)
        if sortsHere {
            let count = rows.count
            try rows.sort(work.sort.map { (try part.attribute($0.key), $0.ascending) }) { try watch?.found(count) }
        }
        return rows
    }

    func fetchPart(_ work: FetchWork, on connection: PlainConnection) throws -> any PlainRows {
        try fetch(work, on: connection, watch: nil)
    }

    @_specialize(where Record == ItemRecord)
    @_specialize(where Record == MessageRecord)
    @_specialize(where Record == OwnedItemRecord)
    func read(_ keys: [Int64], on connection: PlainConnection) throws -> [Record] {
        var records: [Record] = []
        records.reserveCapacity(keys.count)
        let whole = keys.count / Self.rowsPerStatement * Self.rowsPerStatement
        try read(keys[..<whole], by: Self.rowsPerStatement, into: &records, on: connection)
        try read(keys[whole...], by: keys.count - whole, into: &records, on: connection)
        return records
    }

    /// Reads `step` keys per statement; the number of `keys` must be a multiple of that.
    @_specialize(where Record == ItemRecord)
    @_specialize(where Record == MessageRecord)
    @_specialize(where Record == OwnedItemRecord)
    private func read(
        _ keys: ArraySlice<Int64>, by step: Int, into records: inout [Record], on connection: PlainConnection
    ) throws {
        guard !keys.isEmpty else { return }
        let list = Array(repeating: "?", count: step).joined(separator: ", ")
        let statement = try connection.prepare("SELECT \(table.selectList) FROM \(table.name) WHERE Z_PK IN (\(list))")
        let before = records.count
        for start in stride(from: keys.startIndex, to: keys.endIndex, by: step) {
            for offset in 0..<step { try statement.bind(keys[start + offset], at: Int32(offset) + 1) }
            while try statement.step() { records.append(Record(row: statement, of: table)) }
            statement.reset()
        }
        statement.didRead(records.count - before)
    }

    // MARK: Changing and deleting

    @_specialize(where Record == ItemRecord)
    @_specialize(where Record == MessageRecord)
    @_specialize(where Record == OwnedItemRecord)
    func update(_ records: inout [Record], _ changes: [RecordChange], on connection: PlainConnection) throws {
        for position in records.indices {
            for change in changes { try records[position].apply(change) }
        }
        let assignments = changes.map { table.columns[$0.attribute] + " = ?, " }.joined()
        let sql = "UPDATE \(table.name) SET \(assignments)Z_OPT = ? WHERE Z_PK BETWEEN ? AND ? AND Z_OPT = ?"
        let statement = try connection.prepare(sql)
        try forEachRun(in: records, equalIn: changes.map(\.attribute)) { run in
            let first = records[run.lowerBound]
            var index: Int32 = 1
            for change in changes {
                try first.bind(change.attribute, to: statement, at: index)
                index += 1
            }
            try statement.bind(first.version + 1, at: index)
            try write(run, of: records, with: statement, from: index + 1)
        }
        for position in records.indices { records[position].version += 1 }
    }

    @_specialize(where Record == ItemRecord)
    @_specialize(where Record == MessageRecord)
    @_specialize(where Record == OwnedItemRecord)
    func delete(_ records: [Record], on connection: PlainConnection) throws {
        let sql = "DELETE FROM \(table.name) WHERE Z_PK BETWEEN ? AND ? AND Z_OPT = ?"
        let statement = try connection.prepare(sql)
        try forEachRun(in: records, equalIn: []) { run in
            try write(run, of: records, with: statement, from: 1)
        }
    }

    /// Runs a statement on the rows of a run, and checks that it found each of them in the version that was read.
    private func write(_ run: Range<Int>, of records: [Record], with statement: PlainStatement, from index: Int32)
        throws
    {
        let (first, last) = (records[run.lowerBound], records[run.upperBound - 1])
        try statement.bind(first.key, at: index)
        try statement.bind(last.key, at: index + 1)
        try statement.bind(first.version, at: index + 2)
        try statement.run()
        guard statement.connection.changes == run.count else {
            throw conflict("one of the records with keys \(first.key) to \(last.key)", on: statement.connection)
        }
    }

    /// Calls `body` with each maximal run of records with consecutive keys, equal versions, and equal values in
    /// `attributes`.
    private func forEachRun(
        in records: [Record], equalIn attributes: [Int], _ body: (Range<Int>) throws -> Void
    ) throws {
        var start = 0
        while start < records.count {
            var end = start + 1
            while end < records.count, continues(records[end - 1], records[end], attributes) { end += 1 }
            try body(start..<end)
            start = end
        }
    }

    @inline(__always)
    private func continues(_ previous: Record, _ next: Record, _ attributes: [Int]) -> Bool {
        next.key == previous.key + 1 && next.version == previous.version
            && attributes.allSatisfy { next.hasSameValue($0, as: previous) }
    }
}

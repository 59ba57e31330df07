import BenchHarness
import DriverSupport

/// The minimal number of statements, with the minimal work per row.
struct TunedTechnique<Record: SQLRecord>: Technique {
    /// The number of rows per INSERT. Twice as many gain little, and cost SQLite more memory.
    private static var rowsPerStatement: Int { 64 }
    /// SQLite's own limit on the parameters of a statement.
    private static var parametersPerStatement: Int { 32_766 }

    static var takesTurns: Bool { true }

    let table: RecordTable
    private let selection: String
    private let deletion: String

    init(table: RecordTable) {
        self.table = table
        selection = "SELECT \(table.selectList) FROM \(table.name)"
        deletion = "DELETE FROM \(table.name)"
    }

    /// A statement for a run of consecutive keys, and one for a single key, which SQLite finds in fewer steps.
    private struct ByRun {
        private let (run, single): (PlainStatement, PlainStatement)

        init(_ statement: String, _ condition: String = "", on connection: PlainConnection) throws {
            run = try connection.kept("\(statement) WHERE Z_PK BETWEEN ? AND ?\(condition)")
            single = try connection.kept("\(statement) WHERE Z_PK = ?\(condition)")
        }

        /// Returns the statement for the keys of a run, which it binds from a parameter on, with the parameter after
        /// them.
        @inline(__always)
        func bind(_ first: Int64, _ last: Int64, from index: Int32 = 1) throws -> (PlainStatement, next: Int32) {
            let statement = first == last ? single : run
            try statement.bind(first, at: index)
            if first == last { return (statement, index + 1) }
            try statement.bind(last, at: index + 1)
            return (statement, index + 2)
        }
    }

    // MARK: Inserting

    func insert(_ ordinals: Range<Int>, of records: RecordGenerator, on connection: PlainConnection) throws {
        let binder = RecordBinder(records)
        try insert(ordinals, on: connection) { ordinal, values in
            try values.append(RecordTable.key(ordinal))
            try binder.appendAttributes(of: ordinal, to: &values)
        }
    }

    @_specialize(where Record == ItemRecord)
    @_specialize(where Record == OwnedItemRecord)
    func insert(_ records: [Record], on connection: PlainConnection) throws {
        try insert(records.indices, on: connection) { position, values in
            try values.append(records[position].key)
            try records[position].appendAttributes(of: table, to: &values)
        }
    }

    func upsert(
        _ ordinals: [Int], of records: RecordGenerator, by key: Int, on connection: PlainConnection
    ) throws {
        let binder = RecordBinder(records)
        let step = rowsAtOnce(parameters: table.columns.count)
        for start in stride(from: 0, to: ordinals.count, by: step) {
            let rows = min(step, ordinals.count - start)
            let statement = try connection.kept(
                "upsert \(rows) rows into \(table.name)", sql: table.upsertion(rows: rows, by: key))
            var values = StatementValues(statement)
            for row in 0..<rows { try binder.appendAttributes(of: ordinals[start + row], to: &values) }
            try statement.run()
        }
    }

    /// Returns the number of rows that a statement takes.
    private func rowsAtOnce(parameters: Int) -> Int {
        max(1, min(Self.rowsPerStatement, Self.parametersPerStatement / parameters))
    }

    /// Inserts rows. `bind` binds the row at a position.
    @inline(__always)
    private func insert(
        _ positions: Range<Int>, on connection: PlainConnection, _ bind: (Int, inout StatementValues) throws -> Void
    ) throws {
        let step = rowsAtOnce(parameters: table.columns.count + 1)
        for start in stride(from: positions.lowerBound, to: positions.upperBound, by: step) {
            let rows = min(step, positions.upperBound - start)
            let statement = try connection.kept("\(rows) rows into \(table.name)", sql: table.insertion(rows: rows))
            var values = StatementValues(statement)
            for position in start..<start + rows { try bind(position, &values) }
            try statement.run()
        }
    }

    // MARK: Reading

    /// Scans in the order of the keys and sorts afterwards. With a limit, SQLite sorts instead, and keeps no more rows
    /// than necessary.
    func fetch(
        _ work: FetchWork, from offset: Int?, on connection: PlainConnection, watch: FetchWatch?
    ) throws -> ColumnRows {
        let sortsHere = work.limit == 0 && !work.sort.isEmpty
        let part = table.keeping(work.attributes, of: work.filter)
        var rows = ColumnRows(types: part.entity.attributes.map(\.type))
        let query = try table.selection(work, sorted: !sortsHere, from: offset)
        try connection.read(query, isKept: offset != nil) { row in
            rows.append(row: row)
            if rows.count.isMultiple(of: FetchWatch.interval) { try watch?.found(rows.count) }
        }
        if sortsHere {
            let count = rows.count
            try rows.sort(work.sort.map { try sortKey($0, of: part, on: connection) }) { try watch?.found(count) }
        }
        return rows
    }

    /// Returns a sort key. SQLite sorts the related records, if the key leads there, and the rows take their places.
    private func sortKey(
        _ sort: SortSpec, of part: RecordTable, on connection: PlainConnection
    ) throws -> ColumnRows.SortKey {
        guard let (toOne, rest) = table.entity.reached(by: sort.key) else {
            return ColumnRows.SortKey(attribute: try part.attribute(sort.key), ascending: sort.ascending)
        }
        let target = table.target(toOne)
        let statement = try connection.kept(
            "SELECT Z_PK, dense_rank() OVER (ORDER BY \(try target.sortValue(rest, depth: 1))) FROM \(target.name) AS related1"
        )
        var places = RelatedPlaces()
        while try statement.step() { places.set(statement.int64(1), of: statement.int64(0)) }
        statement.reset()
        let number = table.entity.toOneAttributes.lowerBound + toOne
        return ColumnRows.SortKey(attribute: number, ascending: sort.ascending, places: places)
    }

    func fetchPart(_ work: FetchWork, on connection: PlainConnection) throws -> any PlainRows {
        try fetch(work, on: connection, watch: nil)
    }

    /// Reads each run of consecutive keys with one statement.
    @_specialize(where Record == ItemRecord)
    @_specialize(where Record == OwnedItemRecord)
    func read(_ keys: [Int64], on connection: PlainConnection) throws -> [Record] {
        let selection = try ByRun(selection, on: connection)
        var records: [Record] = []
        records.reserveCapacity(keys.count)
        var start = 0
        while start < keys.count {
            var end = start + 1
            while end < keys.count, keys[end] == keys[end - 1] + 1 { end += 1 }
            let (statement, _) = try selection.bind(keys[start], keys[end - 1])
            try statement.readAll { records.append(Record(row: $0, of: table)) }
            statement.reset()
            start = end
        }
        return records
    }

    // MARK: Changing and deleting

    @_specialize(where Record == ItemRecord)
    @_specialize(where Record == OwnedItemRecord)
    func update(_ records: inout [Record], _ changes: [RecordChange], on connection: PlainConnection) throws {
        for position in records.indices {
            for change in changes { try records[position].make(change) }
        }
        let assignments = changes.map { table.columns[$0.attribute] + " = ?, " }.joined()
        let update = try ByRun(
            "UPDATE \(table.name) SET \(assignments)Z_OPT = ?", " AND Z_OPT = ?", on: connection)
        try forEachRun(in: records, equalIn: changes.map(\.attribute)) { run in
            let (first, last) = (records[run.lowerBound], records[run.upperBound - 1])
            let parameters = Int32(changes.count) + 2
            let (statement, next) = try update.bind(first.key, last.key, from: parameters)
            var values = StatementValues(statement)
            for change in changes { try first.append(change.attribute, of: table, to: &values) }
            try values.append(first.version + 1)
            try write(run, of: records, with: statement, version: next, on: connection)
        }
        for position in records.indices { records[position].version += 1 }
    }

    @_specialize(where Record == ItemRecord)
    @_specialize(where Record == OwnedItemRecord)
    func delete(_ records: [Record], on connection: PlainConnection) throws {
        let deletion = try ByRun(deletion, " AND Z_OPT = ?", on: connection)
        try forEachRun(in: records, equalIn: []) { run in
            let (first, last) = (records[run.lowerBound].key, records[run.upperBound - 1].key)
            let (statement, next) = try deletion.bind(first, last)
            try write(run, of: records, with: statement, version: next, on: connection)
        }
    }

    /// Runs a statement on the rows of a run, and checks that it found each of them in the version that was read, which
    /// it binds to the parameter `index`.
    private func write(
        _ run: Range<Int>, of records: [Record], with statement: PlainStatement, version index: Int32,
        on connection: PlainConnection
    ) throws {
        let (first, last) = (records[run.lowerBound], records[run.upperBound - 1])
        try statement.bind(first.version, at: index)
        try statement.run()
        guard statement.changes == run.count else {
            throw conflict("one of the records with keys \(first.key) to \(last.key)", on: connection)
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

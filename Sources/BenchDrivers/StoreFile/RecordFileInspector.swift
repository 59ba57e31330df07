import BenchHarness
import CSQLite
import Foundation

/// Reads a store file for verification, through a connection and code that share nothing with the store under test.
struct RecordFileInspector: StoreInspector {
    private let file: URL
    private let table: RecordTable

    /// Creates an inspector of `file`, which has the tables of a schema.
    init(file: URL, schema: Schema) {
        self.file = file
        table = RecordTable(schema)
    }

    /// Creates an inspector of the store in the configuration's directory.
    init(_ configuration: StoreConfiguration) {
        self.init(file: RecordFile.url(in: configuration.directory), schema: configuration.schema)
    }

    var name: String { "reader of SQLite files" }
    var countsVersions: Bool { true }

    /// Feeds every record to `scan`, with its attributes in the entity's order and its version; then every owner, with
    /// its attributes and its number.
    func scan(into scan: inout StoreScan) throws {
        let connection = try connect()
        try forEachRow(of: table, on: connection, into: &scan) { row, scan in
            scan.endRecord(version: row.isNull(1) ? nil : Int(row.int64(1)))
        }
        for other in table.all.dropFirst() {
            try forEachRow(of: other, on: connection, into: &scan) { row, scan in
                scan.values.add(row.int64(0))
                scan.endOwner()
            }
        }
        for var order in table.all.flatMap(\.orderScans) {
            let rows = try connection.prepare(order.selection)
            while try rows.step() { order.feed(rows.int64(0), rows.int64(1), to: &scan) }
            order.end(&scan)
        }
        for link in table.allLinks {
            let pairs = try connection.prepare(link.selection)
            while try pairs.step() { link.feed(pairs.int64(0), pairs.int64(1), to: &scan) }
        }
    }

    /// Feeds the attributes of each row of a table; `end` ends the row.
    private func forEachRow(
        of table: RecordTable, on connection: PlainConnection, into scan: inout StoreScan,
        end: (PlainStatement, inout StoreScan) -> Void
    ) throws {
        let statement = try connection.prepare("SELECT \(table.selectList) FROM \(table.name)")
        while try statement.step() {
            for (index, attribute) in table.entity.attributes.enumerated() {
                try add(attribute, of: statement, RecordTable.column(of: index), to: &scan.values)
            }
            end(statement, &scan)
        }
    }

    /// Hands over every record with its version.
    func forEachRecord(_ body: (StoredRecord) -> Void) throws {
        let connection = try connect()
        let statement = try connection.prepare("SELECT \(table.selectList) FROM \(table.name)")
        while try statement.step() {
            let record = FieldRecord(row: statement, of: table)
            body(StoredRecord(values: record.values, version: Int(record.version)))
        }
    }

    /// Returns the errors in the file; empty if there are none.
    func checkIntegrity() throws -> [String] {
        let connection = try connect()
        var findings = try sqliteFindings(connection)
        for table in table.all {
            findings += try keyFindings(table, connection) + indexFindings(table, connection)
        }
        return findings
    }

    /// Returns the errors in the versions and keys of a table's rows.
    private func keyFindings(_ table: RecordTable, _ connection: PlainConnection) throws -> [String] {
        var findings: [String] = []
        let unversioned = try connection.integer("SELECT count(*) FROM \(table.name) WHERE Z_OPT IS NULL OR Z_OPT < 1")
        if let unversioned, unversioned > 0 { findings.append("\(unversioned) rows of \(table.name) have no version") }
        let largest = try connection.integer("SELECT ifnull(max(Z_PK), 0) FROM \(table.name)") ?? 0
        let reserved =
            try connection.integer(
                "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = ?", [.string(table.entity.name)]) ?? 0
        if reserved < largest { findings.append("Z_MAX is \(reserved), but \(table.name) has the key \(largest)") }
        return findings
    }

    /// Returns the indexes that a table lacks, and those that it has besides: both change the work of a driver.
    private func indexFindings(_ table: RecordTable, _ connection: PlainConnection) throws -> [String] {
        let statement = try connection.prepare(
            "SELECT c.name FROM pragma_index_list(?) l JOIN pragma_index_info(l.name) c WHERE c.seqno = 0 ORDER BY c.name"
        )
        try statement.bind(RecordTable.column(called: table.entity.name), at: 1)
        var found: [String] = []
        while try statement.step() { found.append(statement.string(0)) }
        let wanted = table.indexedColumns.sorted()
        return wanted.filter { !found.contains($0) }.map { "\(table.name) has no index of \($0)" }
            + found.filter { !wanted.contains($0) }.map {
                "\(table.name) has an index of \($0), which the scenario does not ask for"
            }
    }

    /// Takes the lock of a transaction that writes, and lets go of it.
    func isBeingWritten() throws -> Bool {
        guard FileManager.default.fileExists(atPath: file.path) else { return false }
        let connection = try PlainConnection(file: file, flags: SQLITE_OPEN_READWRITE)
        do {
            try connection.execute("BEGIN IMMEDIATE")
        } catch let error as DriverError where error.code == .busy {
            return true
        }
        try connection.execute("ROLLBACK")
        return false
    }

    private func connect() throws -> PlainConnection { try PlainConnection(file: file, flags: SQLITE_OPEN_READONLY) }

    private func sqliteFindings(_ connection: PlainConnection) throws -> [String] {
        let statement = try connection.prepare("PRAGMA integrity_check")
        var findings: [String] = []
        while try statement.step() { findings.append(statement.string(0)) }
        return findings == ["ok"] ? [] : findings
    }

    /// Feeds a value. It detects a value that is stored as another type, which SQLite's conversions would hide.
    private func add(
        _ attribute: AttributeSpec, of statement: PlainStatement, _ column: Int, to digester: inout RecordDigester
    ) throws {
        switch (statement.type(column), attribute.type) {
        case (SQLITE_NULL, _): digester.addNull()
        case (SQLITE_TEXT, .string): digester.add(utf8: statement.utf8(column))
        case (SQLITE_BLOB, .data): digester.add(data: statement.blob(column))
        case (SQLITE_INTEGER, .bool): digester.add(statement.bool(column))
        case (SQLITE_INTEGER, .int64): digester.add(statement.int64(column))
        // A column of numeric affinity stores a whole number as an integer.
        case (SQLITE_INTEGER, .date), (SQLITE_FLOAT, .date): digester.add(statement.double(column))
        case (SQLITE_INTEGER, .double), (SQLITE_FLOAT, .double): digester.add(statement.double(column))
        default:
            throw DriverError(
                .corrupt,
                "\(attribute.name) of the row with key \(statement.int64(0)) is not stored as a \(attribute.type.rawValue)"
            )
        }
    }
}

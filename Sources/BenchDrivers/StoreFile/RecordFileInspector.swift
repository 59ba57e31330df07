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

    func scan(into scan: inout StoreScan) throws { try reader().scan(into: &scan) }

    func forEachRecord(_ body: (StoredRecord) -> Void) throws { try reader().forEachRecord(body) }

    func checkIntegrity() throws -> [String] {
        let reader = try reader()
        let indexes =
            "SELECT c.name FROM pragma_index_list($1) l JOIN pragma_index_info(l.name) c WHERE c.seqno = 0 ORDER BY c.name"
        return try sqliteFindings(reader.connection)
            + table.all.flatMap {
                try reader.keyFindings($0, keepsLastKeys: true) + reader.indexFindings($0, indexes)
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

    private func reader() throws -> TableReader<PlainConnection> {
        TableReader(table: table, connection: try PlainConnection(file: file, flags: SQLITE_OPEN_READONLY))
    }

    private func sqliteFindings(_ connection: PlainConnection) throws -> [String] {
        let statement = try connection.prepare("PRAGMA integrity_check")
        var findings: [String] = []
        while try statement.step() { findings.append(statement.string(0)) }
        return findings == ["ok"] ? [] : findings
    }
}

import BenchHarness
import Foundation

/// Reads a store on a server for verification, through a connection that no session has.
struct ServerInspector: StoreInspector {
    let store: ServerStore
    private var table: RecordTable { store.table }

    var name: String { "reader of PostgreSQL tables" }
    var countsVersions: Bool { true }

    func scan(into scan: inout StoreScan) throws { try reader().scan(into: &scan) }

    func forEachRecord(_ body: (StoredRecord) -> Void) throws { try reader().forEachRecord(body) }

    private func reader() throws -> TableReader<ServerConnection> {
        TableReader(table: table, connection: try store.connectForUpkeep())
    }

    func checkIntegrity() throws -> [String] {
        let reader = try reader()
        let keepsLastKeys =
            try reader.connection.text("SELECT to_regclass('\"Z_PRIMARYKEY\"')::text").map(\.isEmpty) == false
        return try table.all.flatMap {
            try typeFindings($0, reader.connection) + reader.keyFindings($0, keepsLastKeys: keepsLastKeys)
                + reader.indexFindings($0, Self.indexes)
        }
    }

    private static let indexes = """
        SELECT a.attname::text FROM pg_index i \
        JOIN pg_class c ON c.oid = i.indrelid AND c.relnamespace = current_schema()::regnamespace \
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0] \
        WHERE c.relname = $1 AND NOT i.indisprimary AND i.indisvalid
        """

    /// Returns the columns that have another type: the reader decodes the values of the right one.
    private func typeFindings(_ table: RecordTable, _ connection: ServerConnection) throws -> [String] {
        let answer = try connection.run(
            "SELECT column_name::text, data_type::text FROM information_schema.columns "
                + "WHERE table_schema = current_schema() AND table_name = $1", ServerValues(table.plainName))
        let types = Dictionary(
            (0..<answer.rows).map { (answer.row($0).string(0), answer.row($0).string(1)) },
            uniquingKeysWith: { first, _ in first })
        return table.entity.attributes.compactMap { attribute in
            let column = RecordTable.column(called: attribute.name)
            let (found, wanted) = (types[column] ?? "missing", ServerType(attribute.type).name)
            return found == wanted ? nil : "\(column) of \(table.name) is \(found); expected \(wanted)"
        }
    }

    /// A transaction that changes rows of a table holds a lock on it until its end.
    func isBeingWritten() throws -> Bool {
        let answer = try store.connectForUpkeep().integer(
            """
            SELECT count(*) FROM pg_locks WHERE mode = 'RowExclusiveLock' AND pid <> pg_backend_pid() \
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND relation IN \
            (SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace)
            """)
        return answer != 0
    }
}

extension ServerValues {
    fileprivate init(_ text: String) {
        self.init()
        append(text)
    }
}

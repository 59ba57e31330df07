import BenchHarness
import Foundation

/// Reads a store on a server for verification, through a connection that no session has.
struct ServerInspector: StoreInspector {
    let store: ServerStore
    private var table: RecordTable { store.table }

    var name: String { "reader of PostgreSQL tables" }
    var countsVersions: Bool { true }

    func scan(into scan: inout StoreScan) throws {
        let connection = try store.connectForUpkeep()
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
            try connection.stream(order.selection) { order.feed($0.int64(0), $0.int64(1), to: &scan) }
            order.end(&scan)
        }
        for link in table.allLinks {
            try connection.stream(link.selection) { link.feed($0.int64(0), $0.int64(1), to: &scan) }
        }
    }

    /// Feeds the attributes of each row of a table; `end` ends the row.
    private func forEachRow(
        of table: RecordTable, on connection: ServerConnection, into scan: inout StoreScan,
        end: (AnswerRow, inout StoreScan) -> Void
    ) throws {
        let types = table.entity.attributes.map(\.type)
        try connection.stream("SELECT \(table.selectList) FROM \(table.name)") { row in
            for (index, type) in types.enumerated() { add(type, of: row, index + 2, to: &scan.values) }
            end(row, &scan)
        }
    }

    private func add(_ type: FieldType, of row: AnswerRow, _ column: Int, to digester: inout RecordDigester) {
        if row.isNull(column) { return digester.addNull() }
        switch type {
        case .string: digester.add(utf8: row.utf8(column))
        case .data: digester.add(data: row.blob(column))
        case .bool: digester.add(row.bool(column))
        case .int64: digester.add(row.int64(column))
        case .date, .double: digester.add(row.double(column))
        }
    }

    func forEachRecord(_ body: (StoredRecord) -> Void) throws {
        try store.connectForUpkeep().stream("SELECT \(table.selectList) FROM \(table.name)") { row in
            body(StoredRecord(values: FieldRecord(row: row, of: table).values, version: Int(row.int64(1))))
        }
    }

    func checkIntegrity() throws -> [String] {
        let connection = try store.connectForUpkeep()
        return try table.all.flatMap { table in
            try typeFindings(table, connection) + keyFindings(table, connection) + indexFindings(table, connection)
        }
    }

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

    /// Returns the errors in the versions and keys of a table's rows.
    private func keyFindings(_ table: RecordTable, _ connection: ServerConnection) throws -> [String] {
        var findings: [String] = []
        let unversioned = try connection.integer(
            "SELECT count(*) FROM \(table.name) WHERE \"Z_OPT\" IS NULL OR \"Z_OPT\" < 1")
        if let unversioned, unversioned > 0 { findings.append("\(unversioned) rows of \(table.name) have no version") }
        guard try connection.text("SELECT to_regclass('\"Z_PRIMARYKEY\"')::text").map(\.isEmpty) == false else {
            return findings
        }
        let largest = try connection.integer("SELECT COALESCE(max(\"Z_PK\"), 0) FROM \(table.name)") ?? 0
        let reserved =
            try connection.integer(
                "SELECT \"Z_MAX\" FROM \"Z_PRIMARYKEY\" WHERE \"Z_NAME\" = $1", ServerValues(table.entity.name)) ?? 0
        if reserved < largest { findings.append("Z_MAX is \(reserved), but \(table.name) has the key \(largest)") }
        return findings
    }

    /// Returns the indexes that a table lacks, and those that it has besides: both change the work of a driver.
    private func indexFindings(_ table: RecordTable, _ connection: ServerConnection) throws -> [String] {
        let answer = try connection.run(
            """
            SELECT a.attname::text FROM pg_index i \
            JOIN pg_class c ON c.oid = i.indrelid AND c.relnamespace = current_schema()::regnamespace \
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0] \
            WHERE c.relname = $1 AND NOT i.indisprimary AND i.indisvalid
            """, ServerValues(table.plainName))
        let found = (0..<answer.rows).map { answer.row($0).string(0) }.sorted()
        let wanted = table.indexedColumns.sorted()
        return wanted.filter { !found.contains($0) }.map { "\(table.name) has no index of \($0)" }
            + found.filter { !wanted.contains($0) }.map {
                "\(table.name) has an index of \($0), which the scenario does not ask for"
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

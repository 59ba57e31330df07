import BenchHarness
import CSQLite
import Foundation

/// Makes a store file that is a copy of another in Core Data's layout, which ManagedStore writes too.
struct RecordFileAdopter: StoreAdopter {
    func adopt(_ url: URL, for configuration: StoreConfiguration) throws {
        let target = RecordFile.url(in: configuration.directory)
        // The content of a log belongs to the file. SQLite makes the index of a log anew.
        for suffix in ["", "-wal", "-journal"] where FileManager.default.fileExists(atPath: url.path + suffix) {
            let copy = target.path + suffix
            try FileManager.default.copyItem(atPath: url.path + suffix, toPath: copy)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: copy)
        }
        let connection = try PlainConnection(file: target, flags: SQLITE_OPEN_READWRITE)
        guard sqlite3_exec(connection.handle, "PRAGMA schema_version", nil, nil, nil) & 0xFF != SQLITE_NOTADB else {
            throw DriverError(.invalidRequest, "\(url.path) is no file of SQLite")
        }
        let table = RecordTable(entity: configuration.entity)
        for table in table.all { try check(table, of: url.path, connection) }
        _ = try connection.integer("PRAGMA journal_mode = WAL")
        guard try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else {
            throw DriverError(.busy, "the log of the copy of \(url.path) cannot be written back")
        }
        try connection.close()
    }

    /// Checks that a file has the entity, with its attributes, in a table of its own.
    private func check(_ table: RecordTable, of file: String, _ connection: PlainConnection) throws {
        let entity = table.entity
        let tables = try StoredTable.all(connection)
        guard tables.contains(where: { $0.name == "Z_PRIMARYKEY" }) else {
            throw DriverError(
                .invalidRequest, "\(file) is no store of ManagedStore or Core Data: it has no Z_PRIMARYKEY")
        }
        let numbers = try numbers(connection)
        guard let number = numbers[entity.name],
            let stored = tables.first(where: { $0.name == RecordTable.column(called: entity.name) })
        else {
            throw DriverError(
                .invalidRequest,
                "\(file) has no entity \(entity.name); it has \(numbers.keys.sorted().joined(separator: ", "))")
        }
        let columns = stored.columns.map(\.name)
        if let missing = entity.attributes.first(where: { !columns.contains(RecordTable.column(called: $0.name)) }) {
            throw DriverError(
                .invalidRequest,
                "the entity \(entity.name) of \(file) has no attribute \(missing.name); its columns are "
                    + columns.joined(separator: ", "))
        }
        let others = "SELECT 1 FROM \(table.name) WHERE Z_ENT IS NOT ? LIMIT 1"
        if try connection.integer(others, [.int64(number)]) != nil {
            throw DriverError(
                .invalidRequest,
                "the table of \(entity.name) in \(file) has rows of other entities, which are not told apart")
        }
    }

    /// The numbers of the entities in a file, by their names.
    private func numbers(_ connection: PlainConnection) throws -> [String: Int64] {
        let rows = try connection.prepare("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME IS NOT NULL")
        var numbers: [String: Int64] = [:]
        while try rows.step() { numbers[rows.string(0)] = rows.int64(1) }
        return numbers
    }
}

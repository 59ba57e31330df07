import BenchHarness
import CSQLite
import Foundation

/// Makes a store file that is a copy of another in Core Data's layout, which ManagedStore writes too.
struct RecordFileAdopter: StoreAdopter {
    func adopt(_ url: URL, for configuration: StoreConfiguration) throws {
        let target = RecordFile.url(in: configuration.directory)
        // The content of a log belongs to the file. SQLite makes the index of a log anew.
        let origin = url.resolvingSymlinksInPath()
        for suffix in ["", "-wal", "-journal"] where FileManager.default.fileExists(atPath: origin.path + suffix) {
            let copy = target.path + suffix
            // The copy of a link would lead to the file itself.
            let file = URL(fileURLWithPath: origin.path + suffix).resolvingSymlinksInPath()
            guard StoreFileKind.isRegular(file) else {
                throw DriverError(.invalidRequest, "\(file.path) is no regular file")
            }
            try FileManager.default.copyItem(atPath: file.path, toPath: copy)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: copy)
        }
        let connection = try PlainConnection(file: target, flags: SQLITE_OPEN_READWRITE)
        guard sqlite3_exec(connection.handle, "PRAGMA schema_version", nil, nil, nil) & 0xFF != SQLITE_NOTADB else {
            throw DriverError(.invalidRequest, "\(url.path) is no file of SQLite")
        }
        let table = RecordTable(entity: configuration.entity)
        try check(table, of: url.path, connection, inheriting: "describe that")
        if let owners = table.owners {
            try check(owners, of: url.path, connection, inheriting: "leave the owner out of the scenario")
        }
        _ = try connection.integer("PRAGMA journal_mode = WAL")
        guard try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else {
            throw DriverError(.busy, "the log of the copy of \(url.path) cannot be written back")
        }
        try connection.close()
    }

    /// Checks that a file has the entity, with its attributes.
    ///
    /// - Parameter advice: What to do about an entity that inherits from another.
    private func check(
        _ table: RecordTable, of file: String, _ connection: PlainConnection, inheriting advice: String
    ) throws {
        let entity = table.entity
        let tables = try StoredTable.all(connection)
        guard tables.contains(where: { $0.name == "Z_PRIMARYKEY" }) else {
            throw DriverError(
                .invalidRequest, "\(file) is no store of ManagedStore or Core Data: it has no Z_PRIMARYKEY")
        }
        let entities = try StoredEntities(connection)
        guard let number = entities.number(of: entity.name) else {
            let names = entities.names.values.sorted().joined(separator: ", ")
            throw DriverError(.invalidRequest, "\(file) has no entity \(entity.name); it has \(names)")
        }
        // As in Core Data, records of entities that inherit from one are records of it, too. All share its table.
        let root = entities.root(of: number)
        guard root == number else {
            throw DriverError(
                .invalidRequest,
                "the records of \(entity.name) in \(file) share a table with those of "
                    + "\(entities.names[root] ?? ""), from which it inherits; \(advice)")
        }
        guard let stored = tables.first(where: { $0.name == RecordTable.column(called: entity.name) }) else {
            throw DriverError(.invalidRequest, "\(file) has no table of the entity \(entity.name)")
        }
        let family = entities.family(of: number).map { "\($0)" }.joined(separator: ", ")
        let others = "SELECT 1 FROM \(table.name) WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(family)) LIMIT 1"
        if try connection.integer(others) != nil {
            throw DriverError(
                .invalidRequest,
                "the table of \(entity.name) in \(file) has rows of other entities, which are not told apart")
        }
        let columns = stored.columns.map(\.name)
        if let missing = entity.attributes.first(where: { !columns.contains(RecordTable.column(called: $0.name)) }) {
            throw DriverError(
                .invalidRequest,
                "the entity \(entity.name) of \(file) has no attribute \(missing.name); its columns are "
                    + columns.joined(separator: ", "))
        }
    }
}

import BenchHarness
import CSQLite
import Foundation

/// Makes a store file that is a copy of another in Core Data's layout, which ManagedStore writes too.
struct RecordFileAdopter: StoreAdopter {
    func adopt(_ url: URL, for configuration: StoreConfiguration) throws {
        let connection = try copy(of: url, in: configuration.directory)
        try AdoptedFile(url, connection).check(configuration.schema)
        _ = try connection.integer("PRAGMA journal_mode = WAL")
        guard try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else {
            throw DriverError(.busy, "the log of the copy of \(url.path) cannot be written back")
        }
        try connection.close()
    }

    func check(_ url: URL, for schema: Schema) throws {
        let origin = ForeignFile(url)
        if origin.hasJournal { return try checkCopy(of: url, for: schema) }
        let connection: PlainConnection
        do {
            connection = try origin.connect()
        } catch let error as DriverError {
            // The index of a log is made beside it, where nothing may be written.
            if origin.hasLog { return try checkCopy(of: url, for: schema) }
            throw DriverError(error.code, "\(url.path) cannot be read: \(error.message)", sql: error.sql)
        }
        try AdoptedFile(url, connection).check(schema)
        try connection.close()
    }

    /// Checks a file that has to be written before it can be read, as its copy is.
    private func checkCopy(of url: URL, for schema: Schema) throws {
        let folder = try ScratchFolder(in: FileManager.default.temporaryDirectory)
        defer { folder.remove() }
        let connection = try copy(of: url, in: folder.url)
        try AdoptedFile(url, connection).check(schema)
        try connection.close()
    }

    /// Copies a file and what belongs to it, and opens the copy.
    private func copy(of url: URL, in folder: URL) throws -> PlainConnection {
        let target = RecordFile.url(in: folder)
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
        return connection
    }
}

/// A file that is to be the store of a scenario.
private struct AdoptedFile {
    private let file: String
    private let connection: PlainConnection
    private let tables: [StoredTable]

    init(_ url: URL, _ connection: PlainConnection) throws {
        (file, self.connection) = (url.path, connection)
        tables = try StoredTable.all(connection)
    }

    /// Checks that the file has the entity in the focus with its attributes, and the others.
    func check(_ schema: Schema) throws {
        let table = RecordTable(schema)
        let stored = try check(table, inheriting: "describe that")
        try checkKeys(of: table)
        try checkAttributes(of: table, in: stored)
        // No phase reads the attributes of others.
        for other in table.otherTables { _ = try check(other, inheriting: "leave it out of the scenario") }
    }

    /// Checks that the file has the records of a table, and returns what the file says of the table.
    ///
    /// - Parameter advice: What to do about an entity that inherits from another.
    private func check(_ table: RecordTable, inheriting advice: String) throws -> StoredTable {
        let entity = table.entity
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
        return stored
    }

    /// Checks that each row has the key and the version that Core Data gives it.
    private func checkKeys(of table: RecordTable) throws {
        let wrong = "SELECT Z_PK FROM \(table.name) WHERE Z_PK < 1 OR typeof(Z_OPT) <> 'integer' LIMIT 1"
        guard let key = try connection.integer(wrong) else { return }
        throw DriverError(
            .invalidRequest,
            "the record with the key \(key) of the entity \(table.entity.name) of \(file) has no key above 0 and a version "
                + "(Z_PK and Z_OPT), as records of Core Data do; repair it, or use another file")
    }

    /// Checks that a table has the columns of the attributes, with values of their types.
    private func checkAttributes(of table: RecordTable, in stored: StoredTable) throws {
        let (entity, columns) = (table.entity, stored.columns.map(\.name))
        if let missing = entity.attributes.first(where: { !columns.contains(RecordTable.column(called: $0.name)) }) {
            throw DriverError(
                .invalidRequest,
                "the entity \(entity.name) of \(file) has no attribute \(missing.name); its columns are "
                    + columns.joined(separator: ", "))
        }
        let misfits = zip(entity.attributes, table.columns).map { attribute, column in
            let storages = attribute.type.storages.map { "'\($0)'" }.joined(separator: ", ")
            let isOther = attribute.type == .bool ? " OR \(column) NOT IN (0, 1)" : ""
            return "(typeof(\(column)) NOT IN (\(storages))\(isOther))"
        }
        let list = misfits.map { "max(\($0))" }.joined(separator: ", ")
        // One pass finds a misfit in any column.
        let row = try connection.prepare("SELECT \(list) FROM \(table.name)")
        guard try row.step(), let place = misfits.indices.first(where: { row.bool($0) }) else { return }
        let misfit = try connection.prepare(
            "SELECT typeof(\(table.columns[place])) FROM \(table.name) WHERE \(misfits[place]) LIMIT 1")
        guard try misfit.step() else { return }
        let attribute = entity.attributes[place]
        if attribute.type == .bool, misfit.string(0) == "integer" {
            throw DriverError(
                .invalidRequest,
                "the attribute \(attribute.name) of the entity \(entity.name) of \(file) has other numbers than 0 and 1, which "
                    + "are not of the type bool; make it int64")
        }
        throw DriverError(
            .invalidRequest,
            "the attribute \(attribute.name) of the entity \(entity.name) of \(file) has values of SQLite's type "
                + "\(misfit.string(0)), which are not of the type \(attribute.type.rawValue); name their type, or leave the "
                + "attribute out")
    }
}

extension FieldType {
    /// The types of SQLite in which a file holds values of the type. A column of numeric affinity stores a whole number
    /// as an integer.
    fileprivate var storages: [String] {
        switch self {
        case .bool, .int64: ["integer", "null"]
        case .date, .double: ["real", "integer", "null"]
        case .string: ["text", "null"]
        case .data: ["blob", "null"]
        }
    }
}

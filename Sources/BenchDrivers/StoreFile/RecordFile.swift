import BenchHarness
import CSQLite
import Foundation

/// The file of a store: opens connections to it with the settings of the scenario, and creates its tables.
package struct RecordFile: SQLDatabase {
    let url: URL
    let table: RecordTable
    let options: StoreOptions
    private let isCopy: Bool

    /// The file that every driver keeps in its directory.
    package static func url(in directory: URL) -> URL { directory.appendingPathComponent("store.sqlite") }

    init(_ configuration: StoreConfiguration) {
        url = Self.url(in: configuration.directory)
        table = RecordTable(configuration.schema)
        options = configuration.options
        isCopy = configuration.isCopy
    }

    var inspector: any StoreInspector { RecordFileInspector(file: url, schema: table.schema) }

    var fileCounter: FileCounter? { FileCounter(in: url.deletingLastPathComponent()) }

    func settings(of connections: [PlainConnection]) throws -> [StoreSettings] {
        try connections.map { connection in
            try StoreSettings { try connection.integer("PRAGMA \($0)").map { Int($0) } }
        }
    }

    /// Opens a connection whose syncs and writes are counted, and creates the file if there is none.
    func connect() throws -> PlainConnection {
        let connection = try PlainConnection(
            file: url, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, fileSystem: FileCounter.fileSystem)
        for pragma in pragmas { try connection.execute("PRAGMA " + pragma) }
        try CaseFolding.register(on: connection.handle)
        if isCopy { try TriggerFunctions.register(on: connection.handle) }
        return connection
    }

    /// The page size must be set before the first table is created, and before WAL.
    private var pragmas: [String] {
        [
            "busy_timeout = \(options.busyTimeoutMilliseconds)",
            "page_size = \(options.pageSizeBytes)",
            "journal_mode = WAL",
            "synchronous = \(options.synchronous.rawValue)",
            "cache_size = -\(options.cacheSizeKiB)",
            "mmap_size = \(options.mmapSizeBytes)",
            "wal_autocheckpoint = \(options.walAutocheckpointPages)",
            "temp_store = \(SQLiteSorting.temporaryStore)",
            "threads = \(SQLiteSorting.threads)",
        ]
    }

    /// Creates the tables if they are missing, in one transaction.
    func createTablesIfNeeded(on connection: PlainConnection) throws {
        try connection.transaction {
            guard try connection.integer("SELECT count(*) FROM sqlite_master") == 0 else { return }
            for statement in table.definition { try connection.execute(statement) }
            let description = try PropertyListSerialization.data(
                fromPropertyList: ["NSStoreType": "SQLite"], format: .binary, options: 0)
            try connection.execute(
                "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)",
                [.string(UUID().uuidString), .data(description)])
            for table in table.all {
                try connection.execute(
                    "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, 0, 0)",
                    [.int64(Int64(table.number)), .string(table.entity.name)])
                for subentity in table.subentities {
                    try connection.execute(
                        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)",
                        [.int64(subentity.number), .string(subentity.name), .int64(Int64(table.number))])
                }
            }
        }
    }

    /// Writes the log back into the database and truncates it.
    func checkpoint(on connection: PlainConnection) throws {
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)"
        guard try connection.integer(sql) == 0 else {
            throw DriverError(.busy, "the checkpoint could not finish: a reader or writer blocked it", sql: sql)
        }
    }
}

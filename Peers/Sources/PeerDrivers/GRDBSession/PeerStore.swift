import BenchDrivers
import BenchHarness
import DriverSupport
import GRDB

/// The file of a store: made and looked at from outside by the baseline driver, used by GRDB.
///
/// That the baseline makes it gives all drivers the same tables, to the byte. That it reads what GRDB wrote makes the
/// verification rest on code that knows nothing of GRDB.
struct PeerStore: Sendable {
    let configuration: StoreConfiguration
    let table: RecordTable

    init(_ configuration: StoreConfiguration) {
        self.configuration = configuration
        table = RecordTable(configuration.schema)
    }

    /// Opens the file, creating it when there is none.
    func open() throws -> DatabasePool {
        try inspect { _ in }
        let file = SQLiteDriver.file(in: configuration.directory)
        let pool = try DatabasePool(path: file.path, configuration: settings)
        // A pool sets `synchronous` to NORMAL after it has prepared its connections.
        try pool.writeWithoutTransaction { try $0.execute(sql: synchronous) }
        try pool.write(addForeignKeys)
        return pool
    }

    /// Opens the store with the baseline driver, for as long as `body` takes.
    func inspect<Result>(_ body: (any LoadingSession) throws -> Result) throws -> Result {
        guard let session = try SQLiteDriver().open(configuration) as? any LoadingSession else {
            throw RunError(.phase, "the baseline driver does no loads")
        }
        let result = try body(session)
        try session.close()
        return result
    }

    /// Those that the scenario chooses, and those of sorting, which all drivers share; otherwise GRDB's own. The page
    /// size is in the file by now.
    private var settings: Configuration {
        let options = configuration.options
        var settings = Configuration()
        settings.busyMode = .timeout(Double(options.busyTimeoutMilliseconds) / 1_000)
        settings.prepareDatabase { [synchronous] db in
            db.add(function: RecordQuery.fold)
            try db.execute(
                sql: """
                    PRAGMA cache_size = -\(options.cacheSizeKiB);
                    PRAGMA mmap_size = \(options.mmapSizeBytes);
                    PRAGMA wal_autocheckpoint = \(options.walAutocheckpointPages);
                    PRAGMA temp_store = \(SQLiteSorting.temporaryStore);
                    PRAGMA threads = \(SQLiteSorting.threads);
                    \(synchronous)
                    """)
        }
        return settings
    }

    private var synchronous: String { "PRAGMA synchronous = \(configuration.options.synchronous.rawValue)" }
}

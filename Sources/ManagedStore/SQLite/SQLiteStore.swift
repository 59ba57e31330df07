import CSQLite
import Foundation

/// A store in a SQLite file, laid out as Core Data lays it out.
final class SQLiteStore: PersistentStore, @unchecked Sendable {
    // Unchecked: the metadata is only touched with the lock held; the pool looks after itself.
    let identifier: UUID
    let url: URL?
    let sources: [ObjectIDSource]
    let tables: [EntityTable]
    /// By the relationship's number in the model.
    let joins: [JoinTable]
    let pool: ConnectionPool
    private let lock = Lock()
    private var savedMetadata: [String: StoredValue]

    /// Opens the store at `url`, or makes it.
    ///
    /// - Throws: as ``PersistentStoreCoordinator/addPersistentStore(_:at:options:)``.
    init(url: URL, model: ManagedObjectModel, options: SQLiteStoreOptions) throws(StoreError) {
        self.url = url
        let path = url.path(percentEncoded: false)
        let isNew = try Self.isNew(path)
        if !isNew { try Self.checkFits(path, model, options) }
        let writer = try ConnectionPool.open(path, options, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        (identifier, sources, tables, joins) = try writer.transaction { () throws(StoreError) in
            try Self.createOrRead(writer, model)
        }
        savedMetadata = StoreMetadata.decode(try Self.plist(writer))
        pool = ConnectionPool(writer: writer, options: options)
    }

    /// Within the write lock, so that of two processes that make the same store one makes it and the other finds it.
    private static func createOrRead(
        _ connection: Connection, _ model: ManagedObjectModel
    ) throws(StoreError) -> (UUID, [ObjectIDSource], [EntityTable], [JoinTable]) {
        if try Schema.isEmpty(connection) {
            let identifier = UUID()
            let sources = ObjectIDSource.all(model, identifier)
            try Schema.create(on: connection, sources, identifier: identifier)
        }
        let identifier = try Schema.identifier(connection)
        let sources = ObjectIDSource.all(model, identifier)
        let (tables, joins) = try Schema.tables(connection, sources)
        try UniqueIndex.create(tables, on: connection)
        return (identifier, sources, tables, joins)
    }

    /// Whether there is no file yet, or an empty one.
    private static func isNew(_ path: String) throws(StoreError) -> Bool {
        var status = stat()
        if stat(path, &status) != 0 {
            let directory = (path as NSString).deletingLastPathComponent
            guard directory.isEmpty || FileManager.default.fileExists(atPath: directory) else {
                throw StoreError(.storeFailure, "\(path) cannot be made: the folder \(directory) does not exist")
            }
            return true
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StoreError(.incompatibleStore, "\(path) is a folder or a device, not a store file")
        }
        return status.st_size == 0
    }

    /// Looks at an existing file without changing it.
    private static func checkFits(
        _ path: String, _ model: ManagedObjectModel, _ options: SQLiteStoreOptions
    ) throws(StoreError) {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw StoreError(.storeFailure, "\(path) cannot be read; check its permissions")
        }
        defer { try? file.close() }
        guard let header = try? file.read(upToCount: 16), header == Data("SQLite format 3\0".utf8) else {
            throw StoreError(.incompatibleStore, "\(path) is not a SQLite file; it was left as it is")
        }
        let isQuiet = !hasJournal(path)
        do throws(StoreError) {
            try checkFits(path, model, options, isImmutable: isQuiet)
        } catch {
            // Somebody began to write it while we looked: look again, together with the journal.
            guard isQuiet, hasJournal(path) else { throw error }
            try checkFits(path, model, options, isImmutable: false)
        }
    }

    /// Whether somebody has the file open for writing, or did not close it properly.
    private static func hasJournal(_ path: String) -> Bool {
        ["-wal", "-journal"].contains { FileManager.default.fileExists(atPath: path + $0) }
    }

    private static func checkFits(
        _ path: String, _ model: ManagedObjectModel, _ options: SQLiteStoreOptions, isImmutable: Bool
    ) throws(StoreError) {
        let reader = try Connection(
            path: path, flags: SQLITE_OPEN_READONLY, busyTimeoutMilliseconds: options.busyTimeoutMilliseconds,
            isImmutable: isImmutable)
        if try Schema.isEmpty(reader) { return }
        let identifier = try Schema.identifier(reader)
        _ = try Schema.tables(reader, ObjectIDSource.all(model, identifier))
    }

    var metadata: [String: StoredValue] { lock.withLock { savedMetadata } }
    var statistics: StoreStatistics { pool.statistics }
    func resetStatistics() { pool.resetStatistics() }

    func checkpoint() throws(StoreError) {
        try pool.write { connection throws(StoreError) in
            let statement = try connection.statement("PRAGMA wal_checkpoint(TRUNCATE)")
            defer { statement.reset() }
            guard try statement.step(), statement.int64(0) == 0 else {
                throw StoreError(.busy, "\(connection.path) cannot be checkpointed while another connection reads it")
            }
        }
    }

    func close() throws(StoreError) {
        pool.close()
    }

    func didSave(metadata: [String: StoredValue]) {
        lock.withLock { savedMetadata = metadata }
    }

    static func plist(_ connection: Connection) throws(StoreError) -> Data {
        let row = try connection.statement("SELECT Z_PLIST FROM Z_METADATA")
        defer { row.reset() }
        return try row.step() ? Data(row.bytes(0)) : Data()
    }
}

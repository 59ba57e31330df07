import CSQLite
import CSystem
import Foundation
import Locking

/// A store in a SQLite file with Core Data's layout.
final class SQLiteStore: PersistentStore, Sendable {
    let identifier: UUID
    let url: URL?
    let sources: [ObjectIDSource]
    let schema: SQLSchema
    let selections: RowSelections
    let pool: ConnectionPool
    let saves = SaveQueue()
    let derivedAttributes: [Int: [Int]]
    let archivedAttributes: [Int: [Int]]
    /// The positions of the entities whose tables triggers change without reporting the rows.
    let silentlyChanged: Set<Int>
    /// Whether values of some attributes may lie in separate files.
    let hasExternals: Bool
    /// The location of the values outside of the file.
    let externalData: ExternalData?
    private let savedMetadata: Locked<[String: StoredValue]>

    /// Held while a store is opened: inspecting a file keeps its log's index from being written, even by this process.
    private static let opening = Lock()

    /// Opens the store at `url`, or creates it.
    ///
    /// - Throws: the errors of ``PersistentStoreCoordinator/addPersistentStore(_:at:options:)``.
    init(url: URL, model: ManagedObjectModel, options: SQLiteStoreOptions) throws(StoreError) {
        self.url = url
        csystem_survive_file_size_limit()
        let content: Content
        (pool, content) = try Self.opening.withLock { () throws(StoreError) in
            let file = try StoreFile(url.path(percentEncoded: false), options)
            return try options.isReadOnly ? Self.openReadOnly(file, model, options) : Self.open(file, model, options)
        }
        (identifier, sources, schema) = (content.identifier, content.sources, content.schema)
        savedMetadata = Locked(content.metadata)
        let tables = schema.tables
        derivedAttributes = Self.positions(tables, \.derived)
        archivedAttributes = Self.positions(tables, \.archived)
        silentlyChanged = Set(tables.indices.filter { tables[$0].isChangedSilently })
        externalData = content.externalData
        hasExternals = tables.contains { !$0.externals.isEmpty }
        selections = RowSelections(schema)
        // The cost of opening the store does not count.
        pool.resetStatistics()
    }

    /// The content that was found in a file.
    private struct Content {
        let identifier: UUID
        let sources: [ObjectIDSource]
        let schema: SQLSchema
        let externalData: ExternalData?
        var metadata: [String: StoredValue] = [:]
    }

    private static func open(
        _ file: StoreFile, _ model: ManagedObjectModel, _ options: SQLiteStoreOptions
    ) throws(StoreError) -> (ConnectionPool, Content) {
        let (isNew, hasLog) = (try file.isNew(), file.hasLog)
        let known = isNew ? nil : try file.checkFits(model)
        let writer = try Connection(
            path: file.path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, options: options)
        if isNew { try ConnectionPool.configure(writer, options) }
        writer.writesLogBack = !hasLog
        var content = try writer.transaction { () throws(StoreError) in
            try createOrRead(writer, model, options, known)
        }
        // A file that does not fit, or is damaged, keeps its journal mode and its log.
        writer.writesLogBack = true
        if !isNew { try ConnectionPool.configure(writer, options) }
        content.metadata = StoreMetadata.decode(try plist(writer))
        _ = writer.takeCounts()
        return (ConnectionPool(writer: writer, options: options), content)
    }

    private static func openReadOnly(
        _ file: StoreFile, _ model: ManagedObjectModel, _ options: SQLiteStoreOptions
    ) throws(StoreError) -> (ConnectionPool, Content) {
        let pool = ConnectionPool(try ReadOnlyFile(file.path, options))
        let content = try pool.read { connection throws(StoreError) in
            if try Schema.isEmpty(connection) {
                throw StoreError(
                    .incompatibleStore,
                    "\(connection.path) is empty and cannot be opened read-only; open it without isReadOnly first")
            }
            let identifier = try Schema.identifier(connection)
            let sources = ObjectIDSource.all(model, identifier)
            let fit = try SchemaFit(connection, sources, model)
            try fit.check(connection.path, migrates: false, isReadOnly: true)
            return Content(
                identifier: identifier, sources: sources, schema: fit.schema,
                externalData: fit.externalData, metadata: StoreMetadata.decode(try plist(connection)))
        }
        return (pool, content)
    }

    /// Creates or reads the store within the write lock: if two processes create or migrate the same store, one does it
    /// and the other one finds it done.
    private static func createOrRead(
        _ connection: Connection, _ model: ManagedObjectModel, _ options: SQLiteStoreOptions, _ known: FileSchema?
    ) throws(StoreError) -> Content {
        if try Schema.isEmpty(connection) {
            let identifier = UUID()
            let sources = ObjectIDSource.all(model, identifier)
            try Schema.create(on: connection, sources, identifier: identifier)
        }
        let identifier = try Schema.identifier(connection)
        let sources = ObjectIDSource.all(model, identifier)
        var fit = try SchemaFit(connection, sources, model, known: known)
        try fit.check(connection.path, migrates: options.migratesAutomatically)
        if !fit.additions.isEmpty {
            try Migration.run(fit.additions, on: connection, fit.file)
            fit = try SchemaFit(connection, sources, model)
            try fit.check(connection.path, migrates: false)
        }
        if options.migratesAutomatically, !fit.file.isCoreDatas {
            try Migration.fill(RequiredDefaults(fit.schema, noted: fit.file.notedDefaults), on: connection)
            try UniqueIndex.dropUnwanted(fit.tables, on: connection)
        }
        try UniqueIndex.create(fit.tables, on: connection)
        try FetchIndex.create(fit.tables, on: connection)
        return Content(
            identifier: identifier, sources: sources, schema: fit.schema,
            externalData: fit.externalData)
    }

    var tables: [EntityTable] { schema.tables }
    /// The join tables, by the relationship's number in the model.
    var joins: [JoinTable] { schema.joins }

    var metadata: [String: StoredValue] { savedMetadata.value }
    var statistics: StoreStatistics { pool.statistics }
    func resetStatistics() { pool.resetStatistics() }

    func checkpoint() throws(StoreError) {
        try pool.writeBack { connection throws(StoreError) in
            try connection.checkIsInPlace()
            let statement = try connection.statement("PRAGMA wal_checkpoint(TRUNCATE)")
            defer { statement.reset() }
            guard try statement.step(), statement.int64(0) == 0 else {
                throw StoreError(
                    .busy, "\(connection.path) cannot be checkpointed while another connection reads it; try again")
            }
        }
    }

    func close() throws(StoreError) {
        pool.close()
    }

    func didSave(metadata: [String: StoredValue]) {
        savedMetadata.exchange(metadata)
    }

    static func plist(_ connection: Connection) throws(StoreError) -> Data {
        let row = try connection.statement("SELECT Z_PLIST FROM Z_METADATA")
        defer { row.reset() }
        return try row.step() ? Data(row.bytes(0)) : Data()
    }

    static func setPlist(_ plist: Data, _ connection: Connection) throws(StoreError) {
        let statement = try connection.statement("UPDATE Z_METADATA SET Z_PLIST = ?")
        statement.bind(1, .binaryData(plist))
        try statement.run()
    }
}

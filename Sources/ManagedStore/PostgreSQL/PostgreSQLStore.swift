import Foundation
import Locking

/// A store in a PostgreSQL database, with the tables of Core Data's layout.
final class PostgreSQLStore: PersistentStore, Sendable {
    let identifier: UUID
    let url: URL?
    let sources: [ObjectIDSource]
    let schema: SQLSchema
    let dialect: PostgreSQLDialect
    let selections: RowSelections
    let pool: PostgreSQLConnectionPool
    let options: PostgreSQLStoreOptions
    let keys: KeyReserves
    private let savedMetadata: Locked<[String: StoredValue]>
    /// Tells this store's messages from those of others.
    private let sender = UUID()
    private let listener = Locked(RemoteChangeListener?.none)

    /// Opens the store at an address, or creates its tables there.
    ///
    /// - Throws: the errors of ``PersistentStoreCoordinator/addPersistentStore(_:at:options:)``.
    init(
        _ address: ServerAddress, _ model: ManagedObjectModel, _ options: PostgreSQLStoreOptions
    ) throws(StoreError) {
        url = address.url
        self.options = options
        pool = try PostgreSQLConnectionPool(address, options)
        dialect = PostgreSQLDialect(abilities: pool.engine.abilities)
        guard !options.postsRemoteChanges || dialect.abilities.contains(.notifications) else {
            throw StoreError(
                .invalidRequest,
                "\(address.name): the engine there (\(pool.engine.name)) has no NOTIFY; leave postsRemoteChanges out, and "
                    + "call mergeRemoteChanges()")
        }
        let content = try PostgreSQLSchema.openOrCreate(model, pool, dialect)
        (identifier, sources, schema) = (content.identifier, content.sources, content.schema)
        savedMetadata = Locked(content.metadata)
        selections = RowSelections(schema)
        keys = KeyReserves(pool, schema)
        // A user who may only read removes none.
        try? pool.use { connection throws(StoreError) in try CommitToken.removeOld(connection) }
        // The cost of opening the store does not count.
        pool.resetStatistics()
    }

    var tables: [EntityTable] { schema.tables }
    var model: ManagedObjectModel? { sources.first?.model }

    var metadata: [String: StoredValue] { savedMetadata.value }
    func didSave(metadata: [String: StoredValue]) { savedMetadata.exchange(metadata) }
    var statistics: StoreStatistics { pool.statistics }
    func resetStatistics() { pool.resetStatistics() }

    /// The server writes its log back itself.
    func checkpoint() {}
    func close() {
        stopListening()
        pool.close { connection throws(StoreError) in try keys.giveBack(connection) }
    }

    deinit { stopListening() }
}

// MARK: - Other processes

extension PostgreSQLStore {
    private var channel: String { RemoteChangeListener.channel(identifier) }

    func observeRemoteChanges(_ body: @escaping @Sendable (ObjectIDChanges?) -> Void) throws(StoreError) {
        guard options.postsRemoteChanges else { return }
        let (sender, tables) = (sender, tables)
        let started = try RemoteChangeListener(pool, channel: channel) { payload in
            if payload?.sender != sender { body(payload?.changes(tables)) }
        }
        listener.exchange(started)
    }

    private func stopListening() { listener.exchange(nil)?.stop() }

    /// Tells the other processes of a save, or of a batch request, once its transaction is committed.
    func tell(
        _ changes: (changes: ChangeSet, keys: PermanentKeys)?, _ connection: PostgreSQLConnection
    ) throws(StoreError) {
        guard options.postsRemoteChanges else { return }
        let payload =
            changes.map { RemoteChangePayload(sender: sender, $0.changes, $0.keys, tables) }
            ?? RemoteChangePayload(sender: sender, groups: nil)
        let notification = SQLFragment(
            sql: "SELECT pg_notify(?, ?)", bindings: [.string(channel), .string(payload.text)])
        _ = try connection.query(notification, dialect)
    }
}

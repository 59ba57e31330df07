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
        let content = try PostgreSQLSchema.openOrCreate(model, pool, dialect)
        (identifier, sources, schema) = (content.identifier, content.sources, content.schema)
        savedMetadata = Locked(content.metadata)
        selections = RowSelections(schema)
        keys = KeyReserves(pool, schema)
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
    func close() { pool.close() }
}

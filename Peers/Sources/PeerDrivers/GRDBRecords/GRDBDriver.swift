import BenchDrivers
import BenchHarness
import DriverSupport

/// GRDB as its documentation recommends it: a `Codable` record, and the persistence methods that come with it.
///
/// What it does
/// - seed: `insert` for each record, in one transaction.
/// - fetch: `ItemRecord.order(...).fetchAll`; asynchronously an `await pool.read` with `fetchCursor`, because a fetch
///   that tells how far it has come must look at its records one by one. Cancelled by cancelling its task.
/// - update: `ItemRecord.filter(...).updateAll` for each record, in one transaction: the filter names the key and the
///   version that was read, and a save that finds no such row fails. The persistence methods, such as `update`, name the
///   key only. In a batch, the same with the filter of the scenario.
/// - merge: writers share the pool; a `TransactionObserver` tells the main queue the keys, which it fetches with
///   `fetchAll(_:ids:)`.
/// - relationships: associations, `belongsTo`, `hasMany` and `hasMany(through:)`; prefetched by `including(required:)` and
///   `including(all:)`, one by one by `request(for:)`. Deletions cascade by foreign keys.
///
/// Why that is fair: the table, the file, the settings and the durability are those of the other drivers, and so are the
/// check of the version at each change and the check of every row. One difference remains: a record has all columns of
/// the table, `Z_ENT` among them, which the others need not read.
///
/// A record names its table and its properties in its type, so it takes a scenario whose entities it was written for:
/// the main ones, `shop`, `mail` and `feed`.
public struct GRDBDriver: StoreDriver {
    /// Creates the driver.
    public init() {}

    /// `grdb`.
    public var name: String { "grdb" }
    /// One line for `bench list`.
    public var summary: String { "GRDB as its documentation recommends it: Codable records, the query interface" }
    /// The GRDB and the SQLite that run.
    public var properties: [String: String] { PeerStore.libraryProperties }

    /// Nil for the entities that records were written for, but for what they or GRDB cannot hold.
    public func unsupportedReason(for phase: Phase, in schema: Schema) -> String? {
        guard let record = RecordTypes.type(in: schema) else {
            return "a record of GRDB names its table and columns in its type, and there are those for the Item of the"
                + " main scenarios, for shop, for mail and for feed alone; grdb-fast does any entity"
        }
        return PeerStore.wholeRecords(in: phase) ?? PeerStore.uncountedSaves(in: phase, of: schema)
            ?? PeerStore.missingPlace(in: phase, of: schema.entity.record, optionals: record.optionals)
            ?? PeerStore.zeroByte(in: phase, of: schema.records)
    }

    /// Its stores hold records of several entities.
    public func obstacle(to feature: Schema.Feature) -> String? {
        [.inheritance, .circles, .denials, .orderedPairs].contains(feature) ? feature.lack : nil
    }

    /// Sessions do no loads.
    public var sessionType: any StoreSession.Type { GRDBSession<RecordTechnique<ItemRecord>>.self }

    /// Writes by SQL, through a connection that GRDB does not know.
    public func planter(of configuration: StoreConfiguration) -> (any StorePlanter)? {
        SQLiteDriver().planter(of: configuration)
    }

    /// Copies files in Core Data's layout.
    public var adopter: (any StoreAdopter)? { SQLiteDriver().adopter }

    /// Returns the baseline driver's reader of the file, which knows nothing of GRDB.
    public func inspector(of configuration: StoreConfiguration) -> (any StoreInspector)? {
        SQLiteDriver().inspector(of: configuration)
    }

    /// Opens the store file in the configuration's directory, creating it when there is none.
    public func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        guard let record = RecordTypes.type(in: configuration.schema) else {
            throw RunError(.phase, "there is no record of GRDB for \(configuration.entity.name)")
        }
        return try session(of: record, PeerStore(configuration))
    }

    private func session<Record: EntityRecord>(
        of record: Record.Type, _ store: PeerStore
    ) throws -> any StoreSession {
        let others = store.table.schema.others.map(store.table.table).compactMap { table in
            RecordTypes.type(of: table.entity)?.seed(table, of: store.configuration)
        }
        return try GRDBSession(store, RecordTechnique<Record>(query: RecordQuery(table: store.table)), others: others)
    }
}

/// The types that records were written for.
enum RecordTypes {
    /// Those of each scenario, whose entities have numbers among one another in the file.
    private static let scenarios: [[any EntityRecord.Type]] = [
        [ItemRecord.self],
        [CustomerRecord.self, LineRecord.self, OrderRecord.self, ProductRecord.self, TagRecord.self],
        [MailboxRecord.self, MessageRecord.self],
        [PostRecord.self],
    ]

    /// Returns the type for the entity of a session; nil if no scenario has types for this and the store's others.
    static func type(in schema: Schema) -> (any EntityRecord.Type)? {
        let isWritten = scenarios.contains { types in
            types.count == schema.entities.count
                && types.allSatisfy { type in schema.entities.contains { type.describes($0.record) } }
        }
        return isWritten ? type(of: schema.entity.record) : nil
    }

    /// Returns the type for an entity of a scenario that has types.
    static func type(of entity: EntitySpec) -> (any EntityRecord.Type)? {
        scenarios.joined().first { $0.describes(entity) }
    }
}

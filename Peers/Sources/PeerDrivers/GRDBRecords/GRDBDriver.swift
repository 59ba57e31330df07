import BenchDrivers
import BenchHarness

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
///
/// Why that is fair: the table, the file, the settings and the durability are those of the other drivers, and so are the
/// check of the version at each change and the check of every row. One difference remains: a record has all columns of
/// the table, `Z_ENT` among them, which the others need not read.
///
/// A record names its table and its properties in its type, so it takes a scenario whose entity it was written for.
public struct GRDBDriver: StoreDriver {
    /// Creates the driver.
    public init() {}

    /// `grdb`.
    public var name: String { "grdb" }
    /// One line for `bench list`.
    public var summary: String { "GRDB as its documentation recommends it: Codable records, the query interface" }
    /// The GRDB and the SQLite that run.
    public var properties: [String: String] { PeerStore.libraryProperties }

    /// Nil for the entity that ``ItemRecord`` was written for, but for what it or GRDB cannot hold.
    public func unsupportedReason(for phase: Phase, entity: EntitySpec) -> String? {
        guard ItemRecord.describes(entity) else {
            return "a record of GRDB names its table and columns in its type, and there is one for the Item of the main"
                + " scenarios alone; grdb-fast does any entity"
        }
        return PeerStore.wholeRecords(in: phase, of: entity) ?? PeerStore.missingPlace(in: phase, of: entity)
            ?? PeerStore.zeroByte(in: phase, of: entity)
    }

    /// Sessions do no loads.
    public var sessionType: any StoreSession.Type { GRDBSession<RecordTechnique>.self }

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
        let store = PeerStore(configuration)
        return try GRDBSession(store, RecordTechnique(query: RecordQuery(table: store.table)))
    }
}

import BenchDrivers
import BenchHarness
import DriverSupport

/// GRDB in the fastest way that its documentation and its own benchmarks show: statements written by hand, and structs
/// that read their columns by number.
///
/// What it does
/// - seed: one cached statement, `setUncheckedArguments` and `execute` for each record, in one transaction.
/// - fetch: a cursor over a cached statement, into structs whose `init(row:)` reads `row[0]`, `row[1]`, ...;
///   asynchronously the same in an `await pool.read`, cancelled by cancelling its task.
/// - update: a cached `UPDATE ... WHERE Z_PK = ? AND Z_OPT = ?` for each record, in one transaction; in a batch,
///   `updateAll`.
/// - merge: writers share the pool; a `TransactionObserver` tells the main queue the keys, which it reads with a cached
///   statement.
/// - relationships: the statements of the `sqlite` driver, which read what is related apart from the records; deletions
///   cascade by foreign keys, as GRDB's documentation recommends.
/// - loads: workers share the pool, as GRDB has it. A change is made in the statement, without reading the row, as the
///   `sqlite` driver makes it, so that nothing meets.
///
/// Why that is fair: statement by statement this is the work of the `sqlite` driver, except in merges, on the same
/// table, with the same settings, with the same check of the version at each change; what differs is what GRDB lays
/// around SQLite. What it does not do is what `sqlite-tuned` does, such as many rows an INSERT: that is a matter of SQL,
/// not of GRDB.
///
/// The to-do item of the main scenarios is a struct of its own; any other entity becomes an array of values.
public struct GRDBFastDriver: StoreDriver {
    /// Creates the driver.
    public init() {}

    /// `grdb-fast`.
    public var name: String { "grdb-fast" }
    /// One line for `bench list`.
    public var summary: String { "GRDB at its fastest: cached statements, columns by number" }
    /// The GRDB and the SQLite that run.
    public var properties: [String: String] { PeerStore.libraryProperties }

    /// Nil but for what a struct or GRDB cannot hold.
    public func unsupportedReason(for phase: Phase, in schema: Schema) -> String? {
        let reason =
            PeerStore.wholeRecords(in: phase) ?? PeerStore.uncountedSaves(in: phase, of: schema)
            ?? PeerStore.zeroByte(in: phase, of: schema.records)
        if let reason { return reason }
        let entity = schema.entity.record
        return FastItemRecord.describes(entity) ? PeerStore.missingPlace(in: phase, of: entity) : nil
    }

    /// Its stores hold records of several entities.
    public func obstacle(to feature: Schema.Feature) -> String? {
        [.inheritance, .circles, .denials, .orderedPairs].contains(feature) ? feature.lack : nil
    }

    /// Sessions do all but watch the saves of a load: GRDB's way is to fetch anew after each save what is observed.
    public var sessionType: any StoreSession.Type { StatementSession<FieldsRecord>.self }

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
        let others = store.table.schema.others.map { place in
            let table = store.table.table(of: place)
            return EntitySeed(table, StatementTechnique<FieldsRecord>(table), of: configuration)
        }
        if FastItemRecord.describes(configuration.entity) {
            return try StatementSession(store, StatementTechnique<FastItemRecord>(store.table), others: others)
        }
        return try StatementSession(store, StatementTechnique<FieldsRecord>(store.table), others: others)
    }
}

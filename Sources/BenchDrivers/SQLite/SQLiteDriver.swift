import BenchHarness
import CSQLite
import Foundation

/// The baseline: the loop that a careful programmer writes on bare SQLite.
///
/// One prepared statement that runs once per row, one transaction, `ORDER BY` for the order, plain structs in an array.
/// Other drivers are judged by their ratio to it, so its work must not change unnoticed: ``baselineRevision`` counts
/// the changes, and a test compares the sources with those of the revision.
public struct SQLiteDriver: StoreDriver {
    /// Incremented with each change of the baseline's work while the clock runs: ratios across revisions mean nothing.
    public static let baselineRevision = 6

    /// Creates the driver.
    public init() {}

    /// `sqlite`.
    public var name: String { "sqlite" }
    /// One line for `bench list`.
    public var summary: String { "the baseline: a careful loop on bare SQLite, into plain structs" }
    /// The version of SQLite, the revision of the baseline, and the settings with which SQLite sorts.
    public var properties: [String: String] { Self.plainProperties }

    static var plainProperties: [String: String] { libraryProperties.merging(SQLiteSorting.properties) { $1 } }

    static var libraryProperties: [String: String] {
        ["sqlite_version": String(cString: sqlite3_libversion()), "baseline_revision": String(baselineRevision)]
    }

    /// Returns a reason only for what plain structs cannot hold.
    public func unsupportedReason(for phase: Phase, in schema: Schema) -> String? {
        RecordTypes.unsupportedReason(for: phase, in: schema)
    }

    /// The file that the driver keeps in a store's directory.
    ///
    /// A driver of your own on SQLite can have this driver create the file, and read what your driver has written. Both
    /// then use the same tables, to the byte, and the same code checks them. The records of `Item` are in `ZITEM`:
    /// `Z_PK` is the ordinal plus 1, `Z_ENT` is 1, `Z_OPT` counts the saves from 1, and `ZNAME` is the attribute
    /// `name`.
    public static func file(in directory: URL) -> URL { RecordFile.url(in: directory) }

    /// Each entity has a table of its own, which holds the records of those that inherit from it too.
    public func obstacle(to feature: Schema.Feature) -> String? { nil }

    /// The sessions have all capabilities except observing the saves of a load: bare SQLite sends no notification of a
    /// save.
    public var sessionType: any StoreSession.Type {
        SQLSession<RecordFile, LoopTechnique<PlainConnection, FieldRecord>>.self
    }

    /// Writes by SQL, through a connection that no session has.
    public func planter(of configuration: StoreConfiguration) -> (any StorePlanter)? {
        RecordPlanter(database: RecordFile(configuration), generator: configuration.records)
    }

    /// Opens the store file in the configuration's directory, and creates it if there is none.
    public func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        try open(configuration, into: RecordTypes.type(for: configuration.entity))
    }

    /// Returns a reader of the driver's file.
    public func inspector(of configuration: StoreConfiguration) -> (any StoreInspector)? {
        RecordFileInspector(configuration)
    }

    /// Copies files in Core Data's layout, which ManagedStore writes too.
    public var adopter: (any StoreAdopter)? { RecordFileAdopter() }

    /// Reads any file of SQLite.
    public var surveyor: (any StoreSurveyor)? { SQLiteSurveyor() }

    private func open<Record: SQLRecord>(
        _ configuration: StoreConfiguration, into type: Record.Type
    ) throws -> any StoreSession {
        try SQLSession<RecordFile, LoopTechnique<PlainConnection, Record>>(configuration, in: RecordFile(configuration))
    }
}

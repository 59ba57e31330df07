import BenchHarness
import CSQLite
import Foundation

/// The baseline: the loop that a careful programmer writes on bare SQLite.
///
/// One prepared statement run once a row, one transaction, `ORDER BY` for the order, plain structs in an array. Other
/// drivers are judged by their ratio to it, so what it does must not change unnoticed: ``baselineRevision`` says when
/// it did.
public struct SQLiteDriver: StoreDriver {
    /// Counted up with each change of what the baseline does within the clock: ratios across revisions mean nothing.
    public static let baselineRevision = 1

    /// Creates the driver.
    public init() {}

    /// `sqlite`.
    public var name: String { "sqlite" }
    /// One line for `bench list`.
    public var summary: String { "the baseline: a careful loop on bare SQLite, into plain structs" }
    /// The SQLite that runs, and the revision of the baseline.
    public var properties: [String: String] { Self.libraryProperties }

    static var libraryProperties: [String: String] {
        ["sqlite_version": String(cString: sqlite3_libversion()), "baseline_revision": String(baselineRevision)]
    }

    /// Nil but for what plain structs cannot hold.
    public func unsupportedReason(for phase: Phase, entity: EntitySpec) -> String? {
        PlainRecords.unsupportedReason(for: phase, entity: entity)
    }

    /// The file that the driver keeps in a store's directory.
    ///
    /// For a driver of yours that works on SQLite too: have this driver make the file and read what yours has written,
    /// and both use the same tables, to the byte, and are checked by the same code. The records of `Item` are in
    /// `ZITEM`: `Z_PK` is the ordinal and 1, `Z_ENT` is 1, `Z_OPT` counts the saves from 1 on, and `ZNAME` is the
    /// attribute `name`.
    public static func file(in directory: URL) -> URL { RecordFile.url(in: directory) }

    /// Sessions do all but watch the saves of a load: bare SQLite tells no one of a save.
    public var sessionType: any StoreSession.Type { PlainSession<LoopTechnique<FieldRecord>>.self }

    /// Opens the store file in the configuration's directory, creating it when there is none.
    public func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        try open(configuration, into: PlainRecords.type(for: configuration.entity))
    }

    private func open<Record: PlainRecord>(
        _ configuration: StoreConfiguration, into type: Record.Type
    ) throws -> any StoreSession {
        try PlainSession<LoopTechnique<Record>>(configuration)
    }
}

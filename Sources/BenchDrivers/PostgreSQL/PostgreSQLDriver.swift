import BenchHarness
import Foundation

/// The baseline for stores on a server: a loop on bare PostgreSQL.
///
/// One prepared statement per row, sent in a pipeline; one transaction; `ORDER BY` for the order; rows as they arrive,
/// into plain structs in an array. ``PostgreSQLTunedDriver`` takes about half the time for a million rows.
public struct PostgreSQLDriver: StoreDriver {
    private let stores: ServerStores

    /// Counts the changes of the work within the clock: ratios to another revision mean something else.
    public static let baselineRevision = 3

    /// Creates the driver.
    ///
    /// - Parameter address: The URL of a database; nil for the one that ``/BenchHarness/StoreAddress`` has.
    public init(at address: URL? = nil) { stores = ServerStores(address: address) }

    /// `postgres`.
    public var name: String { "postgres" }
    /// One line for `bench list`.
    public var summary: String { "a loop on bare PostgreSQL: one prepared statement per row, in a pipeline" }
    /// The server's version and the settings that matter, and `baseline_revision`.
    public var properties: [String: String] {
        stores.properties.merging(["baseline_revision": String(Self.baselineRevision)]) { _, own in own }
    }
    /// The server.
    public var server: (any StoreServer)? { stores }
    /// The sessions have all capabilities except observing the saves of a load.
    public var sessionType: any StoreSession.Type {
        SQLSession<ServerStore, LoopTechnique<ServerConnection, FieldRecord>>.self
    }

    /// Returns a reason for what the server cannot keep, and for what plain structs cannot hold.
    public func unsupportedReason(for phase: Phase, in schema: Schema) -> String? {
        stores.unsupportedReason(for: phase, in: schema)
    }

    /// Each entity has a table of its own, which holds the records of those that inherit from it too.
    public func obstacle(to feature: Schema.Feature) -> String? { nil }

    /// Writes by SQL, through a connection that no session has.
    public func planter(of configuration: StoreConfiguration) -> (any StorePlanter)? {
        stores.planter(of: configuration)
    }

    /// Returns a reader of the tables.
    public func inspector(of configuration: StoreConfiguration) -> (any StoreInspector)? {
        stores.inspector(of: configuration)
    }

    /// Opens the store that is named after the configuration's directory, and creates its tables if there are none.
    public func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        try open(configuration, into: RecordTypes.type(for: configuration.entity))
    }

    private func open<Record: SQLRecord>(
        _ configuration: StoreConfiguration, into type: Record.Type
    ) throws -> any StoreSession {
        let store = ServerStore(configuration, at: try stores.requireAddress())
        return try SQLSession<ServerStore, LoopTechnique<ServerConnection, Record>>(configuration, in: store)
    }
}

import BenchHarness
import Foundation

/// The work of `postgres` with the optimisations that an object store on PostgreSQL can use: what ManagedStore is
/// measured by.
///
/// Binary copies in both directions; rows decoded into pages of columns; sorting outside the server; arrays of changes
/// in the order of their keys. Where it follows relationships, it does what `postgres` does.
public struct PostgreSQLTunedDriver: StoreDriver {
    private let stores: ServerStores

    /// Creates the driver.
    ///
    /// - Parameter address: The URL of a database; nil for the one that ``/BenchHarness/StoreAddress`` has.
    public init(at address: URL? = nil) { stores = ServerStores(address: address) }

    /// `postgres-tuned`.
    public var name: String { "postgres-tuned" }
    /// One line for `bench list`.
    public var summary: String { "bare PostgreSQL, optimised: copies, arrays, columns, own sort" }
    /// The server's version and the settings that matter.
    public var properties: [String: String] { stores.properties }
    /// The server.
    public var server: (any StoreServer)? { stores }
    /// The sessions have all capabilities except observing the saves of a load.
    public var sessionType: any StoreSession.Type { SQLSession<ServerStore, CopyServerTechnique<FieldRecord>>.self }

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
        return try SQLSession<ServerStore, CopyServerTechnique<Record>>(configuration, in: store)
    }
}

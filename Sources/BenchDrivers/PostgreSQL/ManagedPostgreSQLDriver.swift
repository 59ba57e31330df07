import BenchHarness
import Foundation
import ManagedStore

/// A driver for ManagedStore over PostgreSQL: the same objects, contexts and requests as `managed`.
public struct ManagedPostgreSQLDriver: StoreDriver {
    private let stores: ServerStores
    private let managed = ManagedDriver()

    /// Creates the driver.
    ///
    /// - Parameter address: The URL of a database; nil for the one that ``/BenchHarness/StoreAddress`` has.
    public init(at address: URL? = nil) { stores = ServerStores(address: address) }

    /// The URL of the database.
    package var address: URL {
        get throws { try stores.requireAddress() }
    }

    /// `managed-postgres`.
    public var name: String { "managed-postgres" }
    /// One line for `bench list`.
    public var summary: String { "ManagedStore over a PostgreSQL server" }
    /// The server's version and the settings that matter.
    public var properties: [String: String] { stores.properties }
    /// The server.
    public var server: (any StoreServer)? { stores }
    /// The sessions have all capabilities, for records of every kind.
    public var sessionType: any StoreSession.Type { managed.sessionType }

    /// Returns a reason for what the server cannot keep, for checkpoints, and where `managed` has one.
    public func unsupportedReason(for phase: Phase, in schema: Schema) -> String? {
        if phase.work == .checkpoint { return "ManagedStore leaves the checkpoints of a server to the server" }
        return RecordTable.serverProblem(of: schema, in: phase)
            ?? managed.unsupportedReason(for: phase, in: schema)
    }

    /// Each entity has a table of its own, which holds the records of those that inherit from it too.
    public func obstacle(to feature: Schema.Feature) -> String? { nil }

    /// Writes by SQL, through a connection that no session has.
    public func planter(of configuration: StoreConfiguration) -> (any StorePlanter)? {
        stores.planter(of: configuration)
    }

    /// Returns a reader of the tables that shares no code with ManagedStore.
    public func inspector(of configuration: StoreConfiguration) -> (any StoreInspector)? {
        stores.inspector(of: configuration)
    }

    /// Opens the store that is named after the configuration's directory, and creates it if there is none.
    public func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        let place = ManagedSchema(store: ServerStore(configuration, at: try address))
        return try ManagedDriver.open(configuration, in: place)
    }
}

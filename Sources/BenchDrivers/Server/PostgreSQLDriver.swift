import BenchHarness
import Foundation

/// The baseline for stores on a server: the loop that a careful programmer writes on bare PostgreSQL.
///
/// One prepared statement per row, sent in a pipeline; one transaction; `ORDER BY` for the order; rows as they arrive,
/// into plain structs in an array.
public struct PostgreSQLDriver: StoreDriver {
    private let stores: ServerStores

    /// Creates the driver.
    ///
    /// - Parameter address: The URL of a database; nil for the one that ``/BenchHarness/StoreAddress`` has.
    public init(at address: URL? = nil) { stores = ServerStores(address: address) }

    /// `postgres`.
    public var name: String { "postgres" }
    /// One line for `bench list`.
    public var summary: String { "a careful loop on bare PostgreSQL: prepared statements in a pipeline" }
    /// The server's version and the settings that matter.
    public var properties: [String: String] { stores.properties }
    /// The server.
    public var server: (any StoreServer)? { stores }
    /// The sessions have all capabilities except observing the saves of a load.
    public var sessionType: any StoreSession.Type { ServerSession<LoopServerTechnique<FieldRecord>>.self }

    /// Returns a reason for what the server cannot keep, and for what plain structs cannot hold.
    public func unsupportedReason(for phase: Phase, entity: EntitySpec) -> String? {
        stores.unsupportedReason(for: phase, entity: entity)
    }

    /// Writes by SQL, through a connection that no session has.
    public func planter(of configuration: StoreConfiguration) -> (any StorePlanter)? {
        stores.address.map { ServerPlanter(store: ServerStore(configuration, at: $0)) }
    }

    /// Returns a reader of the tables.
    public func inspector(of configuration: StoreConfiguration) -> (any StoreInspector)? {
        stores.address.map { ServerInspector(store: ServerStore(configuration, at: $0)) }
    }

    /// Opens the store that is named after the configuration's directory, and creates its tables if there are none.
    public func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        let address = try stores.requireAddress()
        if ItemRecord.describes(configuration.entity) {
            return try ServerSession<LoopServerTechnique<ItemRecord>>(configuration, at: address)
        }
        return try ServerSession<LoopServerTechnique<FieldRecord>>(configuration, at: address)
    }
}

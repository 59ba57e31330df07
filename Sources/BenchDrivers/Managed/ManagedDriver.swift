import BenchHarness
import Foundation
import ManagedStore

/// ManagedStore, used as its documentation tells applications to use it.
public struct ManagedDriver: StoreDriver {
    /// Creates the driver.
    public init() {}

    /// `managed`.
    public var name: String { "managed" }
    /// One line for `bench list`.
    public var summary: String { "ManagedStore: managed objects, contexts and requests over SQLite" }
    /// The SQLite that runs.
    public var properties: [String: String] { SQLiteDriver.libraryProperties }

    /// Opens the store file in the configuration's directory, creating it when there is none.
    public func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        if ItemRecord.describes(configuration.entity) { return try ManagedSession<ManagedItem>(configuration) }
        if MessageRecord.describes(configuration.entity) { return try ManagedSession<ManagedMessage>(configuration) }
        return try ManagedSession<ManagedFields>(configuration)
    }
}

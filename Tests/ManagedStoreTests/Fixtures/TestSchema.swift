import Foundation
import Locking
import TestSupport
import Testing

@testable import ManagedStore

/// Schemas of the tests' server, each for one store.
enum TestSchema {
    private struct State {
        var connection: PostgreSQLConnection?
        var count = 0
    }

    private static let state = Locked(State())

    /// Makes an empty schema, and returns the URL of a store in it.
    static func make() throws -> URL {
        let server = try #require(PostgreSQLServer.current)
        return try state.withLock { state in
            let connection = try state.connection ?? connect(server)
            state.connection = connection
            state.count += 1
            let name = "test\(state.count)"
            try connection.execute("CREATE SCHEMA \(name)")
            return server.url(schema: name)
        }
    }

    private static func connect(_ server: PostgreSQLServer) throws -> PostgreSQLConnection {
        let address = try #require(ServerAddress(server.url()))
        return try PostgreSQLConnection(address, PostgreSQLStoreOptions())
    }
}

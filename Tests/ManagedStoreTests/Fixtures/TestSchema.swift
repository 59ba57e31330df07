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
    ///
    /// - Parameter isStrict: Whether the URL leads to an engine that can do the least, and says that it is unknown.
    static func make(isStrict: Bool = false) throws -> URL {
        let url = try make(version: isStrict ? "Strict 1.0" : nil)
        if !isStrict { return url }
        let (server, proxy) = (try #require(PostgreSQLServer.current), try #require(StrictProxy.current))
        var parts = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false))
        let query = try #require(parts.percentEncodedQuery)
        parts.percentEncodedQuery = query.replacing(server.socketFolder, with: proxy.folder.path)
        return try #require(parts.url)
    }

    /// Makes an empty schema, and returns the URL of a store in it.
    ///
    /// - Parameter version: What the server says that it is; nil for the truth.
    static func make(version: String?) throws -> URL {
        let server = try #require(PostgreSQLServer.current)
        let name = try makeSchema()
        guard let version else { return server.url(schema: name) }
        try withConnection { connection in
            try connection.execute(
                "CREATE FUNCTION \(name).version() RETURNS text LANGUAGE sql IMMUTABLE AS $$SELECT '\(version)'$$")
        }
        // What comes before the server's own functions hides them.
        return server.url(schema: "\(name),pg_catalog")
    }

    /// Makes an empty schema, and returns its name.
    static func makeSchema() throws -> String {
        let name = state.withLock { state in
            state.count += 1
            return "test\(state.count)"
        }
        try withConnection { try $0.execute("CREATE SCHEMA \(name)") }
        return name
    }

    /// Calls `body` with a connection to the server, which one thread has at a time.
    static func withConnection<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
        let server = try #require(PostgreSQLServer.current)
        return try state.withLock { state in
            let connection = try state.connection ?? PostgreSQLConnection(server.url())
            state.connection = connection
            return try body(connection)
        }
    }
}

import BenchHarness
import Foundation

/// The store of a configuration on a server: a schema of its own, named after the folder that a store of files would
/// have.
package struct ServerStore: SQLDatabase {
    let address: URL
    let folder: URL
    let table: RecordTable
    let options: StoreOptions

    package init(_ configuration: StoreConfiguration, at address: URL) {
        self.address = address
        folder = configuration.directory.standardizedFileURL
        table = RecordTable(configuration.schema, dialect: .postgreSQL)
        options = configuration.options
    }

    var inspector: any StoreInspector { ServerInspector(store: self) }

    /// Has the server write its changed pages, which a user with the right may ask for.
    func checkpoint(on connection: ServerConnection) throws { try connection.execute("CHECKPOINT") }

    /// The rows that were replaced are cleaned up now.
    func settle(on connection: ServerConnection) throws {
        try connection.execute("VACUUM \(table.name)")
        connection.writePages()
    }

    /// The name of the schema. Its comment is the folder.
    var schema: String { "bench_" + String(folder.path.stableHash, radix: 16) }

    /// The schema of the seeded copy.
    var seededSchema: String { schema + "_seeded" }

    /// Opens a connection whose statements find the tables of the store. The server lists it under the name of the
    /// schema.
    func connect() throws -> ServerConnection {
        try connect(
            lockTimeoutMilliseconds: max(options.busyTimeoutMilliseconds, 1), "SET application_name = '\(schema)'")
    }

    /// Opens a connection that waits for the server's own workers, and for what a process that was killed had begun.
    package func connectForUpkeep() throws -> ServerConnection { try connect(lockTimeoutMilliseconds: 60_000) }

    private func connect(lockTimeoutMilliseconds: Int, _ more: String = "") throws -> ServerConnection {
        let connection = try ServerConnection(address)
        try connection.execute(
            """
            SET standard_conforming_strings = on; SET search_path = \(schema); \
            SET lock_timeout = \(lockTimeoutMilliseconds); \
            SET synchronous_commit = \(options.synchronous == .off ? "off" : "on"); \
            SET default_transaction_isolation = 'read committed'; \(more)
            """)
        connection.resetCounters()
        return connection
    }

    /// Creates the tables if they are missing, in one transaction.
    func createTablesIfNeeded(on connection: ServerConnection) throws {
        try connection.transaction {
            guard try connection.integer("SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()") == 0
            else { return }
            for statement in table.serverDefinition { try connection.execute(statement) }
        }
    }

    /// The URL for other libraries, with the schema as search path. Of several options, libpq takes the last.
    var url: URL {
        var parts = URLComponents(url: address, resolvingAgainstBaseURL: false) ?? URLComponents()
        let commit = options.synchronous == .off ? "off" : "on"
        var items = parts.percentEncodedQueryItems ?? []
        // A parameter takes the place of the variable, which the other drivers keep.
        let inherited = ProcessInfo.processInfo.environment["PGOPTIONS"]?
            .addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        let given = (items.last { $0.name == "options" }?.value ?? inherited).map { [$0] } ?? []
        items.removeAll { ["options", "application_name"].contains($0.name) }
        let all = given + ["-csearch_path%3D\(schema)", "-csynchronous_commit%3D\(commit)"]
        items.append(URLQueryItem(name: "options", value: all.joined(separator: "%20")))
        items.append(URLQueryItem(name: "application_name", value: schema))
        parts.percentEncodedQueryItems = items
        return parts.url ?? address
    }
}

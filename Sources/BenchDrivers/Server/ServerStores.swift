import BenchHarness
import Foundation

/// The stores on a PostgreSQL server, each in a schema of its own.
struct ServerStores: StoreServer {
    private let given: URL?

    /// - Parameter address: The URL of a database; nil takes the one that was chosen for the process.
    init(address: URL?) { given = address }

    /// Nil if there is none.
    var address: URL? { given ?? StoreAddress.chosen }

    /// The address, for the stores of drivers.
    func requireAddress() throws -> URL {
        if let address { return address }
        throw DriverError(.invalidRequest, Self.missingAddress)
    }

    private static let missingAddress =
        "the driver needs a PostgreSQL server; name one with --store postgresql://HOST/DATABASE, or in the variable "
        + StoreAddress.variable

    var problem: String? {
        guard let address else { return Self.missingAddress }
        do {
            let connection = try ServerConnection(address)
            let mayCreate = try connection.integer(
                "SELECT has_database_privilege(current_database(), 'CREATE')::integer")
            if mayCreate == 1 { return nil }
            return "\(StoreAddress.redacted(address.absoluteString)): the user may not create schemas; "
                + "GRANT CREATE ON DATABASE allows it"
        } catch {
            return "\(error)"
        }
    }

    func stager(of configuration: StoreConfiguration) -> any StoreStager {
        guard let address else { return MissingServer() }
        return ServerStager(store: ServerStore(configuration, at: address))
    }

    func removeStores(below directory: URL) throws {
        let connection = try ServerConnection(requireAddress())
        var values = ServerValues()
        values.append(directory.standardizedFileURL.path + "/")
        let answer = try connection.run(
            """
            SELECT quote_ident(nspname) FROM pg_namespace \
            WHERE nspname LIKE 'bench\\_%' AND starts_with(obj_description(oid, 'pg_namespace') || '/', $1)
            """, values)
        for row in 0..<answer.rows { try connection.execute("DROP SCHEMA \(answer.row(row).string(0)) CASCADE") }
    }

    /// Returns why bare drivers cannot do a phase: the server cannot keep the records, or the handwritten struct has no
    /// optionals. Other structs do.
    func unsupportedReason(for phase: Phase, entity: EntitySpec) -> String? {
        if let problem = ServerTable.problem(of: entity, in: phase) { return problem }
        return ItemRecord.describes(entity) ? PlainRecords.unsupportedReason(for: phase, entity: entity) : nil
    }

    /// Facts for the manifest; empty if the server does not answer.
    var properties: [String: String] {
        guard let address, let connection = try? ServerConnection(address) else { return [:] }
        let settings = [
            "server_version", "shared_buffers", "work_mem", "fsync", "synchronous_commit", "full_page_writes",
            "max_wal_size", "max_connections", "wal_level", "autovacuum", "jit",
        ]
        var facts = ["engine": try? connection.text("SELECT version()")]
        for name in settings { facts[name] = try? connection.text("SELECT current_setting('\(name)', true)") }
        return facts.compactMapValues(\.self).filter { !$0.value.isEmpty }
    }

    /// Throws why there is no store.
    private struct MissingServer: StoreStager {
        private var error: DriverError { DriverError(.invalidRequest, ServerStores.missingAddress) }

        var hasSeeded: Bool { get throws { throw error } }
        func empty() throws { throw error }
        func keepSeeded() throws { throw error }
        func restoreSeeded() throws { throw error }
    }
}

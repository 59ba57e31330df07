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
            return try problem(ServerConnection(address)).map { "\(StoreAddress.name(address)): \($0)" }
        } catch {
            return "\(error)"
        }
    }

    private func problem(_ connection: ServerConnection) throws -> String? {
        if connection.serverVersion < 110_000 { return "the server is older than PostgreSQL 11; use a newer one" }
        if let encoding = try connection.text("SHOW server_encoding"), encoding != "UTF8" {
            return "the encoding is \(encoding); create the database with ENCODING 'UTF8'"
        }
        if try connection.integer("SELECT pg_is_in_recovery()::integer") == 1 {
            return "the server is a standby, which can only be read; name its primary"
        }
        let mayCreate = try connection.integer("SELECT has_database_privilege(current_database(), 'CREATE')::integer")
        return mayCreate == 1 ? nil : "the user may not create schemas; GRANT CREATE ON DATABASE allows it"
    }

    func stager(of configuration: StoreConfiguration) -> any StoreStager {
        guard let address else { return MissingServer() }
        return ServerStager(store: ServerStore(configuration, at: address))
    }

    /// Returns the planter of a store; nil without an address.
    func planter(of configuration: StoreConfiguration) -> (any StorePlanter)? {
        address.map {
            RecordPlanter(database: ServerStore(configuration, at: $0), generator: configuration.records)
        }
    }

    /// Returns the reader of a store; nil without an address.
    func inspector(of configuration: StoreConfiguration) -> (any StoreInspector)? {
        address.map { ServerInspector(store: ServerStore(configuration, at: $0)) }
    }

    func place(of configuration: StoreConfiguration) -> String {
        guard let address else { return "a server without an address" }
        return "schema \(ServerStore(configuration, at: address).schema) of \(StoreAddress.name(address))"
    }

    /// The start of the server. A recovery from a crash, which ends all connections, resets the statistics.
    var epoch: String {
        get throws {
            try ServerConnection(requireAddress()).text(
                "SELECT pg_postmaster_start_time()::text || ' ' || COALESCE(stats_reset::text, '') FROM pg_stat_bgwriter"
            ) ?? ""
        }
    }

    var process: Int32? {
        guard let connection = try? ServerConnection(requireAddress()),
            let isHere = try? connection.integer(
                "SELECT COALESCE((inet_server_addr() = inet_client_addr())::integer, 1)"), isHere == 1,
            let own = try? connection.integer("SELECT pg_backend_pid()")
        else { return nil }
        return Self.postmaster(of: Int32(truncatingIfNeeded: own))
    }

    /// Returns the parent of a process of the server; nil if this machine shows neither under these numbers.
    private static func postmaster(of process: Int32) -> Int32? {
        let line = { (number: Int32) in FileManager.default.contents(atPath: "/proc/\(number)/cmdline") ?? Data() }
        guard String(decoding: line(process), as: UTF8.self).hasPrefix("postgres:"),
            let parent = ProcessState(process)?.parent
        else { return nil }
        return String(decoding: line(parent), as: UTF8.self).contains("postgres") ? parent : nil
    }

    func isOutage(_ error: any Error) -> Bool { (error as? DriverError)?.code == .unreachable }

    func awaitClients(of configuration: StoreConfiguration, seconds: Double) throws {
        try ServerStore(configuration, at: requireAddress()).awaitClients(seconds: seconds)
    }

    func removeStores(below directory: URL) throws {
        let connection = try ServerConnection(requireAddress())
        // The sessions that hold locks are ended first, so the wait is short, also for a user who pressed Ctrl-C.
        try connection.execute("SET lock_timeout = 10000")
        var values = ServerValues()
        values.append(directory.standardizedFileURL.path + "/")
        let answer = try connection.run(
            """
            SELECT quote_ident(nspname), oid::bigint FROM pg_namespace \
            WHERE nspname LIKE 'bench\\_%' AND starts_with(obj_description(oid, 'pg_namespace') || '/', $1)
            """, values)
        var problem: (any Error)?
        for number in 0..<answer.rows {
            let schema = answer.row(number)
            // A process that was killed may have left a statement that runs on.
            _ = try? connection.run(
                """
                SELECT pg_terminate_backend(pid) FROM pg_locks WHERE pid <> pg_backend_pid() AND relation IN \
                (SELECT oid FROM pg_class WHERE relnamespace = \(schema.int64(1)))
                """)
            do {
                try connection.execute("DROP SCHEMA \(schema.string(0)) CASCADE")
            } catch {
                problem = problem ?? error
            }
        }
        if let problem { throw problem }
    }

    func meetingPlace(ofRun name: String) throws -> (any MeetingPlace)? {
        try ServerMeetingPlace(run: name, at: requireAddress())
    }

    /// Returns why bare drivers cannot do a phase: the server cannot keep the records, or the handwritten struct has no
    /// optionals.
    func unsupportedReason(for phase: Phase, in schema: Schema) -> String? {
        RecordTable.serverProblem(of: schema, in: phase)
            ?? RecordTypes.unsupportedReason(for: phase, in: schema)
            ?? RecordTable(schema, dialect: .postgreSQL).unsupportedReason(for: phase.filter)
    }

    /// Facts for the manifest; empty if the server does not answer.
    var properties: [String: String] {
        guard let address, let connection = try? ServerConnection(address) else { return [:] }
        let settings = [
            "server_version", "shared_buffers", "work_mem", "fsync", "full_page_writes",
            "max_wal_size", "max_connections", "wal_level", "autovacuum", "jit",
        ]
        var facts = ["engine": try? connection.text("SELECT version()")]
        for name in settings { facts[name] = try? connection.text("SELECT current_setting('\(name)', true)") }
        facts["standbys"] = try? connection.text("SELECT count(*)::text FROM pg_stat_replication")
        // Citus has a table of its nodes.
        if let table = try? connection.text("SELECT to_regclass('pg_dist_node')::text"), !table.isEmpty {
            facts["nodes"] = try? connection.text("SELECT count(*)::text FROM pg_dist_node")
        }
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

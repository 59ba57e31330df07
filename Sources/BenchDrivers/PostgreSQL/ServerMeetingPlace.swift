import BenchHarness
import Foundation
import Locking

/// The table on a server in which the processes of a load leave messages for one another.
///
/// All runs share it; the name of a run is part of the key. Messages of runs in which nothing happened for a week are
/// removed when the next run begins.
final class ServerMeetingPlace: MeetingPlace {
    private let address: URL
    private let run: String
    /// Nil after the connection was lost.
    private let connection: Locked<ServerConnection?>

    private static let schema = "bench_meeting"
    private static let table = "\(schema).messages"

    init(run: String, at address: URL) throws {
        (self.address, self.run) = (address, run)
        connection = Locked(try Self.connect(address))
    }

    var name: String { "run \(run) on \(StoreAddress.name(address))" }

    let clockResolution = 2_000

    /// The server is the one that is measured, so it is asked rarely.
    let pollMicroseconds: UInt32 = 50_000

    /// A message need not survive a crash of the server, which the load does not survive either.
    private static func connect(_ address: URL) throws -> ServerConnection {
        let connection = try ServerConnection(address)
        try connection.execute("SET synchronous_commit = off; SET default_transaction_isolation = 'read committed'")
        return connection
    }

    /// Creates the table if it is missing, and removes the messages of runs long ago.
    func prepare() throws {
        try perform { connection in
            try Self.createTable(connection)
            // The messages of others do not matter to this run.
            try? connection.execute(
                """
                DELETE FROM \(Self.table) WHERE run IN \
                (SELECT run FROM \(Self.table) GROUP BY run HAVING max(left_at) < now() - interval '7 days')
                """)
        }
    }

    private static func createTable(_ connection: ServerConnection) throws {
        guard try connection.integer("SELECT (to_regclass('\(table)') IS NULL)::integer") == 1 else { return }
        try connection.transaction {
            // Two processes that create the same at the same time would fail.
            try connection.run("SELECT pg_advisory_xact_lock(hashtext('\(schema)'))")
            try connection.execute("CREATE SCHEMA IF NOT EXISTS \(schema)")
            try connection.execute(
                """
                CREATE TABLE IF NOT EXISTS \(table) (run text, name text, content bytea NOT NULL, \
                left_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (run, name))
                """)
        }
    }

    /// Calls `body` with the connection, which is opened again if it was lost.
    @discardableResult
    private func perform<Result>(_ body: (ServerConnection) throws -> Result) throws -> Result {
        try connection.withLock { current in
            let open = try current ?? Self.connect(address)
            current = open
            do {
                return try body(open)
            } catch let error as DriverError where error.code == .unreachable {
                current = nil
                throw error
            }
        }
    }

    func leave(_ message: String, _ content: Data) throws -> Bool {
        try perform { connection in
            let answer = try connection.run(
                "INSERT INTO \(Self.table) (run, name, content) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
                values(message, content))
            return answer.affected == 1
        }
    }

    func replace(_ message: String, _ content: Data) throws {
        try perform { connection in
            try connection.run(
                """
                INSERT INTO \(Self.table) (run, name, content) VALUES ($1, $2, $3) ON CONFLICT (run, name) \
                DO UPDATE SET content = excluded.content, left_at = excluded.left_at
                """, values(message, content))
        }
    }

    private func values(_ message: String, _ content: Data) -> ServerValues {
        var values = ServerValues()
        values.append(run)
        values.append(message)
        values.append(content)
        return values
    }

    func read(_ messages: [String]) throws -> [String: Data] {
        guard !messages.isEmpty else { return [:] }
        var names = ServerArray(.text)
        for message in messages { names.append(message) }
        var values = ServerValues()
        values.append(run)
        values.append(names)
        return try perform { connection in
            let answer = try connection.run(
                "SELECT name, content FROM \(Self.table) WHERE run = $1 AND name = ANY($2)", values)
            return (0..<answer.rows).reduce(into: [:]) { found, number in
                let row = answer.row(number)
                found[row.string(0)] = Data(row.blob(1))
            }
        }
    }

    func remove(_ messages: [String]) throws {
        var names = ServerArray(.text)
        for message in messages { names.append(message) }
        var values = ServerValues()
        values.append(run)
        values.append(names)
        try perform { connection in
            try connection.run("DELETE FROM \(Self.table) WHERE run = $1 AND name = ANY($2)", values)
        }
    }

    func forget(exceptFor prefix: String) throws {
        var values = ServerValues()
        values.append(run)
        values.append(prefix)
        try perform { connection in
            try connection.run("DELETE FROM \(Self.table) WHERE run = $1 AND NOT starts_with(name, $2)", values)
        }
    }

    func now(for shard: Shard) throws -> Int {
        try perform { connection in
            let time = try connection.integer("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint")
            return Int(time ?? 0) * 1_000
        }
    }
}

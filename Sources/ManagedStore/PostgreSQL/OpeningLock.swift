import Dispatch
import Foundation

/// The lock that a process holds while it creates or migrates a store: one for each schema of a database. It ends with
/// the transaction.
struct OpeningLock {
    let connection: PostgreSQLConnection

    private static let number = 0x4D61_6E61
    /// How long to wait before asking again, in microseconds.
    private static let pause: UInt32 = 10_000

    /// Takes the lock, and waits for as long as for a server that says nothing. The busy timeout is for saves.
    ///
    /// - Throws: `StoreError` with `busy`, which names the session that has the lock.
    func take() throws(StoreError) {
        let limit = connection.options.responseLimitMilliseconds
        let start = DispatchTime.now()
        while try !isTaken() {
            if let limit, DispatchTime.now() > start + .milliseconds(Int(limit)) { throw try held(for: limit) }
            usleep(Self.pause)
        }
    }

    /// Tries to take the lock. Without a schema there is nothing to lock.
    private func isTaken() throws(StoreError) -> Bool {
        let answer = try connection.query(
            "SELECT pg_try_advisory_xact_lock(\(Self.number), oid::integer) FROM pg_namespace "
                + "WHERE nspname = current_schema()")
        return answer.count == 0 || answer[0].int64(0) != 0
    }

    /// Returns the error for a lock that another session has. A user who is no superuser does not see everything of
    /// the sessions of others.
    private func held(for milliseconds: Int32) throws(StoreError) -> StoreError {
        let found = try connection.query(
            """
            SELECT a.pid, a.application_name::text, COALESCE(host(a.client_addr), 'a socket of the server'), \
            to_char(a.xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') \
            FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid \
            WHERE l.locktype = 'advisory' AND l.granted AND l.classid = \(Self.number) AND l.objsubid = 2 \
            AND l.objid = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) \
            AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """)
        var holder = ("another session", "end that session")
        if found.count > 0 {
            let session = found[0]
            let since = session.bytes(3) == nil ? "" : ", since \(session.string(3)) UTC"
            holder = (
                "the session \(session.int64(0)) (\(session.string(1)), from \(session.string(2))\(since))",
                "end it by SELECT pg_terminate_backend(\(session.int64(0)))"
            )
        }
        return StoreError(
            .busy,
            "\(connection.address.name): \(holder.0) has been creating or migrating the store for longer than the "
                + "response timeout of \(milliseconds) ms; add the store again later, or \(holder.1)")
    }
}

import Dispatch
import Foundation
import Locking

/// The connections to a server: as many as are in use at a time, up to a limit.
final class PostgreSQLConnectionPool: Sendable {
    private struct State {
        var idle: [PostgreSQLConnection] = []
        var isClosed = false
        var opened = 1
        var counts = PostgreSQLConnectionPool.noCounts
    }

    let address: ServerAddress
    let options: PostgreSQLStoreOptions
    /// What answers at the address.
    let engine: ServerEngine
    /// What the names of the connections in their tokens begin with.
    private let process = UUID().uuidString
    private let state = Locked(State())
    /// Counts the connections that may still be taken.
    private let free: DispatchSemaphore

    private static let noCounts = StoreStatistics(statements: 0, rows: 0, conflicts: 0)

    /// Opens the first connection.
    ///
    /// - Throws: `StoreError` with `storeFailure`.
    init(_ address: ServerAddress, _ options: PostgreSQLStoreOptions) throws(StoreError) {
        (self.address, self.options) = (address, options)
        let first = try PostgreSQLConnection(address, options, tokenName: "\(process) 1")
        engine = first.engine
        free = DispatchSemaphore(value: max(options.connectionLimit, 1))
        state.withLock { $0.idle = [first] }
    }

    /// Calls `body` with a connection that no other thread uses.
    ///
    /// A server that was restarted has ended idle connections. `body` is then called again with a new one, unless it
    /// may have committed a transaction.
    func use<Result>(
        _ body: (PostgreSQLConnection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try wait()
        defer { free.signal() }
        while let connection = try takeIdle() {
            defer { giveBack(connection) }
            connection.hasSentCommit = false
            do throws(StoreError) {
                return try body(connection)
            } catch {
                guard connection.wasEnded, !connection.hasSentCommit else { throw error }
            }
        }
        let (name, number) = nextName()
        let connection = try PostgreSQLConnection(address, options, engine: engine, tokenName: name)
        // Connections that were replaced leave their tokens behind.
        if number.isMultiple(of: Self.connectionsToTidy) { try? CommitToken.removeOld(connection) }
        defer { giveBack(connection) }
        return try body(connection)
    }

    private static let connectionsToTidy = 100

    private func nextName() -> (name: String, number: Int) {
        state.withLock { state in
            state.opened += 1
            return ("\(process) \(state.opened)", state.opened)
        }
    }

    private func wait() throws(StoreError) {
        let deadline = DispatchTime.now() + .milliseconds(max(options.busyTimeoutMilliseconds, 0))
        guard free.wait(timeout: deadline) == .success else {
            throw StoreError(
                .busy,
                "\(address.name): all \(options.connectionLimit) connections are in use for longer than the busy "
                    + "timeout; raise connectionLimit, or try again")
        }
    }

    private func takeIdle() throws(StoreError) -> PostgreSQLConnection? {
        let (connection, isClosed) = state.withLock { ($0.idle.popLast(), $0.isClosed) }
        if isClosed {
            throw StoreError(
                .noStore, "\(address.name) was removed from its coordinator; add the store again")
        }
        return connection
    }

    private func giveBack(_ connection: PostgreSQLConnection) {
        let (counts, isReusable) = (connection.takeCounts(), connection.isReusable)
        state.withLock { state in
            state.counts = state.counts + counts
            if isReusable, !state.isClosed { state.idle.append(connection) }
        }
    }

    var statistics: StoreStatistics { state.withLock { $0.counts } }
    func resetStatistics() { state.withLock { $0.counts = Self.noCounts } }

    /// Closes all connections. A fetch in progress keeps its connection until its end.
    ///
    /// - Parameter last: What is left to do on the server, if a connection is idle. It may not take long, and its
    ///   errors do not matter.
    func close(_ last: (PostgreSQLConnection) throws(StoreError) -> Void) {
        // The connections are released after the lock.
        let idle = state.withLock { state in
            defer { (state.isClosed, state.idle) = (true, []) }
            return state.idle
        }
        guard let connection = idle.first else { return }
        do throws(StoreError) {
            try ResponseTimeout.with(milliseconds: Self.closingMilliseconds) { () throws(StoreError) in
                try connection.execute("SET lock_timeout = 100; SET statement_timeout = 1000")
                try last(connection)
                try CommitToken.remove(of: process, connection)
            }
        } catch {
            // A user who cannot write has no tokens.
        }
    }

    /// How long a server that is left may say nothing.
    private static let closingMilliseconds = 2_000
}

import CSQLite
import Dispatch
import Foundation
import Locking

/// The connections of a read-only store.
final class ReadOnlyConnections: Sendable {
    private struct Reader {
        let connection: Connection
        let access: ReadOnlyFile.Access
        let state: ReadOnlyFile.State
    }

    let file: ReadOnlyFile
    private let idle = Locked<[Reader]>([])

    private static let keptReaders = 4

    init(_ file: ReadOnlyFile) {
        self.file = file
    }

    /// Calls `body` with a connection that no other thread uses, and returns the connection's counts.
    ///
    /// - Throws: `StoreError` with `busy` if this read may have seen part of another process's write.
    func read<Result>(
        _ counted: (ConnectionCounts) -> Void, _ body: (Connection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let reader = try take()
        defer { counted(reader.connection.takeCounts()) }
        do throws(StoreError) {
            let result = try body(reader.connection)
            if file.mayBeTorn(reader.access, since: reader.state) { throw file.torn }
            idle.withLock { if $0.count < Self.keptReaders { $0.append(reader) } }
            return result
        } catch {
            throw file.mayBeTorn(reader.access, since: reader.state) ? file.torn : error
        }
    }

    private func take() throws(StoreError) -> Reader {
        let deadline = DispatchTime.now() + .milliseconds(file.options.busyTimeoutMilliseconds)
        var obstacle = file.torn
        while true {
            let state = file.state
            // The outdated connections are closed after the lock is released.
            let (known, outdated) = idle.withLock { idle in
                let isOutdated = idle.map { !file.isCurrent($0.access, openedIn: $0.state, state) }
                let outdated = zip(idle, isOutdated).filter(\.1).map(\.0)
                idle = zip(idle, isOutdated).filter { !$0.1 }.map(\.0)
                return (idle.popLast(), outdated)
            }
            withExtendedLifetime(outdated) {}
            // Later stamps are compared with the state at the start of this read.
            if let known { return Reader(connection: known.connection, access: known.access, state: state) }
            do throws(StoreError) {
                let (connection, access) = try file.connection(state)
                // A process may have opened or closed the file meanwhile, or have left no place in its log for this
                // one.
                try connection.touch()
                if file.state == state || access == .sharedIndex || access == .locked {
                    return Reader(connection: connection, access: access, state: state)
                }
            } catch {
                // The process that wrote the journal may still be writing, or may have ended.
                let found = state.hasJournal && error.isReadOnly ? file.wantsRollback : error
                guard file.state != state || error.isPassing else { throw found }
                obstacle = found
            }
            if DispatchTime.now() >= deadline { throw obstacle }
            usleep(1_000)
        }
    }

    func close() {
        let closed = idle.exchange([])
        withExtendedLifetime(closed) {}
    }
}

extension Connection {
    /// Reads the file's first page, which reveals any obstacle to reading.
    fileprivate func touch() throws(StoreError) {
        let row = try statement("SELECT COUNT(*) FROM sqlite_master")
        defer { row.reset() }
        _ = try row.step()
    }
}

extension StoreError {
    fileprivate var isReadOnly: Bool { sqliteCode.map { $0 & 0xff == SQLITE_READONLY } ?? false }

    /// Whether the obstacle is a temporary use of the log's index: `SQLITE_READONLY_CANTLOCK` and similar codes.
    fileprivate var isPassing: Bool {
        guard let sqliteCode else { return false }
        return [SQLITE_READONLY, SQLITE_PROTOCOL, SQLITE_BUSY].contains(sqliteCode & 0xff)
            && sqliteCode != SQLITE_READONLY | (3 << 8)
    }
}

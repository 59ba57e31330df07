import CSQLite
import Dispatch
import Foundation
import Locking

/// One writer, and one reader for each concurrent fetch. In WAL mode, neither waits for the other.
final class ConnectionPool: Sendable {
    private struct State {
        /// The readers that are at rest, and the number of writes that each had seen when it was used last.
        var idleReaders: [(connection: Connection, writes: Int)] = []
        /// The number of writes that the pool made.
        var writes = 0
        /// The number of threads that wait for the writer.
        var waitingWriters = 0
        var isClosed = false
        var counts = ConnectionCounts()
        /// The log after the last write.
        var log = LogState()
        /// The number of commits of which all is written back.
        var writtenBack = 0
        /// Whether the disk failed to take what was written back. The log still has it, and is left as it is.
        var keepsLog = false
    }

    private let path: String
    private let options: SQLiteStoreOptions
    /// The file that the writer has open; nil if the file system cannot tell.
    private let identity: FileIdentity?
    /// Locked during a write.
    private let writer: Locked<Connection?>
    /// Writes the log back beside the writer; nil until that is first due.
    private let checkpointer = Locked<Connection?>(nil)
    private let state = Locked(State())
    /// The connections of a read-only file, which replace all others.
    private let readOnly: ReadOnlyConnections?

    private static let keptReaders = 4

    init(writer: Connection, options: SQLiteStoreOptions) {
        if options.walAutocheckpointPages > 0 { writer.takeOverCheckpoints(every: options.walAutocheckpointPages) }
        self.writer = Locked(writer)
        path = writer.path
        self.options = options
        identity = writer.hasMoved == false ? FileIdentity(path: writer.path) : nil
        readOnly = nil
    }

    init(_ file: ReadOnlyFile) {
        path = file.path
        options = file.options
        identity = nil
        writer = Locked(nil)
        readOnly = ReadOnlyConnections(file)
    }

    /// The size of each connection's cache.
    var cacheSizeKiB: Int { options.cacheSizeKiB }

    /// Calls `body` with the writer's connection, exclusively, and `end` when another thread may have it. Then the log
    /// is written back if it has grown long.
    func write<Result>(
        _ body: (Connection) throws(StoreError) -> Result, end: () -> Void = {}
    ) throws(StoreError) -> Result {
        let (result, isLogLong) = try exclusively(body, end: end)
        if isLogLong { writeBackLog() }
        return result
    }

    /// Calls `body` with the writer's connection, exclusively, and while no other one writes the log back: SQLite lets
    /// only one do so, and does not wait for it.
    func writeBack<Result>(
        _ body: (Connection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try checkpointer.withLock { _ throws(StoreError) in
            if state.withLock({ $0.keepsLog }) {
                throw StoreError(
                    .storeFailure,
                    "\(path): the disk has failed to take what was written back, so the log is kept; nothing is lost: "
                        + "check the disk, remove the store and add it again")
            }
            func checkpoint(_ connection: Connection) throws(StoreError) -> Result {
                let result = try body(connection)
                state.withLock { $0.writtenBack = connection.logState.commits }
                return result
            }
            return try exclusively(checkpoint, end: {}).0
        }
    }

    private func exclusively<Result>(
        _ body: (Connection) throws(StoreError) -> Result, end: () -> Void
    ) throws(StoreError) -> (Result, isLogLong: Bool) {
        defer { end() }
        func write(_ writer: inout Connection?) throws(StoreError) -> (Result, isLogLong: Bool) {
            guard let writer else { throw readOnly?.file.refusal ?? closed }
            let before = writer.logState.commits
            defer { noteWrite(by: writer, since: before) }
            let result = try body(writer)
            guard let limit = writer.checkpointPages, writer.logState.commits > before else { return (result, false) }
            return (result, writer.logState.pages >= limit)
        }
        // A save that comes alone does not wait, so no reader need know of it.
        if let done = try writer.withLockIfFree(write) { return done }
        state.withLock { $0.waitingWriters += 1 }
        return try writer.withLock { writer throws(StoreError) in
            state.withLock { $0.waitingWriters -= 1 }
            return try write(&writer)
        }
    }

    /// Does what SQLite would do after the commit, on another connection: the save that made the log long is delayed,
    /// and those that wait for the writer are not.
    ///
    /// It begins only if a commit is not written back yet. Then no save begins the log anew meanwhile: SQLite before
    /// 3.51.3 may lose pages if one does while a checkpoint begins on another connection.
    private func writeBackLog() {
        checkpointer.withLockIfFree { checkpointer in
            let (commits, isNeeded) = state.withLock { state in
                (state.log.commits, !state.isClosed && !state.keepsLog && state.log.commits > state.writtenBack)
            }
            if !isNeeded { return }
            if checkpointer == nil { checkpointer = try? openReader() }
            guard let checkpointer else {
                // Without another file, or memory, it is done as SQLite does it.
                return writer.withLock { finishWritingBack($0) }
            }
            // A reader may need what the file holds; then the rest is for a later save.
            guard let pages = checkpointer.writeBackLog() else { return }
            let isWhole = state.withLock { state in
                // A log of another length has a commit that is not noted yet.
                guard state.log == LogState(commits: commits, pages: pages) else { return false }
                state.writtenBack = commits
                return true
            }
            if isWhole { return }
            // Others have saved meanwhile, and while some always do, the log would grow forever: SQLite begins it anew
            // only if all of it is written back. So they wait for the rest, which is short once the disk has the file.
            if options.synchronous != .off, !checkpointer.syncFile() { return state.withLock { $0.keepsLog = true } }
            writer.withLock { finishWritingBack($0) }
        }
    }

    /// Writes the log back while no save can begin it anew.
    private func finishWritingBack(_ writer: Connection?) {
        guard let writer, writer.writeBackLog() != nil else { return }
        state.withLock { $0.writtenBack = writer.logState.commits }
    }

    /// Calls `body` with a connection that no other thread uses.
    ///
    /// After a write, the writer's connection alone has pages of the file in its cache; a reader drops all of its
    /// own, and reads them again. So a brief body, which finds a few rows, gets the writer if that is at rest and no
    /// reader has seen the last write. A thread that writes meanwhile waits for it. It must not call foreign code.
    func read<Result>(
        briefly isBrief: Bool, _ body: (Connection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        guard isBrief, readOnly == nil else { return try read(body) }
        let prefersWriter = state.withLock { state in
            state.waitingWriters == 0 && !state.idleReaders.contains { $0.writes == state.writes }
        }
        if prefersWriter {
            let result = try writer.withLockIfFree { writer throws(StoreError) -> Result in
                guard let writer else { throw closed }
                defer { add(writer.takeCounts()) }
                return try body(writer)
            }
            if let result { return result }
        }
        return try read(body)
    }

    /// Calls `body` with a reader that no other thread uses.
    func read<Result>(_ body: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        if let readOnly {
            if state.withLock({ $0.isClosed }) { throw closed }
            return try readOnly.read(add, body)
        }
        let (reader, writes) = try takeReader()
        defer { giveBack(reader, writes) }
        return try body(reader)
    }

    /// Returns a reader, and the number of writes that it will have seen.
    private func takeReader() throws(StoreError) -> (Connection, writes: Int) {
        let (idle, writes, closed) = state.withLock { state in
            // One that has seen the last write has pages in its cache.
            let place = state.idleReaders.lastIndex { $0.writes == state.writes } ?? state.idleReaders.indices.last
            return (place.map { state.idleReaders.remove(at: $0) }, state.writes, state.isClosed)
        }
        if closed { throw self.closed }
        if let idle { return (idle.connection, writes) }
        return (try openReader(), writes)
    }

    /// Opens a reader. Another file may have replaced the writer's by now; the pool does not touch it.
    private func openReader() throws(StoreError) -> Connection {
        guard let identity else { return try connect() }
        guard FileIdentity(path: path) == identity else { throw StoreError.moved(path) }
        let reader = try connect()
        guard FileIdentity(path: path) == identity, reader.hasMoved != true else { throw StoreError.moved(path) }
        return reader
    }

    private func giveBack(_ reader: Connection, _ writes: Int) {
        let counts = reader.takeCounts()
        state.withLock { state in
            state.counts += counts
            if !state.isClosed, state.idleReaders.count < Self.keptReaders {
                state.idleReaders.append((reader, writes))
            }
        }
    }

    private func add(_ counts: ConnectionCounts) {
        state.withLock { $0.counts += counts }
    }

    private func noteWrite(by writer: Connection, since commits: Int) {
        let counts = writer.takeCounts()
        state.withLock { state in
            state.counts += counts
            state.writes += 1
            if writer.checkpointPages != nil, writer.logState.commits > commits { state.log = writer.logState }
        }
    }

    var statistics: StoreStatistics { state.withLock { $0.counts.statistics } }
    func resetStatistics() { state.withLock { $0.counts = ConnectionCounts() } }

    /// Closes all connections. A fetch in progress keeps its connection until its end.
    func close() {
        // The connections are released after the locks: closing the last one writes the log back.
        let readers = state.withLock { state in
            defer { (state.isClosed, state.idleReaders) = (true, []) }
            return state.idleReaders
        }
        readOnly?.close()
        let (checkpointer, writer) = (checkpointer.exchange(nil), writer.exchange(nil))
        if state.withLock({ $0.keepsLog }) {
            // The next one who opens the file writes all of the log back, not only what is left.
            for connection in readers.map(\.connection) + [checkpointer, writer].compactMap({ $0 }) {
                connection.writesLogBack = false
            }
        }
        withExtendedLifetime((readers, checkpointer, writer)) {}
    }

    private var closed: StoreError {
        StoreError(.noStore, "\(path) was removed from its coordinator; add the store again")
    }

    private func connect() throws(StoreError) -> Connection {
        let connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE, options: options)
        try Self.configure(connection, options)
        return connection
    }

    /// Configures a connection with the options of the store, and switches a file that is in another mode to WAL mode.
    static func configure(_ connection: Connection, _ options: SQLiteStoreOptions) throws(StoreError) {
        try connection.execute("PRAGMA page_size=\(options.pageSizeBytes)")
        try switchToWAL(connection, options)
        try connection.execute(
            """
            PRAGMA synchronous=\(options.synchronous.rawValue); \
            PRAGMA cache_size=-\(options.cacheSizeKiB); PRAGMA mmap_size=\(options.mmapSizeBytes); \
            PRAGMA wal_autocheckpoint=\(options.walAutocheckpointPages)
            """)
    }

    /// Retries here, since SQLite does not apply its busy timeout when two processes create the same file at once.
    private static func switchToWAL(_ connection: Connection, _ options: SQLiteStoreOptions) throws(StoreError) {
        let deadline = DispatchTime.now() + .milliseconds(options.busyTimeoutMilliseconds)
        while true {
            do {
                return try connection.execute("PRAGMA journal_mode=WAL")
            } catch {
                guard error.code == .busy, DispatchTime.now() < deadline else { throw error }
                usleep(1_000)
            }
        }
    }
}

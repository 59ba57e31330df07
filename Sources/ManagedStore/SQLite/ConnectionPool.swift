import CSQLite
import Dispatch
import Foundation

/// One writer, and as many readers as there are fetches at a time: in WAL, neither waits for the other.
final class ConnectionPool: @unchecked Sendable {
    // Unchecked: everything that can change is only touched with one of the two locks held.
    private let path: String
    private let options: SQLiteStoreOptions
    /// The file that the writer has open; nil under a file system that does not say.
    private let identity: FileIdentity?
    private let writerLock = Lock()
    private var writer: Connection?
    private let lock = Lock()
    private var idleReaders: [Connection] = []
    private var isClosed = false
    private var counts = StoreStatistics()
    /// In the place of all others when the file is only read.
    private let readOnly: ReadOnlyConnections?

    private static let keptReaders = 4

    init(writer: Connection, options: SQLiteStoreOptions) {
        self.writer = writer
        path = writer.path
        self.options = options
        identity = writer.hasMoved == false ? FileIdentity(path: writer.path) : nil
        readOnly = nil
    }

    init(_ file: ReadOnlyFile) {
        path = file.path
        options = file.options
        identity = nil
        readOnly = ReadOnlyConnections(file)
    }

    /// Runs `body` on the writer's connection, alone.
    func write<Result>(_ body: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        writerLock.lock()
        defer { writerLock.unlock() }
        guard let writer else { throw readOnly?.file.refusal ?? closed }
        defer { add(writer.takeStatistics()) }
        return try body(writer)
    }

    /// Runs `body` on a reader of its own.
    func read<Result>(_ body: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        if let readOnly {
            if lock.withLock({ isClosed }) { throw closed }
            return try readOnly.read(add, body)
        }
        let reader = try takeReader()
        defer { giveBack(reader) }
        return try body(reader)
    }

    private func takeReader() throws(StoreError) -> Connection {
        let (idle, closed) = lock.withLock { (idleReaders.popLast(), isClosed) }
        if closed { throw self.closed }
        return if let idle { idle } else { try openReader() }
    }

    /// Another file may stand in the place of the writer's by now, and is not touched.
    private func openReader() throws(StoreError) -> Connection {
        guard let identity else { return try connect() }
        guard FileIdentity(path: path) == identity else { throw StoreError.moved(path) }
        let reader = try connect()
        guard FileIdentity(path: path) == identity, reader.hasMoved != true else { throw StoreError.moved(path) }
        return reader
    }

    private func giveBack(_ reader: Connection) {
        let counts = reader.takeStatistics()
        lock.withLock {
            self.counts = self.counts + counts
            if !isClosed, idleReaders.count < Self.keptReaders { idleReaders.append(reader) }
        }
    }

    private func add(_ counts: StoreStatistics) {
        lock.withLock { self.counts = self.counts + counts }
    }

    var statistics: StoreStatistics { lock.withLock { counts } }
    func resetStatistics() { lock.withLock { counts = StoreStatistics() } }

    /// Closes all connections; a fetch under way keeps its own until it is done.
    func close() {
        // What closes a connection is let go of when the locks are released: the last one writes the log back.
        let readers = lock.withLock {
            defer { (isClosed, idleReaders) = (true, []) }
            return idleReaders
        }
        readOnly?.close()
        let writer = writerLock.withLock {
            defer { self.writer = nil }
            return self.writer
        }
        withExtendedLifetime((readers, writer)) {}
    }

    private var closed: StoreError { StoreError(.noStore, "\(path) was removed from its coordinator") }

    private func connect() throws(StoreError) -> Connection {
        let connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE, options: options)
        try Self.configure(connection, options)
        return connection
    }

    /// Gives a connection the options of the store, and a file that is not in WAL mode that mode.
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

    /// SQLite does not wait for its busy timeout here, where two who make the same file at once get into each other's
    /// way.
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

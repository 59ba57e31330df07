import CSQLite
import Foundation

/// What the write-ahead log of a connection has.
struct LogState: Equatable {
    /// The number of commits that wrote it.
    var commits = 0
    /// The length after the last one, in pages.
    var pages = 0
}

/// One connection to a SQLite file, used by one thread at a time. The pool and the writer's lock ensure this.
final class Connection: @unchecked Sendable {
    // Unchecked: handed between threads under a lock; only `interrupt()` may be called from any thread.
    let handle: OpaquePointer
    let path: String
    private let logPath: String
    private var statements: [String: Statement] = [:]
    /// Those of every transaction, which are always kept.
    private var frame: TransactionFrame?
    /// Those of the statements that have keys.
    private var keyed: [StatementKey: Statement] = [:]
    private var counts = ConnectionCounts()
    /// Whether pages may have been written since the counts were taken.
    private var mayHaveWritten = false
    /// The kept statements that ran since the counts were taken. A program may keep hundreds, of which a save runs
    /// three.
    private var uncounted: ContiguousArray<Statement> = []
    /// The highest keys that this connection reserved last, by the numbers of root entities. A transaction that was
    /// rolled back, or another connection, may have left other ones in the file.
    var highestKeys: [Int: Int64] = [:]
    /// The connection's write-ahead log, once it exists.
    private var log: FileIdentity?
    /// The number of commits that wrote the log, and its length in pages after the last one, if the caller is to write
    /// it back.
    private(set) var logState = LogState()
    /// After how many pages it does; nil if SQLite itself does.
    private(set) var checkpointPages: Int?
    /// The limit on triggers; nil in a file without triggers.
    private var triggerLimit: TriggerLimit?
    /// The reports of the file's triggers on the rows that they changed.
    let reports = TriggerReports()

    /// The text of the cached statement that is longer than ``longText``. The cache holds at most one, as it takes
    /// megabytes.
    private var long: String?

    private static let cachedStatements = 200
    /// The limit in bytes.
    private static let longText = 1 << 16

    /// A promise to SQLite, with which it reads a file without changing anything beside it.
    enum Promise: String {
        /// No process writes the file meanwhile; SQLite ignores logs and journals.
        case immutable = "immutable=1"
        /// The index of the write-ahead log exists and stays unchanged.
        case keepsIndex = "readonly_shm=1"
        /// No other process has the file open: SQLite takes no locks, and may keep an index of the log in memory.
        case ownsIndex = "vfs=unix-none"
    }

    /// Opens the file at `path` with the file system and the busy timeout of the options.
    init(path: String, flags: Int32, options: SQLiteStoreOptions, promise: Promise? = nil) throws(StoreError) {
        var handle: OpaquePointer?
        let name = promise.map { URL(filePath: path).absoluteString + "?\($0.rawValue)" } ?? path
        let flags = flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | (promise == nil ? 0 : SQLITE_OPEN_URI)
        let code = sqlite3_open_v2(name, &handle, flags, options.fileSystem)
        guard code == SQLITE_OK, let handle else {
            let reason = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(handle)
            throw StoreError(
                .storeFailure, "\(path) cannot be opened: \(reason); check the permissions of the file and its folder",
                storeCode: .sqlite(code))
        }
        self.handle = handle
        self.path = path
        logPath = path + "-wal"
        Self.distrustSchema(handle)
        sqlite3_busy_timeout(handle, Int32(clamping: options.busyTimeoutMilliseconds))
        // A library that rejects a function would fail later, in every request that needs it.
        let registered = SQLFunctions.register(on: handle) | reports.register(on: handle)
        if registered != SQLITE_OK { throw error(registered, sql: nil) }
    }

    private static let longestPattern: Int32 = 256

    /// Restricts the schema, which is the work of the file's author. Views cannot be read; triggers run as far as
    /// ``SchemaCode`` allows.
    private static func distrustSchema(_ handle: OpaquePointer) {
        csqlite_configure(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
        csqlite_configure(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        csqlite_configure(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0)
        sqlite3_limit(handle, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, longestPattern)
    }

    /// Whether closing the connection, if it is the last one, writes the write-ahead log back to the file, as is the
    /// default.
    var writesLogBack = true {
        didSet { csqlite_configure(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, writesLogBack ? 0 : 1) }
    }

    deinit {
        (statements, keyed, frame, uncounted) = ([:], [:], nil, [])
        sqlite3_close_v2(handle)
    }

    /// Returns a prepared statement, reset and without bindings. Equal SQL returns the same statement.
    func statement(_ sql: String) throws(StoreError) -> Statement {
        if let statement = statements[sql] {
            statement.prepareForUse()
            return statement
        }
        let statement = try Statement(sql, on: self)
        if statements.count >= Self.cachedStatements { forgetStatements() }
        if sql.utf8.count > Self.longText { keepAsTheOnlyLong(sql) }
        statement.isCounted = true
        statement.prepareForUse()
        statements[sql] = statement
        return statement
    }

    /// Returns the statement with a key, as ``statement(_:)`` does; `text` is called for the first one alone.
    func statement(_ key: StatementKey, _ text: () -> String) throws(StoreError) -> Statement {
        if let statement = keyed[key] {
            statement.prepareForUse()
            return statement
        }
        let statement = try statement(text())
        keyed[key] = statement
        return statement
    }

    private func forgetStatements() {
        (statements, keyed, long) = ([:], [:], nil)
    }

    private func keepAsTheOnlyLong(_ sql: String) {
        if let long, let other = statements.removeValue(forKey: long) {
            keyed = keyed.filter { $0.value !== other }
        }
        long = sql
    }

    /// Executes SQL that returns no rows.
    func execute(_ sql: String) throws(StoreError) {
        counts.statements += 1
        mayHaveWritten = true
        triggerLimit?.begin(isWriting: false)
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw error(code, sql: sql) }
    }

    /// Executes one statement without rows. It may be text of the file: more statements behind it are not executed.
    func run(_ sql: String) throws(StoreError) { try Statement(sql, on: self).run() }

    /// Drops an index of the file. Its name may contain quotes.
    func dropIndex(_ name: String) throws(StoreError) {
        try run("DROP INDEX IF EXISTS \"\(name.replacing("\"", with: "\"\""))\"")
    }

    /// Calls `body` in a transaction that holds the write lock from its start; rolls back if it throws.
    func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        let frame = try transactionFrame()
        undo(by: frame.rollback)
        try frame.begin.run()
        triggerLimit?.beginTransaction()
        do {
            let result = try body()
            try checkIsInPlace()
            try frame.commit.run()
            return result
        } catch {
            undo(by: frame.rollback)
            throw error
        }
    }

    private struct TransactionFrame {
        let begin: Statement
        let commit: Statement
        let rollback: Statement
    }

    /// Returns the statements of a transaction. They are prepared in advance, since an out-of-memory error could
    /// prevent it later.
    private func transactionFrame() throws(StoreError) -> TransactionFrame {
        if let frame { return frame }
        let frame = TransactionFrame(
            begin: try Statement("BEGIN IMMEDIATE", on: self), commit: try Statement("COMMIT", on: self),
            rollback: try Statement("ROLLBACK", on: self))
        for statement in [frame.begin, frame.commit] { statement.isCounted = true }
        self.frame = frame
        return frame
    }

    /// Calls `body` in a transaction in which all statements read the same state of the file.
    func snapshot<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        let end = try transactionFrame().rollback
        try statement("BEGIN").run()
        defer { undo(by: end) }
        return try body()
    }

    /// Calls `body` within a transaction. Returns nil if it throws: what it wrote is undone, and the transaction goes
    /// on.
    ///
    /// - Throws: `StoreError` if the transaction cannot go on, for example because the disk is full.
    func savepoint<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result? {
        let rows = counts.rows
        try statement(.savepoint) { "SAVEPOINT save" }.run()
        do {
            let result = try body()
            try statement(.release) { "RELEASE save" }.run()
            return result
        } catch {
            guard sqlite3_get_autocommit(handle) == 0 else { throw error }
            try statement(.rollbackToSavepoint) { "ROLLBACK TO save" }.run()
            try statement(.release) { "RELEASE save" }.run()
            counts.rows = rows
            return nil
        }
    }

    /// Rolls back unless an error, such as a full disk, has done so already.
    private func undo(by rollback: Statement) {
        guard sqlite3_get_autocommit(handle) == 0 else { return }
        sqlite3_step(rollback.handle)
        sqlite3_reset(rollback.handle)
    }

    /// The number of rows that the last statement changed.
    var changes: Int { Int(sqlite3_changes64(handle)) }

    /// Returns the error for rows that SQLite did not write although it reported no error.
    func unwritten(_ rows: String) -> StoreError {
        StoreError(
            .storeFailure,
            "\(path): \(rows) were not written, although SQLite reported no error: look for a trigger that "
                + "ignores them, and drop it; nothing was saved")
    }

    /// Interrupts the connection's current operation; callable from any thread.
    func interrupt() { sqlite3_interrupt(handle) }

    /// Returns the reason why a statement could not be prepared.
    func refusal(of sql: String, _ code: Int32) -> StoreError {
        guard code & 0xff == SQLITE_TOOBIG else { return error(code, sql: sql) }
        return StoreError(
            .invalidRequest,
            "the request takes \(sql.utf8.count) bytes of SQL, more than SQLite accepts; split it into parts",
            storeCode: .sqlite(code))
    }

    /// Returns the connection's most recent error.
    func error(_ code: Int32, sql: String?) -> StoreError {
        // SQLite's own `sqlite3_system_errno` is not set by a failed commit.
        let systemError = errno
        if code & 0xff == SQLITE_INTERRUPT, let triggerLimit, triggerLimit.wasReached { return triggerLimit.error }
        return StoreError.sqlite(
            code, String(cString: sqlite3_errmsg(handle)), path: path, sql: sql,
            systemError: systemError)
    }
}

// MARK: - The file

extension Connection {
    /// Has SQLite only count the commits and the pages of the log: the caller writes it back.
    ///
    /// - Parameter pages: After how many pages.
    func takeOverCheckpoints(every pages: Int) {
        checkpointPages = pages
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_wal_hook(
            handle,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
                connection.logState = LogState(commits: connection.logState.commits + 1, pages: Int(pages))
                return SQLITE_OK
            }, context)
    }

    /// Writes the log back to the file, as far as no reader needs what the file holds. It waits for nothing, and fails
    /// without harm: what is not written back stays in the log.
    ///
    /// - Returns: The length of the log at the beginning, in pages, if all of it is written back; otherwise nil.
    func writeBackLog() -> Int? {
        var (pages, written): (Int32, Int32) = (0, 0)
        let code = sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, &pages, &written)
        return code == SQLITE_OK && written == pages ? Int(pages) : nil
    }

    /// Waits until the disk has what is written back. Returns whether it does.
    func syncFile() -> Bool { csqlite_sync(handle) == SQLITE_OK }

    /// Whether the file is no longer at its path: it was renamed, removed or replaced. Nil if the file system cannot
    /// tell.
    var hasMoved: Bool? {
        var hasMoved: Int32 = 0
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK else { return nil }
        return hasMoved != 0
    }

    /// - Throws: `StoreError` with `storeFailure` if a process that opens the path would not find what this connection
    ///   writes.
    func checkIsInPlace() throws(StoreError) {
        switch hasMoved {
        case nil: return
        case true?: throw StoreError.moved(path)
        case false?: try checkLogIsInPlace()
        }
    }

    /// The log exists while a connection is open, unless a program other than SQLite removes it.
    private func checkLogIsInPlace() throws(StoreError) {
        let found = FileIdentity(path: logPath)
        guard let log else { return log = found }
        if found != log { throw StoreError.logMoved(path) }
    }

    /// Whether the file has triggers.
    var hasTriggers: Bool { triggerLimit != nil }

    /// Limits the cost of later statements that write, because the file has triggers.
    func limitTriggers() {
        if triggerLimit == nil { triggerLimit = TriggerLimit(handle, path: path) }
    }
}

// MARK: - Counting

extension Connection {
    /// Notes the start of a statement.
    @inline(__always) func begin(_ statement: Statement) {
        counts.statements += 1
        if statement.isWriting { mayHaveWritten = true }
        if statement.isCounted, !statement.hasRun { noteRun(of: statement) }
        triggerLimit?.begin(isWriting: statement.isWriting)
    }

    private func noteRun(of statement: Statement) {
        statement.hasRun = true
        uncounted.append(statement)
    }

    func countRows(_ rows: Int) { counts.rows += rows }
    func countConflicts(_ conflicts: Int) { counts.conflicts += conflicts }

    /// Adds SQLite's own counts.
    private func collect() {
        for statement in uncounted { counts.vmSteps += statement.takeSteps() }
        uncounted.removeAll(keepingCapacity: true)
        guard mayHaveWritten else { return }
        mayHaveWritten = false
        var (current, highest): (Int32, Int32) = (0, 0)
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &current, &highest, 1)
        counts.pagesWritten += Int(current)
    }

    /// Returns the counts since the last call.
    func takeCounts() -> ConnectionCounts {
        collect()
        defer { counts = ConnectionCounts() }
        return counts
    }
}

extension StoreError {
    /// Makes the error for a result code. `systemError` is the value of `errno` when the code occurred.
    static func sqlite(
        _ code: Int32, _ reason: String, path: String, sql: String?, systemError: Int32 = 0
    ) -> StoreError {
        switch code & 0xff {
        case SQLITE_ERROR where code == SQLFunctions.tooCostly:
            return StoreError(.invalidRequest, reason, sql: sql, storeCode: .sqlite(code))
        case SQLITE_BUSY, SQLITE_LOCKED:
            return StoreError(
                .busy, "\(path) is locked by another process for longer than the busy timeout; try again", sql: sql,
                storeCode: .sqlite(code))
        case SQLITE_FULL:
            return StoreError(
                .diskFull, "the disk is full: \(path) cannot grow; nothing was saved; free space and save again",
                sql: sql,
                storeCode: .sqlite(code))
        case SQLITE_INTERRUPT:
            return StoreError(.cancelled, "the fetch was cancelled", sql: sql, storeCode: .sqlite(code))
        case SQLITE_ERROR where isAboutSize(reason):
            return StoreError(
                .invalidRequest,
                "the request exceeds a limit of SQLite: \(reason); split it into parts, or nest it less deeply",
                sql: sql, storeCode: .sqlite(code))
        case SQLITE_TOOBIG:
            return StoreError(
                .storeFailure, "a value is longer than SQLite accepts: \(reason); store it in a separate file",
                sql: sql,
                storeCode: .sqlite(code))
        case SQLITE_ERROR:
            return StoreError(
                .storeFailure, "SQLite rejects a statement on \(path): \(reason)", sql: sql, storeCode: .sqlite(code))
        case SQLITE_CONSTRAINT where code == SQLITE_CONSTRAINT_UNIQUE:
            return StoreError(
                .constraintConflict, "\(path): values that must be unique exist already: \(reason); change them",
                sql: sql,
                storeCode: .sqlite(code))
        case SQLITE_NOTADB:
            return StoreError(
                .incompatibleStore,
                "\(path) is not a SQLite file, or is encrypted: \(reason); restore it, or decrypt it",
                sql: sql,
                storeCode: .sqlite(code))
        case SQLITE_CORRUPT:
            return StoreError(
                .incompatibleStore,
                "\(path) is damaged: \(reason); restore it from a copy, or save what can be read with sqlite3's .recover",
                sql: sql, storeCode: .sqlite(code))
        case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM:
            return StoreError(
                .storeFailure, "\(path) cannot be written: \(reason); check the permissions of the file and its folder",
                sql: sql, storeCode: .sqlite(code))
        case SQLITE_IOERR where isOutOfSpace(code, systemError):
            return StoreError(
                .diskFull,
                "\(path) cannot grow: the disk is full, or a quota or file-size limit is reached: \(reason); "
                    + "nothing was saved; free space and save again",
                sql: sql, storeCode: .sqlite(code))
        case SQLITE_IOERR:
            return StoreError(
                .storeFailure,
                "\(path) cannot be read or written: \(reason); nothing was saved: try again, and check the disk if "
                    + "that fails too",
                sql: sql, storeCode: .sqlite(code))
        case SQLITE_NOMEM:
            return StoreError(
                .storeFailure, "\(path): SQLite could not allocate memory; nothing was saved: free some, and try again",
                sql: sql,
                storeCode: .sqlite(code))
        default:
            return StoreError(.storeFailure, "\(path): \(reason)", sql: sql, storeCode: .sqlite(code))
        }
    }
}

extension StoreError {
    /// Whether the error means a full disk. SQLite reports `SQLITE_FULL` only for a full disk, and only from a write.
    private static func isOutOfSpace(_ code: Int32, _ systemError: Int32) -> Bool {
        [SQLITE_IOERR_WRITE, SQLITE_IOERR_FSYNC, SQLITE_IOERR_TRUNCATE, SQLITE_IOERR_SHMSIZE].contains(code)
            && [ENOSPC, EDQUOT, EFBIG].contains(systemError)
    }

    /// Whether SQLite rejects a statement because of its size rather than the content of the file.
    private static func isAboutSize(_ reason: String) -> Bool {
        ["parser stack overflow", "Expression tree is too large", "too many ", "at most "].contains {
            reason.contains($0)
        }
    }
}

/// Macros that contain an expression, which Swift does not import.
private let SQLITE_IOERR_WRITE = SQLITE_IOERR | (3 << 8)
private let SQLITE_IOERR_FSYNC = SQLITE_IOERR | (4 << 8)
private let SQLITE_IOERR_TRUNCATE = SQLITE_IOERR | (6 << 8)
private let SQLITE_IOERR_SHMSIZE = SQLITE_IOERR | (19 << 8)
private let SQLITE_CONSTRAINT_UNIQUE = SQLITE_CONSTRAINT | (8 << 8)

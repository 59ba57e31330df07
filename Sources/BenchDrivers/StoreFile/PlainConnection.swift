import BenchHarness
import CSQLite
import Foundation

/// One connection to a store file.
///
/// It is opened without SQLite's own mutex, like all connections of the drivers: its owner must ensure that only one
/// thread at a time uses it.
///
/// Unchecked for that reason: a session gives each connection to one queue, thread or lock. ``interrupt()`` is the only
/// call from elsewhere, and SQLite documents it as safe from any thread while the connection is open.
package final class PlainConnection: @unchecked Sendable {
    let handle: OpaquePointer
    /// Saves refused because another writer had changed a record.
    var conflicts = 0
    private let counts = StatementCounts()
    /// The statements that are prepared once, by name.
    private var keptStatements: [String: PlainStatement] = [:]
    private var changesBefore: Int64 = 0
    private var isOpen = true

    /// Opens `file` with SQLite's own defaults. Creation requires a flag, so that a typo does not create a store.
    ///
    /// - Parameter fileSystem: The name of SQLite's file system; nil for the system's.
    package convenience init(file: URL, flags: Int32, fileSystem: String? = nil) throws {
        try self.init(name: file.path, flags: flags, fileSystem: fileSystem)
    }

    /// Opens the file that SQLite knows by `name`: a path, or with `SQLITE_OPEN_URI` a URI too.
    init(name: String, flags: Int32, fileSystem: String? = nil) throws {
        var handle: OpaquePointer?
        let flags = flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let result = sqlite3_open_v2(name, &handle, flags, fileSystem)
        guard result == SQLITE_OK, let handle else {
            defer { sqlite3_close_v2(handle) }
            let failure = DriverError(resultCode: result, handle: handle)
            throw DriverError(failure.code, "cannot open \(name): \(failure.message)")
        }
        self.handle = handle
    }

    deinit {
        if isOpen { sqlite3_close_v2(handle) }
    }

    /// Closes the connection now. An unfinished statement is a programming error and makes the call fail.
    func close() throws {
        guard isOpen else { return }
        keptStatements = [:]
        let result = sqlite3_close(handle)
        guard result == SQLITE_OK else { throw DriverError(resultCode: result, handle: handle) }
        isOpen = false
    }

    /// Makes every running statement of this connection stop soon.
    func interrupt() { sqlite3_interrupt(handle) }

    func prepare(_ sql: String) throws -> PlainStatement { try PlainStatement(sql, on: self, counts) }

    /// Returns the statement with this text, ready to bind and run. It is prepared at its first use, and kept.
    func kept(_ sql: String) throws -> PlainStatement { try kept(sql, sql: sql) }

    /// Returns the statement with this name, whose text is composed at its first use only.
    func kept(_ name: String, sql: @autoclosure () -> String) throws -> PlainStatement {
        if let statement = keptStatements[name] {
            statement.reset()
            return statement
        }
        let statement = try prepare(sql())
        keptStatements[name] = statement
        return statement
    }

    /// Runs a statement to its end, and skips its rows.
    func execute(_ sql: String, _ bindings: [FieldValue] = []) throws {
        let statement = try prepare(sql)
        try statement.bind(bindings)
        while try statement.step() {}
    }

    /// Returns the first column of the first row, or nil if there is no row.
    package func integer(_ sql: String, _ bindings: [FieldValue] = []) throws -> Int64? {
        let statement = try prepare(sql)
        try statement.bind(bindings)
        return try statement.step() ? statement.int64(0) : nil
    }

    /// Runs `body` in a write transaction, which is rolled back after an error.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try kept("BEGIN IMMEDIATE").run()
        do {
            let result = try body()
            try kept("COMMIT").run()
            return result
        } catch {
            // Some failures, such as a full disk, have ended the transaction already. An error of the rollback would
            // only hide the first error.
            if !isAutocommitting { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// Whether no transaction is open.
    var isAutocommitting: Bool { sqlite3_get_autocommit(handle) != 0 }

    /// The number of rows that the latest INSERT, UPDATE or DELETE changed.
    var changes: Int { Int(sqlite3_changes64(handle)) }
}

// MARK: Exact counts

extension PlainConnection {
    /// The counters since ``resetCounters()``, for statements that are kept or were finalised.
    var counters: StoreCounters {
        for statement in keptStatements.values { statement.addCounts() }
        return StoreCounters(
            statements: counts.statements, vmSteps: counts.vmSteps,
            rows: counts.rows + Int(sqlite3_total_changes64(handle) - changesBefore),
            pagesWritten: pagesWritten(reset: false), conflicts: conflicts)
    }

    func resetCounters() {
        for statement in keptStatements.values { statement.addCounts() }
        counts.reset()
        conflicts = 0
        changesBefore = sqlite3_total_changes64(handle)
        _ = pagesWritten(reset: true)
    }

    private func pagesWritten(reset: Bool) -> Int {
        var current: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &current, &highest, reset ? 1 : 0)
        return Int(current)
    }
}

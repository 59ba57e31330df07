import BenchHarness
import CSQLite
import Foundation

/// A prepared statement, finalised when it is released. Parameters and columns have SQLite's numbers: from 1 and from
/// 0.
final class PlainStatement {
    let handle: OpaquePointer
    private let connection: OpaquePointer
    private let sql: String
    private let counts: StatementCounts
    private var rows = 0
    /// Unchecked for exclusive access, which each binding would pay for: one thread at a time uses a statement.
    @exclusivity(unchecked) fileprivate var bytes = BoundBytes()

    fileprivate static let transient = csqlite_transient()
    fileprivate static let constant = csqlite_static()

    init(_ sql: String, on connection: PlainConnection, _ counts: StatementCounts) throws {
        var handle: OpaquePointer?
        let result = sqlite3_prepare_v3(connection.handle, sql, -1, 0, &handle, nil)
        guard result == SQLITE_OK, let handle else {
            throw DriverError(resultCode: result, handle: connection.handle, sql: sql)
        }
        self.handle = handle
        self.connection = connection.handle
        self.sql = sql
        self.counts = counts
    }

    deinit {
        addCounts()
        sqlite3_finalize(handle)
    }

    /// Adds the statement's counters to those of its connection, and sets them to zero. SQLite counts runs and steps
    /// anyway; reading them at the end costs the loop nothing.
    func addCounts() {
        counts.add(
            statements: sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_RUN, 1),
            vmSteps: sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 1), rows: rows)
        rows = 0
    }

    /// The number of rows that the connection's latest INSERT, UPDATE or DELETE changed.
    var changes: Int { Int(sqlite3_changes64(connection)) }

    /// Steps; returns true for a row, false at the end.
    @inline(__always)
    func step() throws -> Bool {
        let result = sqlite3_step(handle)
        if result == SQLITE_ROW { return true }
        if result == SQLITE_DONE { return false }
        throw failure(result)
    }

    /// Runs a statement without rows, and resets it for the next run.
    @inline(__always)
    func run() throws {
        _ = try step()
        reset()
    }

    /// Prepares the statement for its next run, for which every parameter must be bound again.
    @inline(__always)
    func reset() {
        sqlite3_reset(handle)
        bytes.forget()
    }

    /// Counts rows that were read. Call it at the end of a loop: counting each row in ``step()`` would cost measurable
    /// time.
    func didRead(_ rows: Int) { self.rows += rows }

    private func failure(_ result: Int32) -> DriverError {
        let error = DriverError(resultCode: result, handle: connection, sql: sql)
        sqlite3_reset(handle)
        return error
    }
}

// MARK: Parameters

extension PlainStatement {
    @inline(__always)
    func bind(_ value: Int64, at index: Int32) throws { try check(sqlite3_bind_int64(handle, index, value)) }

    @inline(__always)
    func bind(_ value: Double, at index: Int32) throws { try check(sqlite3_bind_double(handle, index, value)) }

    @inline(__always)
    func bind(_ value: Bool, at index: Int32) throws { try check(sqlite3_bind_int(handle, index, value ? 1 : 0)) }

    func bindNull(at index: Int32) throws { try check(sqlite3_bind_null(handle, index)) }

    /// Binds a string, for the next run.
    @inline(__always)
    func bind(_ value: String, at index: Int32) throws {
        var value = value
        try check(value.withUTF8 { bindText(UnsafeRawBufferPointer($0), at: index) })
    }

    @inline(__always)
    private func bindText(_ text: UnsafeRawBufferPointer, at index: Int32) -> Int32 {
        guard let start = text.baseAddress else { return sqlite3_bind_text(handle, index, "", 0, nil) }
        let place = bytes.keep(text)
        return sqlite3_bind_text(
            handle, index, (place.map { UnsafeRawPointer($0) } ?? start).assumingMemoryBound(to: CChar.self),
            Int32(text.count), place == nil ? PlainStatement.transient : PlainStatement.constant)
    }

    /// Binds bytes, for the next run.
    func bind(_ value: Data, at index: Int32) throws {
        // A blob at address zero would be NULL.
        guard !value.isEmpty else { return try check(sqlite3_bind_zeroblob(handle, index, 0)) }
        try check(
            value.withUnsafeBytes { blob in
                let place = bytes.keep(blob)
                return sqlite3_bind_blob64(
                    handle, index, place.map { UnsafeRawPointer($0) } ?? blob.baseAddress, UInt64(blob.count),
                    place == nil ? PlainStatement.transient : PlainStatement.constant)
            })
    }

    func bind(_ value: FieldValue, at index: Int32) throws {
        switch value {
        case .null: try bindNull(at: index)
        case .string(let value): try bind(value, at: index)
        case .bool(let value): try bind(value, at: index)
        case .date(let value), .double(let value): try bind(value, at: index)
        case .int64(let value): try bind(value, at: index)
        case .data(let value): try bind(value, at: index)
        }
    }

    /// Binds `values` to the parameters from `first` on; returns the number of the next parameter.
    @discardableResult
    func bind(_ values: [FieldValue], from first: Int32 = 1) throws -> Int32 {
        var index = first
        for value in values {
            try bind(value, at: index)
            index += 1
        }
        return index
    }

    @inline(__always)
    func check(_ result: Int32) throws {
        if result != SQLITE_OK { throw failure(result) }
    }
}

// MARK: Columns of the current row

extension PlainStatement: SQLRow {
    @inline(__always)
    func int64(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column)) }

    @inline(__always)
    func double(_ column: Int) -> Double { sqlite3_column_double(handle, Int32(truncatingIfNeeded: column)) }

    @inline(__always)
    func bool(_ column: Int) -> Bool { sqlite3_column_int(handle, Int32(truncatingIfNeeded: column)) != 0 }

    @inline(__always)
    func isNull(_ column: Int) -> Bool { type(column) == SQLITE_NULL }

    @inline(__always)
    func type(_ column: Int) -> Int32 { sqlite3_column_type(handle, Int32(truncatingIfNeeded: column)) }

    func isStored(as type: FieldType, _ column: Int) -> Bool {
        switch type {
        case .string: self.type(column) == SQLITE_TEXT
        case .data: self.type(column) == SQLITE_BLOB
        case .bool, .int64: self.type(column) == SQLITE_INTEGER
        // A column of numeric affinity stores a whole number as an integer.
        case .date, .double: [SQLITE_INTEGER, SQLITE_FLOAT].contains(self.type(column))
        }
    }

    @inline(__always)
    func string(_ column: Int) -> String {
        let column = Int32(truncatingIfNeeded: column)
        // Typed bytes, because decoding raw ones takes a slower path in the library.
        let start = sqlite3_column_text(handle, column)
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the bytes of a text; they belong to SQLite and are valid until the next step.
    @inline(__always)
    func utf8(_ column: Int) -> UnsafeRawBufferPointer {
        let column = Int32(truncatingIfNeeded: column)
        let start = sqlite3_column_text(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    /// Returns the bytes of a blob; they belong to SQLite and are valid until the next step.
    @inline(__always)
    func blob(_ column: Int) -> UnsafeRawBufferPointer {
        let column = Int32(truncatingIfNeeded: column)
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }
}

import BenchHarness
import CSQLite
import Foundation

/// A prepared statement, finalised when it is released. Parameters and columns have SQLite's numbers: from 1 and from
/// 0.
final class PlainStatement {
    let handle: OpaquePointer
    let connection: PlainConnection
    private let sql: String
    private var rows = 0

    fileprivate static let transient = csqlite_transient()

    init(_ sql: String, on connection: PlainConnection) throws {
        var handle: OpaquePointer?
        let result = sqlite3_prepare_v3(connection.handle, sql, -1, 0, &handle, nil)
        guard result == SQLITE_OK, let handle else {
            throw DriverError(resultCode: result, handle: connection.handle, sql: sql)
        }
        self.handle = handle
        self.connection = connection
        self.sql = sql
    }

    /// Adds the statement's counters. SQLite counts runs and steps anyway; reading them at the end costs the loop
    /// nothing.
    deinit {
        connection.record(
            statements: sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_RUN, 0),
            vmSteps: sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 0), rows: rows)
        sqlite3_finalize(handle)
    }

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

    @inline(__always)
    func reset() { sqlite3_reset(handle) }

    /// Counts rows that were read. Call it at the end of a loop: counting each row in ``step()`` would cost measurable
    /// time.
    func didRead(_ rows: Int) { self.rows += rows }

    private func failure(_ result: Int32) -> DriverError {
        let error = DriverError(resultCode: result, handle: connection.handle, sql: sql)
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

    /// Binds a string; SQLite copies it.
    @inline(__always)
    func bind(_ value: String, at index: Int32) throws {
        var value = value
        try check(
            value.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    guard let start = $0.baseAddress else { return sqlite3_bind_text(handle, index, "", 0, nil) }
                    return sqlite3_bind_text(handle, index, start, Int32($0.count), PlainStatement.transient)
                }
            })
    }

    /// Binds bytes; SQLite copies them.
    func bind(_ value: Data, at index: Int32) throws {
        // A blob at address zero would be NULL.
        guard !value.isEmpty else { return try check(sqlite3_bind_zeroblob(handle, index, 0)) }
        try check(
            value.withUnsafeBytes {
                sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), PlainStatement.transient)
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

extension PlainStatement {
    @inline(__always)
    func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    @inline(__always)
    func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    @inline(__always)
    func bool(_ column: Int32) -> Bool { sqlite3_column_int(handle, column) != 0 }

    @inline(__always)
    func isNull(_ column: Int32) -> Bool { type(column) == SQLITE_NULL }

    @inline(__always)
    func type(_ column: Int32) -> Int32 { sqlite3_column_type(handle, column) }

    @inline(__always)
    func string(_ column: Int32) -> String {
        // Typed bytes, because decoding raw ones takes a slower path in the library.
        let start = sqlite3_column_text(handle, column)
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the bytes of a text; they belong to SQLite and are valid until the next step.
    @inline(__always)
    func utf8(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_text(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    /// Returns the bytes of a blob; they belong to SQLite and are valid until the next step.
    @inline(__always)
    func blob(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }
}

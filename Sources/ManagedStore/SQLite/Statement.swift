import CSQLite
import Foundation

/// A prepared statement of one connection. Parameters count from 1, columns from 0, as in SQLite.
final class Statement {
    let handle: OpaquePointer
    let sql: String
    private unowned let connection: Connection
    let isWriting: Bool
    private var isRunning = false
    /// Whether the connection counts the statement's work.
    @exclusivity(unchecked) var isCounted = false
    /// Whether it has run since its work was counted.
    @exclusivity(unchecked) var hasRun = false
    /// The reason why a value was not bound, which SQLite then treats as null: SQLite could not allocate memory, or the
    /// value is too long.
    private var bindingCode = SQLITE_OK
    /// Whether parameters may have values.
    @exclusivity(unchecked) private var hasBindings = false
    /// The fields whose values a statement that changes rows takes, once it was used.
    @exclusivity(unchecked) var writtenFields: [RunWriter.WrittenField]?
    /// The bytes outside of the rows that the last few rows had: see ``RowDecoder``.
    @exclusivity(unchecked) var arenaByteCount = 0
    /// The distance of a row's values, once it was measured: see ``ColumnValues``.
    @exclusivity(unchecked) var valueDistance: Int?

    init(_ sql: String, on connection: Connection) throws(StoreError) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else { throw connection.refusal(of: sql, code) }
        self.handle = handle
        self.sql = sql
        isWriting = sqlite3_stmt_readonly(handle) == 0
        self.connection = connection
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Prepares the statement for new bindings and another run. Its user calls it before and afterwards, so it does
    /// nothing twice.
    func reset() {
        if isRunning { sqlite3_reset(handle) }
        if hasBindings { sqlite3_clear_bindings(handle) }
        (isRunning, hasBindings, bindingCode) = (false, false, SQLITE_OK)
    }

    /// Prepares the statement for a user who will bind values.
    func prepareForUse() {
        reset()
        hasBindings = true
    }

    /// Moves to the next row; returns false after the last.
    @inline(__always) func step() throws(StoreError) -> Bool {
        if !isRunning {
            hasBindings = true
            if bindingCode != SQLITE_OK { throw bindingError() }
            isRunning = true
            connection.begin(self)
        }
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        isRunning = false
        // Reset at once, since a statement keeps its read transaction or its failure until then.
        sqlite3_reset(handle)
        if code == SQLITE_DONE { return false }
        throw connection.error(code, sql: sql)
    }

    /// Counts rows that were read. Call it at the end of a loop: it costs nothing there.
    func didRead(_ rows: Int) { connection.countRows(rows) }

    /// Returns the error to throw before the statement runs with a wrong value.
    private func bindingError() -> StoreError {
        defer { bindingCode = SQLITE_OK }
        return StoreError.sqlite(
            bindingCode, String(cString: sqlite3_errstr(bindingCode)), path: connection.path, sql: sql)
    }

    /// Executes a statement without rows. It can be bound and executed again afterwards.
    @inline(__always) func run() throws(StoreError) {
        while try step() {}
    }

    /// Returns the steps of SQLite's virtual machine since the last call.
    func takeSteps() -> Int {
        hasRun = false
        return Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 1))
    }
}

// MARK: - Binding

extension Statement {
    @inline(__always) func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }
    @inline(__always) func bind(_ index: Int32, _ value: Double) { sqlite3_bind_double(handle, index, value) }
    @inline(__always) func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }

    func bind(_ index: Int32, _ value: StoredValue) {
        switch value.untyped {
        case .nothing: bindNull(index)
        case .bit(let value): bind(index, value ? 1 as Int64 : 0)
        case .integer(let value): bind(index, value)
        case .real(let value): bind(index, value)
        case .decimal(let value): bind(index, DecimalNumber(value))
        case .text(var value):
            value.withUTF8 { bytes in
                bindText(index, UnsafeRawBufferPointer(bytes), csqlite_transient())
            }
        case .bytes(let value):
            value.withUnsafeBytes { bindBlob(index, $0, csqlite_transient()) }
        case .reference(let value): bind(index, value.key)
        case .uuid(let value):
            withUnsafeBytes(of: value.uuid) { bindBlob(index, $0, csqlite_transient()) }
        }
    }

    @inline(__always) private func bind(_ index: Int32, _ value: DecimalNumber) {
        switch value {
        case .whole(let whole): bind(index, whole)
        case .real(let real): bind(index, real)
        }
    }

    /// Binds a row's value, whose bytes must not move until the statement has run.
    @inline(__always) func bind(_ index: Int32, _ field: RowField, of row: RowReference) {
        if field.isNull(in: row.row) { return bindNull(index) }
        switch field.storage {
        case .bit: bind(index, field.bool(in: row.row) ? 1 : 0 as Int64)
        case .int64: bind(index, row.row.load(fromByteOffset: field.offset, as: Int64.self))
        case .double: bind(index, row.row.load(fromByteOffset: field.offset, as: Double.self))
        case .text: bindText(index, row.bytes(field), csqlite_static())
        case .bytes: bindBlob(index, row.bytes(field), csqlite_static())
        case .int16: bind(index, Int64(row.row.load(fromByteOffset: field.offset, as: Int16.self)))
        case .int32: bind(index, Int64(row.row.load(fromByteOffset: field.offset, as: Int32.self)))
        case .float: bind(index, Double(row.row.load(fromByteOffset: field.offset, as: Float.self)))
        case .decimal: bind(index, DecimalNumber(field, of: row.row))
        case .reference: bind(index, row.row.load(fromByteOffset: field.offset, as: Int64.self))
        case .uuid:
            bindBlob(index, row.row.bytes(at: field.offset, count: 16), csqlite_static())
        }
    }

    /// Binds a value of an attribute that allows separate files, in the form that lies in the row: see
    /// ``ExternalData``.
    func bindExternal(_ index: Int32, _ field: RowField, of row: RowReference) {
        if field.isNull(in: row.row) { return bindNull(index) }
        ExternalData.inlineValue(row.bytes(field)).withUnsafeBytes { bindBlob(index, $0, csqlite_transient()) }
    }

    /// Binds the key that a to-one relationship refers to, with temporary keys replaced.
    func bind(_ index: Int32, _ field: RowField, of row: RowReference, _ keys: PermanentKeys) {
        guard let reference = field.reference(in: row.row) else { return bindNull(index) }
        let key = keys.permanent(reference.key)
        // An object that was discarded before the save has no key.
        if key == 0 { bindNull(index) } else { bind(index, key) }
    }

    /// Binds the number of the entity that a to-one relationship refers to. `numbers` holds those of the model's
    /// entities.
    func bindEntity(
        _ index: Int32, _ field: RowField, of row: RowReference, _ keys: PermanentKeys, _ numbers: [Int]
    ) {
        guard let reference = field.reference(in: row.row), keys.permanent(reference.key) != 0 else {
            return bindNull(index)
        }
        bind(index, Int64(numbers[Int(reference.entity)]))
    }

    @inline(__always) private func bindText(
        _ index: Int32, _ bytes: UnsafeRawBufferPointer, _ lifetime: sqlite3_destructor_type?
    ) {
        // A null pointer would bind NULL rather than an empty string.
        guard let start = bytes.baseAddress, bytes.count > 0 else {
            note(sqlite3_bind_text(handle, index, "", 0, csqlite_transient()))
            return
        }
        note(
            sqlite3_bind_text64(
                handle, index, start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), lifetime,
                UInt8(SQLITE_UTF8)))
    }

    @inline(__always) private func bindBlob(
        _ index: Int32, _ bytes: UnsafeRawBufferPointer, _ lifetime: sqlite3_destructor_type?
    ) {
        guard let start = bytes.baseAddress, bytes.count > 0 else {
            note(sqlite3_bind_zeroblob(handle, index, 0))
            return
        }
        note(sqlite3_bind_blob64(handle, index, start, UInt64(bytes.count), lifetime))
    }

    @inline(__always) private func note(_ code: Int32) {
        if code != SQLITE_OK { bindingCode = code }
    }
}

// MARK: - Columns

extension Statement {
    @inline(__always) func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
    @inline(__always) func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    /// Returns the storage class of a value: `SQLITE_INTEGER`, `SQLITE_FLOAT`, `SQLITE_TEXT`, `SQLITE_BLOB` or
    /// `SQLITE_NULL`.
    @inline(__always) func type(_ column: Int32) -> Int32 { sqlite3_column_type(handle, column) }

    @inline(__always) func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// Returns the bytes of text or a blob, valid until the next step.
    ///
    /// `sqlite3_column_blob` works for text as well; unlike `sqlite3_column_text`, it makes no copy to terminate the
    /// text.
    @inline(__always) func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        ColumnValue(handle: sqlite3_column_value(handle, column)).bytes
    }

    func string(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
}

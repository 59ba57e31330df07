import CSQLite

/// The values of a statement's current row, valid until the next step.
///
/// Each `sqlite3_column_…` call checks the statement and the column, and looks for an error: that takes twice as long
/// as what it is called for. SQLite computes a row in neighbouring registers, so that the distance of its first two
/// values leads to all others. SQLite doesn't promise so. Each statement therefore compares the places of all values
/// once, and asks for each value if they lie elsewhere.
struct ColumnValues {
    private let statement: OpaquePointer
    private let first: OpaquePointer?
    /// From one value to the next, in bytes; 0 if they don't lie side by side.
    private let distance: Int

    @inline(__always) fileprivate init(_ statement: OpaquePointer, distance: Int) {
        self.statement = statement
        self.distance = distance
        first = sqlite3_column_value(statement, 0)
    }

    @inline(__always) subscript(column: Int32) -> ColumnValue {
        guard distance != 0, let first else { return ColumnValue(handle: sqlite3_column_value(statement, column)) }
        return ColumnValue(handle: OpaquePointer(UnsafeRawPointer(first) + Int(column) * distance))
    }

    /// Returns the key in the first column.
    ///
    /// - Throws: `StoreError` with `incompatibleStore` for a negative key, which in memory denotes a new object, and
    ///   for 0, which denotes no object.
    @inline(__always) func key(in table: String) throws(StoreError) -> Int64 { try self[0].int64.asKey(in: table) }
}

/// A value of a statement's current row, valid until the next step.
///
/// SQLite calls such a value unprotected, since another thread may use its connection. Connections here are confined
/// and opened without a mutex, for which SQLite makes no difference between the two kinds.
struct ColumnValue {
    fileprivate let handle: OpaquePointer?

    init(handle: OpaquePointer?) { self.handle = handle }

    /// The storage class: `SQLITE_INTEGER`, `SQLITE_FLOAT`, `SQLITE_TEXT`, `SQLITE_BLOB` or `SQLITE_NULL`.
    @inline(__always) var type: Int32 { sqlite3_value_type(handle) }
    @inline(__always) var isNull: Bool { type == SQLITE_NULL }
    @inline(__always) var int64: Int64 { sqlite3_value_int64(handle) }
    @inline(__always) var double: Double { sqlite3_value_double(handle) }

    /// The bytes of text or a blob.
    @inline(__always) var bytes: UnsafeRawBufferPointer {
        let start = sqlite3_value_blob(handle)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(handle)))
    }
}

extension Statement {
    /// The values of the current row.
    @inline(__always) var values: ColumnValues {
        ColumnValues(handle, distance: valueDistance ?? measureValueDistance())
    }

    /// Measures the distance of the current row's values.
    private func measureValueDistance() -> Int {
        let addresses = (0..<sqlite3_column_count(handle)).map { Int(bitPattern: sqlite3_column_value(handle, $0)) }
        let distances = zip(addresses.dropFirst(), addresses).map { $0 - $1 }
        let distance = distances.first ?? 0
        valueDistance = distances.allSatisfy { $0 == distance } ? distance : 0
        return valueDistance ?? 0
    }

    /// Returns the key in the first column, as the values' method does.
    @inline(__always) func key(in table: String) throws(StoreError) -> Int64 { try int64(0).asKey(in: table) }
}

extension Int64 {
    @inline(__always) fileprivate func asKey(in table: String) throws(StoreError) -> Int64 {
        guard self > 0 else { throw noKey(in: table) }
        return self
    }

    private func noKey(in table: String) -> StoreError {
        StoreError(
            .incompatibleStore,
            "table \(table) has a row with the key \(self), and keys are positive; give it another Z_PK, or delete it")
    }
}

import CSQLite

/// Registers SQL functions on a connection, and keeps whether all of them were taken.
struct FunctionRegistration {
    /// What SQLite calls for a row.
    typealias Code = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    let handle: OpaquePointer
    /// `SQLITE_OK`, or something else when a function was refused.
    private(set) var result = SQLITE_OK

    init(on handle: OpaquePointer) { self.handle = handle }

    /// Adds a function; with -1 arguments, it takes any number of them.
    mutating func add(_ name: String, _ arguments: Int32, flags: Int32 = SQLITE_DETERMINISTIC, _ code: Code) {
        result |= sqlite3_create_function_v2(
            handle, name, arguments, SQLITE_UTF8 | SQLITE_INNOCUOUS | flags, nil, code, nil, nil, nil)
    }

    /// Adds a function over the rows of a group.
    mutating func addAggregate(
        _ name: String, _ arguments: Int32, step: Code, finish: @convention(c) (OpaquePointer?) -> Void
    ) {
        let flags = SQLITE_UTF8 | SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC
        result |= sqlite3_create_function_v2(handle, name, arguments, flags, nil, nil, step, finish, nil)
    }
}

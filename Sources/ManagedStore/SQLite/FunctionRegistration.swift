import CSQLite

/// Registers SQL functions on a connection, and records whether SQLite accepted all of them.
struct FunctionRegistration {
    /// The code that SQLite calls for a row.
    typealias Code = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    let handle: OpaquePointer
    /// `SQLITE_OK`, or another code if SQLite rejected a function.
    private(set) var result = SQLITE_OK

    init(on handle: OpaquePointer) { self.handle = handle }

    /// Adds a function for this package's own statements; a file's schema cannot call it.
    mutating func add(_ name: String, _ arguments: Int32, _ code: Code) {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
        result |= sqlite3_create_function_v2(handle, name, arguments, flags, nil, code, nil, nil, nil)
    }

    /// Adds a function that a file's triggers may call; -1 arguments allow any number. The code gets `data` from
    /// `sqlite3_user_data`.
    mutating func addForTriggers(
        _ name: String, _ arguments: Int32, data: UnsafeMutableRawPointer? = nil, _ code: Code
    ) {
        let flags = SQLITE_UTF8 | SQLITE_INNOCUOUS
        result |= sqlite3_create_function_v2(handle, name, arguments, flags, data, code, nil, nil, nil)
    }

    /// Adds an aggregate function.
    mutating func addAggregate(
        _ name: String, _ arguments: Int32, step: Code, finish: @convention(c) (OpaquePointer?) -> Void
    ) {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
        result |= sqlite3_create_function_v2(handle, name, arguments, flags, nil, nil, step, finish, nil)
    }
}

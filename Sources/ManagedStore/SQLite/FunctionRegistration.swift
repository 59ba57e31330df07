import CSQLite

/// Registers SQL functions on a connection, and keeps whether all of them were taken.
struct FunctionRegistration {
    /// What SQLite calls for a row.
    typealias Code = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    let handle: OpaquePointer
    /// `SQLITE_OK`, or something else when a function was refused.
    private(set) var result = SQLITE_OK

    init(on handle: OpaquePointer) { self.handle = handle }

    /// Adds a function for statements of ours; nothing in a file's schema may call it.
    mutating func add(_ name: String, _ arguments: Int32, _ code: Code) {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
        result |= sqlite3_create_function_v2(handle, name, arguments, flags, nil, code, nil, nil, nil)
    }

    /// Adds a function that a file's triggers may call; with -1 arguments, it takes any number of them. `data` is what
    /// `sqlite3_user_data` hands to the code.
    mutating func addForTriggers(
        _ name: String, _ arguments: Int32, data: UnsafeMutableRawPointer? = nil, _ code: Code
    ) {
        let flags = SQLITE_UTF8 | SQLITE_INNOCUOUS
        result |= sqlite3_create_function_v2(handle, name, arguments, flags, data, code, nil, nil, nil)
    }

    /// Adds a function over the rows of a group.
    mutating func addAggregate(
        _ name: String, _ arguments: Int32, step: Code, finish: @convention(c) (OpaquePointer?) -> Void
    ) {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
        result |= sqlite3_create_function_v2(handle, name, arguments, flags, nil, nil, step, finish, nil)
    }
}

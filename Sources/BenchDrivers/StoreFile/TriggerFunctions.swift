import CSQLite

/// The functions by which the triggers of a file that Core Data wrote report the rows whose derived attributes they
/// have changed. A loop needs no reports: it only lets the triggers run.
enum TriggerFunctions {
    private static let names = [
        "NSCoreDataTriggerUpdateAffectedObjectValue", "NSCoreDataDATriggerUpdatedAffectedObjectValue",
        "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
    ]

    /// Registers the functions on a connection.
    static func register(on handle: OpaquePointer) throws {
        for name in names {
            let result = sqlite3_create_function_v2(
                handle, name, -1, SQLITE_UTF8, nil, { context, _, _ in sqlite3_result_null(context) }, nil, nil, nil)
            guard result == SQLITE_OK else { throw DriverError(resultCode: result, handle: handle) }
        }
    }
}

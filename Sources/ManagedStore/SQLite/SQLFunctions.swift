import CSQLite
import Foundation

/// The SQL functions by which predicates match strings and batch updates round: the same code that does it in memory.
enum SQLFunctions {
    /// Registers `MS_CONTAINS`, `MS_BEGINSWITH` and `MS_ENDSWITH` (text, needle), `MS_FOLD` (text) and `MS_FLOAT` (number) on a
    /// connection.
    static func register(on handle: OpaquePointer) {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
        sqlite3_create_function_v2(
            handle, "MS_CONTAINS", 2, flags, nil, { SQLFunctions.match($0, $2, .contains) }, nil, nil, nil)
        sqlite3_create_function_v2(
            handle, "MS_BEGINSWITH", 2, flags, nil, { SQLFunctions.match($0, $2, .beginsWith) }, nil, nil, nil)
        sqlite3_create_function_v2(
            handle, "MS_ENDSWITH", 2, flags, nil, { SQLFunctions.match($0, $2, .endsWith) }, nil, nil, nil)
        sqlite3_create_function_v2(handle, "MS_FOLD", 1, flags, nil, { SQLFunctions.fold($0, $2) }, nil, nil, nil)
        sqlite3_create_function_v2(
            handle, "MS_FLOAT", 1, flags, nil, { SQLFunctions.roundToFloat($0, $2) }, nil, nil, nil)
    }

    private static func roundToFloat(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let number = arguments?[0], sqlite3_value_type(number) != SQLITE_NULL else {
            return sqlite3_result_null(context)
        }
        sqlite3_result_double(context, Double(Float(sqlite3_value_double(number))))
    }

    private static func match(
        _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
        _ match: FetchPredicate.StringMatch
    ) {
        guard let text = bytes(arguments?[0]), let needle = bytes(arguments?[1]) else {
            sqlite3_result_int(context, 0)
            return
        }
        sqlite3_result_int(context, StringMatching.matches(text, match, needle) ? 1 : 0)
    }

    private static func fold(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let text = bytes(arguments?[0]) else {
            sqlite3_result_null(context)
            return
        }
        CaseFolding.withFolded(text) { folded in
            guard let start = folded.baseAddress else {
                return sqlite3_result_text(context, "", 0, csqlite_transient())
            }
            sqlite3_result_text(
                context, start.assumingMemoryBound(to: CChar.self), Int32(folded.count), csqlite_transient())
        }
    }

    /// The bytes of an argument; nil for NULL.
    private static func bytes(_ value: OpaquePointer?) -> UnsafeRawBufferPointer? {
        if sqlite3_value_type(value) == SQLITE_NULL { return nil }
        let start = sqlite3_value_blob(value)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }
}

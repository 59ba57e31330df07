import CSQLite
import Foundation

/// The SQL functions with which predicates match strings and batch updates round numbers. They run the same code as the
/// evaluation in memory.
enum SQLFunctions {
    /// Registers the functions on a connection. Returns `SQLITE_OK`, or another code if SQLite rejects one.
    ///
    /// They are `MS_CONTAINS`, `MS_BEGINSWITH` and `MS_ENDSWITH` (text, needle), `MS_LIKE` and `MS_MATCHES` (text,
    /// pattern, options), `MS_FOLD` (text, options), `MS_FLOAT` (number), `MS_REAL` (the bits of a double), and
    /// `MS_COMPUTE` (integer, operator, integer, operator, ...).
    static func register(on handle: OpaquePointer) -> Int32 {
        var functions = FunctionRegistration(on: handle)
        functions.add("MS_CONTAINS", 2) { SQLFunctions.find($0, $2, .anywhere) }
        functions.add("MS_BEGINSWITH", 2) { SQLFunctions.find($0, $2, .beginning) }
        functions.add("MS_ENDSWITH", 2) { SQLFunctions.find($0, $2, .end) }
        functions.add("MS_LIKE", 3) { SQLFunctions.match($0, $2, .like) }
        functions.add("MS_MATCHES", 3) { SQLFunctions.match($0, $2, .matches) }
        functions.add("MS_FOLD", 2) { SQLFunctions.fold($0, $2) }
        functions.add("MS_FLOAT", 1) { SQLFunctions.roundToFloat($0, $2) }
        functions.add("MS_REAL", 1) { context, _, arguments in
            sqlite3_result_double(context, Double(bitPattern: UInt64(bitPattern: sqlite3_value_int64(arguments?[0]))))
        }
        functions.add("MS_COMPUTE", -1) { SQLFunctions.compute($0, $1, $2) }
        AggregateFunctions.add(to: &functions)
        CoreDataFunctions.add(to: &functions)
        return functions.result
    }

    private static func roundToFloat(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let number = arguments?[0], sqlite3_value_type(number) != SQLITE_NULL else {
            return sqlite3_result_null(context)
        }
        sqlite3_result_double(context, Double(Float(sqlite3_value_double(number))))
    }

    /// The maximum number of operations in `MS_COMPUTE`: a function of SQLite has at most 127 arguments, in older
    /// versions 100.
    static let operationsAtOnce = 45

    /// Computes from the left. An operation on NULL is NULL.
    private static func compute(
        _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        let arguments = UnsafeBufferPointer(start: arguments, count: Int(count))
        guard let first = arguments.first, sqlite3_value_type(first) != SQLITE_NULL else {
            return sqlite3_result_null(context)
        }
        var result = sqlite3_value_int64(first)
        for index in Swift.stride(from: 1, to: arguments.count - 1, by: 2) {
            guard let sign = sqlite3_value_text(arguments[index]),
                sqlite3_value_type(arguments[index + 1]) != SQLITE_NULL,
                let operation = BatchUpdatePlan.Operator(rawValue: String(cString: sign))
            else { return sqlite3_result_null(context) }
            result = operation.clamped(result, sqlite3_value_int64(arguments[index + 1]))
        }
        sqlite3_result_int64(context, result)
    }

    private static func find(
        _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ place: StringPlace
    ) {
        guard let text = bytes(arguments?[0]), let needle = bytes(arguments?[1]) else {
            return sqlite3_result_int(context, 0)
        }
        sqlite3_result_int(context, StringMatching.finds(needle, place, of: text) ? 1 : 0)
    }

    private static func match(
        _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
        _ match: FetchPredicate.StringMatch
    ) {
        guard let text = bytes(arguments?[0]), let pattern = bytes(arguments?[1]) else {
            return sqlite3_result_int(context, 0)
        }
        let test = compiledTest(context, match, pattern, options(arguments?[2]))
        sqlite3_result_int(context, test.holds(text) ? 1 : 0)
        guard let excess = test.excess, excess.isNoted else { return }
        sqlite3_result_error(context, excess.error.message, -1)
        sqlite3_result_error_code(context, tooCostly)
    }

    /// Returns the compiled pattern. SQLite keeps it from row to row as long as it is a constant of the statement.
    private static func compiledTest(
        _ context: OpaquePointer?, _ match: FetchPredicate.StringMatch, _ pattern: UnsafeRawBufferPointer,
        _ options: FetchPredicate.StringOptions
    ) -> TextTest {
        if let kept = sqlite3_get_auxdata(context, 1) {
            return Unmanaged<CompiledTest>.fromOpaque(kept).takeUnretainedValue().test
        }
        let compiled = CompiledTest(TextTest(match, String(decoding: pattern, as: UTF8.self), options))
        // SQLite may free the object at once, so this code does not read it from there.
        sqlite3_set_auxdata(context, 1, Unmanaged.passRetained(compiled).toOpaque()) { kept in
            if let kept { Unmanaged<CompiledTest>.fromOpaque(kept).release() }
        }
        return compiled.test
    }

    /// The result code for a regular expression that takes too many steps: an extension of `SQLITE_ERROR` that SQLite
    /// does not use.
    static let tooCostly = SQLITE_ERROR | 200 << 8

    private final class CompiledTest {
        let test: TextTest
        init(_ test: TextTest) { self.test = test }
    }

    private static func options(_ value: OpaquePointer?) -> FetchPredicate.StringOptions {
        FetchPredicate.StringOptions(rawValue: Int(sqlite3_value_int(value)))
    }

    private static func fold(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let text = bytes(arguments?[0]) else { return sqlite3_result_null(context) }
        StringFolding.withFolded(text, options(arguments?[1])) { folded in
            guard let start = folded.baseAddress else {
                return sqlite3_result_text(context, "", 0, csqlite_transient())
            }
            // Folding can make a text longer than SQLite allows, which then says so.
            sqlite3_result_text64(
                context, start.assumingMemoryBound(to: CChar.self), UInt64(folded.count), csqlite_transient(),
                UInt8(SQLITE_UTF8))
        }
    }

    /// Returns the bytes of an argument; nil for NULL.
    private static func bytes(_ value: OpaquePointer?) -> UnsafeRawBufferPointer? {
        if sqlite3_value_type(value) == SQLITE_NULL { return nil }
        let start = sqlite3_value_blob(value)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }
}

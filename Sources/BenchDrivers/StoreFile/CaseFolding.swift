import BenchHarness
import CSQLite

/// The SQL function with which a condition ignores case. SQLite's own folding knows ASCII letters alone, so a program
/// whose users write other letters registers one.
enum CaseFolding {
    /// Takes a text, and returns the bytes of its folded form; NULL for NULL.
    static let function = "BENCH_FOLD"

    /// Registers the function on a connection.
    static func register(on handle: OpaquePointer) throws {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
        let result = sqlite3_create_function_v2(
            handle, function, 1, flags, nil, { context, _, arguments in CaseFolding.fold(context, arguments?[0]) }, nil,
            nil, nil)
        guard result == SQLITE_OK else { throw DriverError(resultCode: result, handle: handle) }
    }

    private static func fold(_ context: OpaquePointer?, _ value: OpaquePointer?) {
        guard sqlite3_value_type(value) != SQLITE_NULL else { return sqlite3_result_null(context) }
        let start = sqlite3_value_text(value)
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
        if bytes.allSatisfy({ $0 < 0x80 }) { return lower(bytes, context) }
        var folded = FilterSpec.folded(String(decoding: bytes, as: UTF8.self))
        folded.withUTF8 { give(UnsafeRawBufferPointer($0), to: context) }
    }

    /// Folds ASCII letters without making a string.
    private static func lower(_ bytes: UnsafeBufferPointer<UInt8>, _ context: OpaquePointer?) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count) { lowered in
            for (place, byte) in bytes.enumerated() {
                let isUpper = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                lowered.initializeElement(at: place, to: isUpper ? byte | 0x20 : byte)
            }
            give(UnsafeRawBufferPointer(lowered), to: context)
        }
    }

    private static func give(_ bytes: UnsafeRawBufferPointer, to context: OpaquePointer?) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return sqlite3_result_zeroblob(context, 0) }
        sqlite3_result_blob(context, start, Int32(bytes.count), csqlite_transient())
    }
}

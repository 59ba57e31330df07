import CSQLite
import Foundation

/// The SQL functions with which the triggers of Core Data's files compute derived attributes: `now()`, `uppercase:`,
/// `lowercase:` and `canonical:` of a model. Without them, no row of such a file could be written.
enum CoreDataFunctions {
    /// The names in the triggers.
    static let names = ["NSCoreDataNow", "NSCoreDataToUpper", "NSCoreDataToLower", "NSCoreDataCanonical"]

    static func add(to functions: inout FunctionRegistration) {
        functions.addForTriggers("NSCoreDataNow", 0) { context, _, _ in
            sqlite3_result_double(context, Date().timeIntervalSinceReferenceDate)
        }
        functions.addForTriggers("NSCoreDataToUpper", 1) { CoreDataFunctions.map($0, $2) { $0.uppercased() } }
        functions.addForTriggers("NSCoreDataToLower", 1) { CoreDataFunctions.map($0, $2) { $0.lowercased() } }
        functions.addForTriggers("NSCoreDataCanonical", 1) {
            CoreDataFunctions.map($0, $2) {
                $0.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
            }
        }
    }

    private static func map(
        _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ change: (String) -> String
    ) {
        guard let value = arguments?[0], sqlite3_value_type(value) != SQLITE_NULL, let bytes = sqlite3_value_blob(value)
        else { return sqlite3_result_null(context) }
        let text = UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))
        var changed = change(String(decoding: text, as: UTF8.self))
        changed.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                sqlite3_result_text64(
                    context, $0.baseAddress, UInt64($0.count), csqlite_transient(), UInt8(SQLITE_UTF8))
            }
        }
    }
}

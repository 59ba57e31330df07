import CSQLite
import Foundation

/// An error of a driver on bare SQLite: one line with the cause and, if there is one, the statement.
struct DriverError: LocalizedError, CustomStringConvertible {
    /// The kinds of failure that a caller, or a reader, distinguishes.
    enum Code: Equatable {
        case diskFull
        case busy
        case inputOutput
        case interrupted
        case corrupt
        case cannotOpen
        case conflict
        /// A server cannot be reached, or ended the connection.
        case unreachable
        case invalidRequest
        case other(Int32)

        init(resultCode: Int32) {
            switch resultCode & 0xFF {
            case SQLITE_FULL: self = .diskFull
            case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
            case SQLITE_IOERR: self = .inputOutput
            case SQLITE_INTERRUPT: self = .interrupted
            case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt
            case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM: self = .cannotOpen
            default: self = .other(resultCode)
            }
        }

        fileprivate var advice: String? {
            switch self {
            case .diskFull: "free some space, or put the store elsewhere with --store-dir"
            case .busy: "another process holds the store's lock; stop it and try again"
            case .inputOutput: "the file system refused to read or write; a file-size limit or a failing disk does that"
            case .cannotOpen: "check that the directory exists and can be written to"
            default: nil
            }
        }
    }

    let code: Code
    let message: String
    let sql: String?

    init(_ code: Code, _ message: String, sql: String? = nil) {
        self.code = code
        self.message = message
        self.sql = sql
    }

    /// Creates the error of the failure that `handle` has just reported.
    init(resultCode: Int32, handle: OpaquePointer?, sql: String? = nil) {
        let text = String(cString: handle == nil ? sqlite3_errstr(resultCode) : sqlite3_errmsg(handle))
        let extended = handle == nil ? resultCode : sqlite3_extended_errcode(handle)
        self.init(Code(resultCode: resultCode), "SQLite: \(text) (result code \(extended))", sql: sql)
    }

    var description: String {
        var text = message
        if let advice = code.advice { text += "; " + advice }
        // A statement of 64 rows is long and repetitive; its beginning identifies it.
        if let sql { text += ", in: " + (sql.count > 160 ? sql.prefix(160) + "..." : sql) }
        return text
    }

    var errorDescription: String? { description }
}

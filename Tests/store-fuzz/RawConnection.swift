import CSQLite
import Foundation

/// SQLite itself, to damage a store's file behind the store's back.
final class RawConnection {
    struct Failure: Error {
        let message: String
    }

    private var handle: OpaquePointer?

    init(_ url: URL) throws {
        guard sqlite3_open(url.path, &handle) == SQLITE_OK else { throw failure }
        // Where endless work is built into the file already.
        sqlite3_progress_handler(handle, 5_000_000, { _ in 1 }, nil)
        // And a value of a gigabyte, which would be the fuzzer's own.
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 1 << 24)
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    private var failure: Failure { Failure(message: String(cString: sqlite3_errmsg(handle))) }

    func execute(_ sql: String) throws {
        if sqlite3_exec(handle, sql, nil, nil, nil) != SQLITE_OK { throw failure }
    }

    /// Does what can be done of `sql`, up to the first statement that is refused.
    func attempt(_ sql: String) { try? execute(sql) }

    /// The first column of all rows, as text; NULL is left out.
    func strings(_ sql: String) throws -> [String] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw failure }
        defer { sqlite3_finalize(statement) }
        var strings: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            if let text = sqlite3_column_text(statement, 0) { strings.append(String(cString: text)) }
        }
        return strings
    }

    /// As ``strings(_:)``, and none of a table that cannot be read.
    func stringsIfAny(_ sql: String) -> [String] { (try? strings(sql)) ?? [] }
}

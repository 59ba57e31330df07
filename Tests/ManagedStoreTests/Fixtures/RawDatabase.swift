import CSQLite
import Foundation

/// SQLite itself, to look at a store's file from outside and to change it behind the store's back.
final class RawDatabase {
    struct Failure: Error {
        let message: String
    }

    private var handle: OpaquePointer?

    init(_ url: URL) throws {
        guard sqlite3_open(url.path(percentEncoded: false), &handle) == SQLITE_OK else { throw failure }
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    private var failure: Failure { Failure(message: String(cString: sqlite3_errmsg(handle))) }

    func execute(_ sql: String) throws {
        if sqlite3_exec(handle, sql, nil, nil, nil) != SQLITE_OK { throw failure }
    }

    /// All rows, each value as text; NULL as nil.
    func rows(_ sql: String) throws -> [[String?]] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw failure }
        defer { sqlite3_finalize(statement) }
        var rows: [[String?]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(
                (0..<sqlite3_column_count(statement)).map { column in
                    sqlite3_column_text(statement, column).map { String(cString: $0) }
                })
        }
        return rows
    }

    /// All rows as the command-line shell prints them.
    func lines(_ sql: String) throws -> [String] {
        try rows(sql).map { row in row.map { $0 ?? "" }.joined(separator: "|") }
    }

    /// The first value of the first row.
    func value(_ sql: String) throws -> String? {
        try rows(sql).first?.first ?? nil
    }

    /// The first value of the first row, as bytes.
    func blob(_ sql: String) throws -> Data {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw failure }
        defer { sqlite3_finalize(statement) }
        guard sqlite3_step(statement) == SQLITE_ROW, let start = sqlite3_column_blob(statement, 0) else {
            return Data()
        }
        return Data(bytes: start, count: Int(sqlite3_column_bytes(statement, 0)))
    }
}

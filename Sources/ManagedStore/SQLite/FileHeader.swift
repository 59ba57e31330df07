import CSQLite
import Foundation

/// The first bytes of a store's file, read through SQLite.
///
/// A process that closes any descriptor of a file loses all its locks on the file, including those of other
/// coordinators' open connections. Another process may then remove the log while they use it. SQLite avoids this: it
/// keeps its descriptors open until these locks are released. See "How To Corrupt An SQLite Database File", section
/// 2.2.
enum FileHeader {
    /// Returns at most `count` bytes; fewer if the file is shorter.
    ///
    /// - Throws: `StoreError` with `storeFailure` if they cannot be read.
    static func bytes(_ count: Int, of path: String, _ options: SQLiteStoreOptions) throws(StoreError) -> [UInt8] {
        let connection = try Connection(
            path: path, flags: SQLITE_OPEN_READONLY, options: options, promise: .immutable)
        var file: UnsafeMutablePointer<sqlite3_file>?
        let found = sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        guard found == SQLITE_OK, let file, let methods = file.pointee.pMethods else {
            throw connection.error(found, sql: nil)
        }
        var size: Int64 = 0
        var bytes = [UInt8](repeating: 0, count: count)
        for code in [
            methods.pointee.xFileSize(file, &size), methods.pointee.xRead(file, &bytes, Int32(count), 0),
        ] where code != SQLITE_OK && code != shortRead {
            throw connection.error(code, sql: nil)
        }
        return Array(bytes.prefix(Int(clamping: size)))
    }

    /// `SQLITE_IOERR_SHORT_READ`, which Swift does not import.
    private static let shortRead = SQLITE_IOERR | (2 << 8)
}

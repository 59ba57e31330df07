import CSQLite
import Foundation

/// A file of SQLite that another program wrote, for reading alone.
struct ForeignFile {
    private let url: URL

    /// A link stands for the file that it leads to, beside which its log is.
    init(_ url: URL) { self.url = url.resolvingSymlinksInPath() }

    /// Opens the file, and reads its head. SQLite would make files beside one with a write-ahead log even then, unless
    /// it is told that nothing changes the file: true if there is neither a log nor a journal.
    ///
    /// - Throws: `DriverError` that says why it cannot be read, without its name.
    func connect() throws -> PlainConnection {
        guard StoreFileKind.isRegular(url) else { throw DriverError(.invalidRequest, "expected a regular file") }
        if access(url.path, R_OK) != 0 { throw Self.denied }
        let isAtRest = !hasLog && !hasJournal
        let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#%;"))
        let path = url.path.addingPercentEncoding(withAllowedCharacters: allowed) ?? url.path
        var failure: DriverError
        do {
            let connection = try PlainConnection(
                name: "file:\(path)?mode=ro\(isAtRest ? "&immutable=1" : "")",
                flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
            let result = sqlite3_exec(connection.handle, "PRAGMA schema_version", nil, nil, nil)
            if result == SQLITE_OK { return connection }
            failure = DriverError(resultCode: result, handle: connection.handle)
            if result & 0xFF == SQLITE_NOTADB { failure = DriverError(.invalidRequest, "expected a file of SQLite") }
        } catch let error as DriverError {
            failure = error
        }
        throw failure.code == .cannotOpen ? reason(failure) : failure
    }

    private static let denied = DriverError(
        .invalidRequest, "its permissions do not let this program read it; allow that with chmod")

    /// Why SQLite cannot read a file that can be opened, without the advice for files that are written.
    private func reason(_ failure: DriverError) -> DriverError {
        if hasJournal {
            return DriverError(
                .invalidRequest,
                "its journal \(url.lastPathComponent)-journal has changes to take back, of a program that did not end "
                    + "properly, and to read it alone does not; open the file with a program that writes it, such as "
                    + "sqlite3, or open a copy of both")
        }
        if hasLog {
            return DriverError(
                .invalidRequest,
                "its log \(url.lastPathComponent)-wal cannot be read, since nothing may be written in its folder or the "
                    + "log may not be read; copy both files to a folder of your own")
        }
        return DriverError(.invalidRequest, failure.message)
    }

    /// Whether the file cannot be read before a writer has brought it to rest.
    var hasJournal: Bool { hasContent("-journal") }

    /// Whether some of the content is in a write-ahead log beside the file.
    var hasLog: Bool { hasContent("-wal") }

    private func hasContent(_ suffix: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path + suffix)
        return (attributes?[.size] as? Int ?? 0) > 0
    }
}

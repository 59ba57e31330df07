import CSQLite
import Foundation
import TestSupport

@testable import BenchDrivers

/// A file of a program that was interrupted while it changed the file: its journal has to be rolled back.
struct InterruptedFile {
    let url: URL

    /// - Parameter make: Makes the content of the file.
    init(in folder: TemporaryDirectory, _ make: (PlainConnection) throws -> Void) throws {
        let origin = folder.url.appendingPathComponent("origin.sqlite")
        url = folder.url.appendingPathComponent("interrupted.sqlite")
        let connection = try PlainConnection(file: origin, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        try make(connection)
        for sql in ["PRAGMA cache_size = 1", "CREATE TABLE filler (a)", "BEGIN"] { try connection.execute(sql) }
        // More pages than the cache has, so that changed ones go to the file, and the journal before them.
        for _ in 0..<50 { try connection.execute("INSERT INTO filler VALUES (zeroblob(5000))") }
        for suffix in ["", "-journal"] {
            try FileManager.default.copyItem(atPath: origin.path + suffix, toPath: url.path + suffix)
        }
        try connection.execute("ROLLBACK")
        try connection.close()
    }
}

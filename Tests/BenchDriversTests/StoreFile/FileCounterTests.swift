import BenchHarness
import Foundation
import TestSupport
import Testing

@testable import BenchDrivers

/// The counts are exact: they are compared with the sizes of the files.
@Suite struct FileCounterTests {
    private let directory = Result { try TemporaryDirectory() }

    /// Counts what `body` does through a connection to a new file with a log.
    private func counts(
        _ synchronous: String, _ body: (PlainConnection) throws -> Void
    ) throws -> StoreCounters {
        let folder = try directory.get().url
        var counter = FileCounter(in: folder)
        let connection = try PlainConnection(
            file: folder.appending(path: "store.sqlite"), flags: 6, fileSystem: FileCounter.fileSystem)
        try connection.execute("PRAGMA journal_mode = WAL")
        try connection.execute("PRAGMA synchronous = \(synchronous)")
        try connection.execute("CREATE TABLE IF NOT EXISTS t (x)")
        counter.reset()
        try body(connection)
        var counters = StoreCounters()
        counter.fill(&counters)
        try connection.close()
        return counters
    }

    private func size(_ name: String) throws -> Int {
        let path = try directory.get().url.appending(path: name).path
        return try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }

    private func insert(_ connection: PlainConnection, rows: Int) throws {
        for row in 0..<rows { try connection.execute("INSERT INTO t VALUES (?)", [.int64(Int64(row))]) }
    }

    @Test func everyByteOfTheLogIsCounted() throws {
        let counters = try counts("NORMAL") { connection in
            let before = try size("store.sqlite-wal")
            try insert(connection, rows: 5)
            // A frame of the page that each commit writes: a header of 24 bytes, and 4096 bytes.
            #expect(try size("store.sqlite-wal") - before == 5 * 4_120)
        }
        #expect(counters.logBytesWritten == 5 * 4_120 && counters.databaseBytesWritten == 0)
        #expect(counters.syncs == 0)
    }

    @Test func everyCommitIsSyncedAtFull() throws {
        let counters = try counts("FULL") { try insert($0, rows: 5) }
        #expect(counters.syncs == 5)
    }

    @Test(arguments: [("NORMAL", 2), ("OFF", 0)])
    func aCheckpointSyncsTheLogAndTheDatabase(_ synchronous: String, _ syncs: Int) throws {
        let counters = try counts(synchronous) { connection in
            try insert(connection, rows: 5)
            try connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        }
        #expect(counters.syncs == syncs)
        #expect(counters.databaseBytesWritten == 2 * 4_096)
    }

    /// Stores of the same process do not count for each other.
    @Test func filesInOtherFoldersAreNotCounted() throws {
        let other = try TemporaryDirectory()
        let counter = FileCounter(in: other.url)
        _ = try counts("FULL") { try insert($0, rows: 5) }
        var counters = StoreCounters()
        counter.fill(&counters)
        #expect(counters.syncs == 0 && counters.logBytesWritten == 0)
    }
}

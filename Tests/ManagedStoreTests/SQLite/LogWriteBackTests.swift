import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// The write-ahead log is written back to the file beside the saves.
@Suite struct LogWriteBackTests {
    private func options(_ synchronous: SQLiteStoreOptions.Synchronous, every pages: Int) -> SQLiteStoreOptions {
        SQLiteStoreOptions(synchronous: synchronous, walAutocheckpointPages: pages)
    }

    /// The number of pages in the log, which is never cut.
    private func logPages(_ store: TestStore) throws -> Int {
        let size = try FileManager.default.attributesOfItem(atPath: store.url.path + "-wal")[.size] as? Int
        return (size ?? 0) / 4_096
    }

    @Test func aSaveDoesNotWaitForTheDiskWhileAnotherOneWritesTheLogBack() throws {
        let fileSystem = FaultyFileSystem(.syncOnce)
        var options = fileSystem.options(options(.normal, every: 10))
        options.synchronous = .normal
        let store = try TestStore(options: options)
        fileSystem.armWaitingSync()
        let long = Thread {
            let context = store.context()
            for number in 0..<2_000 { Item("long \(number)", in: context) }
            #expect(throws: Never.self) { try context.save() }
        }
        long.start()
        while !fileSystem.wasReached, !long.isFinished { usleep(500) }
        let isSaved = DispatchSemaphore(value: 0)
        let short = Thread {
            let context = store.context()
            Item("short", in: context)
            #expect(throws: Never.self) { try context.save() }
            isSaved.signal()
        }
        short.start()
        #expect(isSaved.wait(timeout: .now() + 60) == .success)
        #expect(!long.isFinished)
        fileSystem.lift()
        while !(long.isFinished && short.isFinished) { usleep(500) }
        #expect(try store.context().items().count == 2_001)
        // What was saved meanwhile is written back, too. Otherwise the log would never be begun anew.
        try store.seed(1)
        let log = try store.database().rows("PRAGMA wal_checkpoint(PASSIVE)")[0]
        #expect(Int(log[1] ?? "") ?? 99 < 10, "\(log)")
    }

    @Test(arguments: [0, 50]) func theLogIsAsLongAsTheOptionsSay(pages: Int) throws {
        let store = try TestStore(options: options(.normal, every: pages))
        for _ in 0..<200 { try store.seed(1) }
        #expect(try (logPages(store) < 100) == (pages > 0))
        let settings = try store.coordinator.settingsInForce()
        #expect(settings.map { $0["wal_autocheckpoint"] } == [Int64(pages), Int64(pages)])
    }

    @Test func withoutSyncsNothingWaitsForTheDisk() throws {
        let fileSystem = FaultyFileSystem(.syncOnce)
        var options = fileSystem.options(options(.off, every: 5))
        options.synchronous = .off
        let store = try TestStore(options: options)
        fileSystem.armWaitingSync()
        for _ in 0..<50 { try store.seed(1) }
        #expect(!fileSystem.wasReached)
        fileSystem.lift()
    }
}

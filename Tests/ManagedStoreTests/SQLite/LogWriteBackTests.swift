import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// The write-ahead log is written back to the file beside the saves.
@Suite struct LogWriteBackTests {
    /// The number of pages in the log, which is never cut.
    private func logPages(_ store: TestStore) throws -> Int {
        let size = try FileManager.default.attributesOfItem(atPath: store.url.path + "-wal")[.size] as? Int
        return (size ?? 0) / 4_096
    }

    /// A store in which a save writes the log back, and waits for the disk until the file system is lifted. Remove the
    /// store before the file system goes.
    private struct Waiting {
        let fileSystem = FaultyFileSystem(.syncOnce)
        let store: TestStore
        private let save: Thread

        init(every pages: Int) throws {
            let store = try TestStore(on: fileSystem, .normal, every: pages)
            self.store = store
            fileSystem.armWaitingSync()
            save = Thread {
                let context = store.context()
                for number in 0..<2_000 { Item("long \(number)", in: context) }
                #expect(throws: Never.self) { try context.save() }
            }
            save.start()
            while !fileSystem.wasReached, !save.isFinished { usleep(500) }
        }

        var isSaving: Bool { !save.isFinished }

        /// Lets the save go on, and waits for its end.
        func end(_ change: (FaultyFileSystem) -> Void = { $0.lift() }) {
            change(fileSystem)
            while !save.isFinished { usleep(500) }
            fileSystem.lift()
        }
    }

    @Test func aSaveDoesNotWaitForTheDiskWhileAnotherOneWritesTheLogBack() throws {
        let waiting = try Waiting(every: 10)
        let isSaved = DispatchSemaphore(value: 0)
        Thread { [store = waiting.store] in
            let context = store.context()
            Item("short", in: context)
            #expect(throws: Never.self) { try context.save() }
            isSaved.signal()
        }.start()
        #expect(isSaved.wait(timeout: .now() + 60) == .success && waiting.isSaving)
        waiting.end()
        #expect(try waiting.store.context().items().count == 2_001)
        // What was saved meanwhile is written back, too. Otherwise the log would never be begun anew.
        try waiting.store.seed(1)
        let log = try waiting.store.database().rows("PRAGMA wal_checkpoint(PASSIVE)")[0]
        #expect(Int(log[1] ?? "") ?? 99 < 10, "\(log)")
        try waiting.store.coordinator.removePersistentStore()
    }

    @Test func aCheckpointWaitsForTheOneUnderWay() throws {
        let waiting = try Waiting(every: 10)
        let isDone = DispatchSemaphore(value: 0)
        Thread { [coordinator = waiting.store.coordinator] in
            #expect(throws: Never.self) { try coordinator.checkpoint() }
            isDone.signal()
        }.start()
        #expect(isDone.wait(timeout: .now() + 0.2) == .timedOut)
        waiting.end()
        #expect(isDone.wait(timeout: .now() + 60) == .success)
        #expect(try logPages(waiting.store) == 0)
        try waiting.store.coordinator.removePersistentStore()
    }

    @Test(arguments: [0, 50]) func theLogIsAsLongAsTheOptionsSay(pages: Int) throws {
        let store = try TestStore(options: SQLiteStoreOptions(synchronous: .normal, walAutocheckpointPages: pages))
        for _ in 0..<200 { try store.seed(1) }
        #expect(try (logPages(store) < 100) == (pages > 0))
        let settings = try store.coordinator.settingsInForce()
        #expect(settings.map { $0["wal_autocheckpoint"] } == [Int64(pages), Int64(pages)])
    }

    @Test func withoutSyncsNothingWaitsForTheDisk() throws {
        let fileSystem = FaultyFileSystem(.syncLasting)
        let store = try TestStore(on: fileSystem, .off, every: 5)
        fileSystem.arm(1)
        let threads = (0..<4).map { _ in
            Thread {
                for _ in 0..<50 { #expect(throws: Never.self) { try store.seed(1) } }
            }
        }
        for thread in threads { thread.start() }
        while !threads.allSatisfy(\.isFinished) { usleep(500) }
        #expect(!fileSystem.wasReached)
        fileSystem.lift()
        try store.coordinator.removePersistentStore()
    }

    @Test func withoutAnotherConnectionTheWriterWritesTheLogBack() throws {
        let fileSystem = FaultyFileSystem(.syncLasting)
        let store = try TestStore(on: fileSystem, .normal, every: 50)
        fileSystem.armOpening()
        for _ in 0..<200 { try store.seed(1) }
        #expect(fileSystem.wasReached)
        #expect(try logPages(store) < 100)
        fileSystem.lift()
        try store.coordinator.removePersistentStore()
    }

    /// The file may lack what the log has, although SQLite takes it for written back.
    @Test func aDiskThatDoesNotTakeTheFileKeepsTheLog() throws {
        let waiting = try Waiting(every: 10)
        try waiting.store.seed(1)
        waiting.end { $0.arm(1) }
        for _ in 0..<20 { try waiting.store.seed(1) }
        expectError(.storeFailure) { try waiting.store.coordinator.checkpoint() }
        try waiting.store.coordinator.removePersistentStore()
        #expect(try logPages(waiting.store) > 30)
        let again = ManagedObjectContext(coordinator: try waiting.store.secondCoordinator())
        #expect(try again.count(for: FetchRequest(Item.self)) == 2_021)
    }
}

extension TestStore {
    fileprivate init(
        on fileSystem: FaultyFileSystem, _ synchronous: SQLiteStoreOptions.Synchronous, every pages: Int
    ) throws {
        var options = fileSystem.options(SQLiteStoreOptions(walAutocheckpointPages: pages))
        options.synchronous = synchronous
        try self.init(options: options)
    }
}

import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// The store's file goes, or another comes into its place, while it is open.
@Suite struct MovedFileTests {
    enum Move: CaseIterable {
        case removed, renamed, replaced, rewritten

        /// Does it to the file at `url`, and the files beside it.
        func happen(to url: URL) throws {
            let files = FileManager.default
            let path = url.path(percentEncoded: false)
            for suffix in ["", "-wal", "-shm"] where files.fileExists(atPath: path + suffix) {
                switch self {
                case .removed, .replaced: try files.removeItem(atPath: path + suffix)
                case .renamed: try files.moveItem(atPath: path + suffix, toPath: path + ".old" + suffix)
                case .rewritten:
                    let bytes = try Data(contentsOf: URL(filePath: path + suffix))
                    try bytes.write(to: URL(filePath: path + suffix), options: .atomic)
                }
            }
            guard self == .replaced else { return }
            let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
            try coordinator.addPersistentStore(.sqlite, at: url)
            let context = ManagedObjectContext(coordinator: coordinator)
            Item("another", in: context)
            try context.save()
            try coordinator.removePersistentStore()
        }
    }

    @Test(arguments: Move.allCases) func nothingIsAcknowledgedThatIsWrittenElsewhere(_ move: Move) throws {
        let store = try TestStore()
        let (context, items) = try store.contextWithItems(2)
        try move.happen(to: store.url)
        items[0].name = "changed"
        let error = expectError(.storeFailure) { try context.save() }
        #expect(error?.message.contains("moved, removed or replaced") == true)
        #expect(items[0].hasChanges)
        expectError(.storeFailure) { try context.execute(BatchUpdateRequest(Item.self, set: ["done": true])) }
        expectError(.storeFailure) { try context.execute(BatchDeleteRequest(fetchRequest: FetchRequest(Item.self))) }
        expectError(.storeFailure) { try context.obtainPermanentIDs(for: [Item("new", in: context)]) }
        let other = store.context()
        store.coordinator.metadata = ["key": .string("value")]
        expectError(.storeFailure) { try other.save() }
        expectError(.storeFailure) { try store.coordinator.checkpoint() }
    }

    /// What the log had is written back when the store is removed from its coordinator.
    @Test(arguments: [false, true]) func nothingIsAcknowledgedThatIsWrittenToALogThatIsGone(isReplaced: Bool) throws {
        let store = try TestStore()
        let (context, items) = try store.contextWithItems(2)
        items[0].name = "before"
        try context.save()
        let log = URL(filePath: store.url.path(percentEncoded: false) + "-wal")
        let bytes = try Data(contentsOf: log)
        try FileManager.default.removeItem(at: log)
        if isReplaced { try bytes.write(to: log) }
        items[1].name = "after"
        let error = expectError(.storeFailure) { try context.save() }
        #expect(error?.message.contains("the write-ahead log, was moved, removed or replaced") == true)
        try store.coordinator.removePersistentStore()
        try store.coordinator.addPersistentStore(.sqlite, at: store.url)
        #expect(try store.context().items().map(\.name) == ["before", "Item 1"])
        try context.save()
        #expect(try store.context().items().map(\.name) == ["before", "after"])
    }

    @Test(arguments: Move.allCases) func readersDoNotMixTwoFiles(_ move: Move) throws {
        let store = try TestStore()
        try store.seed(3)
        try move.happen(to: store.url)
        for _ in 0..<3 {
            do {
                #expect(try store.context().items().map(\.name) == ["Item 0", "Item 1", "Item 2"])
            } catch let error as StoreError {
                #expect(error.message.contains("moved, removed or replaced"))
            }
        }
    }

    /// One reader is in use while others are opened.
    @Test func aReaderOpenedLaterRefusesAnotherFile() throws {
        let store = try TestStore()
        try store.seed(3)
        let sqlite = try #require(try store.coordinator.requireStore() as? SQLiteStore)
        _ = try store.context().items()
        try sqlite.pool.read { first throws(StoreError) in
            do {
                try Move.replaced.happen(to: store.url)
            } catch {
                Issue.record(error)
            }
            do throws(StoreError) {
                try sqlite.pool.read { _ in }
                Issue.record("another file was opened")
            } catch {
                #expect(error.code == .storeFailure && error.message.contains("moved, removed or replaced"))
            }
        }
    }

    @Test func theFileInItsPlaceAgainIsSavedTo() throws {
        let store = try TestStore()
        let (context, items) = try store.contextWithItems(1)
        let path = store.url.path(percentEncoded: false)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
        items[0].name = "changed"
        expectError(.storeFailure) { try context.save() }
        try FileManager.default.moveItem(atPath: path + ".old", toPath: path)
        try context.save()
        #expect(try store.database().value("SELECT ZNAME FROM ZITEM") == "changed")
    }

    /// Some file systems cannot tell.
    @Test func aFileSystemThatDoesNotSayIsTrusted() throws {
        let fileSystem = FaultyFileSystem(.ioErrorOnce)
        fileSystem.forgetPlaces()
        let directory = try TemporaryDirectory()
        let context = try fileSystem.contextWithItem(in: directory)
        try context.save()
        #expect(try context.items().count == 1)
        try directory.removeAll()
        Item("another", in: context)
        try context.save()
        #expect(try context.items().count == 2)
        try context.persistentStoreCoordinator.removePersistentStore()
    }
}

extension TemporaryDirectory {
    fileprivate func removeAll() throws {
        for name in try names() { try FileManager.default.removeItem(at: file(name)) }
    }
}

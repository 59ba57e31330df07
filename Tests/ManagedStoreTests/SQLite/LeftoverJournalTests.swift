import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// What a process that was killed, or a copy, leaves beside the file is used if the file is ours, and left alone if it
/// is not.
@Suite struct LeftoverJournalTests {
    private func open(_ url: URL, _ entity: EntityDescription? = nil) throws -> ManagedObjectContext {
        let model = try entity.map { try ManagedObjectModel(entities: [$0]) } ?? ManagedObjectModel(Item.self)
        let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(.sqlite, at: url, options: SQLiteStoreOptions(synchronous: .off))
        return ManagedObjectContext(coordinator: coordinator)
    }

    private static let misfit = EntityDescription(name: "Item", attributes: [AttributeDescription("name", .integer64)])

    /// A copy of a store's files while it is open, the last of its saves in the log only.
    private func copy(_ suffixes: [String]) throws -> TemporaryDirectory {
        let store = try TestStore()
        try store.seed(3)
        try store.coordinator.checkpoint()
        try store.seed(4)
        let directory = try TemporaryDirectory()
        for suffix in [""] + suffixes {
            try directory.write(
                try Data(contentsOf: store.directory.file("store.sqlite\(suffix)")), to: "store.sqlite\(suffix)")
        }
        return directory
    }

    @Test(arguments: [["-wal"], ["-wal", "-shm"]]) func aLogIsRead(_ suffixes: [String]) throws {
        let directory = try copy(suffixes)
        #expect(try open(directory.file("store.sqlite")).items().count == 7)
    }

    /// As a process leaves it that is killed between its first two writes to a new log. Found by `bench torture`.
    @Test(arguments: [["-wal"], ["-wal", "-shm"]], [31, 32])
    func aLogThatWasOnlyBegunIsNoObstacle(_ suffixes: [String], _ size: Int) throws {
        let directory = try copy(suffixes)
        let log = directory.file("store.sqlite-wal")
        try directory.write(try Data(contentsOf: log).prefix(size), to: "store.sqlite-wal")
        let before = try directory.contents()
        expectError(.incompatibleStore) { try open(directory.file("store.sqlite"), Self.misfit) }
        #expect(try directory.contents() == before)
        #expect(try open(directory.file("store.sqlite")).items().count == 3)
    }

    @Test func aFileThatWasOnlyBegunIsMadeAnew() throws {
        let directory = try TemporaryDirectory()
        let journal: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7] + [0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0]
        let sizes: [UInt8] = [0, 0, 2, 0, 0, 0, 0x10, 0]
        try directory.write(Data(journal + sizes) + Data(count: 484), to: "store.sqlite-journal")
        try directory.write(Data(count: 4_096), to: "store.sqlite")
        #expect(try open(directory.file("store.sqlite")).items().isEmpty)
    }

    /// What is left of a log whose first bytes never reached the disk, or nothing but them.
    @Test(arguments: [["-wal"], ["-wal", "-shm"]], [true, false]) func aLogWithoutAnythingInItIsNone(
        _ suffixes: [String], _ isHeader: Bool
    ) throws {
        let directory = try copy(suffixes)
        var log = try Data(contentsOf: directory.file("store.sqlite-wal"))
        if isHeader { log = log.prefix(32) } else { log.replaceSubrange(16..<24, with: Data(count: 8)) }
        try directory.write(log, to: "store.sqlite-wal")
        #expect(try open(directory.file("store.sqlite")).items().count == 3)
    }

    @Test(arguments: [["-wal"], ["-wal", "-shm"]]) func aLogOfAFileThatDoesNotFitStays(_ suffixes: [String]) throws {
        let directory = try copy(suffixes)
        let before = try directory.contents()
        let error = expectError(.incompatibleStore) { try open(directory.file("store.sqlite"), Self.misfit) }
        #expect(try directory.contents() == before)
        #expect(error?.message.contains(directory.file("store.sqlite").path(percentEncoded: false)) == true)
    }

    @Test func aFileInUseThatDoesNotFitIsRefusedAndGoesOn() throws {
        let store = try TestStore()
        let (context, items) = try store.contextWithItems(3)
        let before = try Data(contentsOf: store.url)
        expectError(.incompatibleStore) { try open(store.url, Self.misfit) }
        #expect(try Data(contentsOf: store.url) == before)
        items[0].name = "changed"
        try context.save()
        #expect(try store.context().items().map(\.name).first == "changed")
    }

    @Test(arguments: [true, false]) func aLogWithoutItsFileIsRefused(_ isEmpty: Bool) throws {
        let directory = try copy(["-wal"])
        try FileManager.default.removeItem(at: directory.file("store.sqlite"))
        if isEmpty { try directory.write(Data(), to: "store.sqlite") }
        let before = try directory.contents()
        let error = expectError(.incompatibleStore) { try open(directory.file("store.sqlite")) }
        #expect(error?.message.contains("store.sqlite-wal is not: put the file back") == true)
        #expect(try directory.contents() == before)
    }

    /// A database that another process was killed in the middle of writing, in the way of the time before write-ahead
    /// logs.
    private func hotJournal(_ setup: String, _ change: String) throws -> TemporaryDirectory {
        let (origin, directory) = (try TemporaryDirectory(), try TemporaryDirectory())
        let database = try RawDatabase(origin.file("store.sqlite"))
        try database.execute("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; \(setup)")
        try database.execute("BEGIN; \(change)")
        for name in ["store.sqlite", "store.sqlite-journal"] {
            try directory.write(try Data(contentsOf: origin.file(name)), to: name)
        }
        return directory
    }

    private static let manyRows =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) "

    @Test func aJournalOfOursIsRolledBack() throws {
        let store = try TestStore(model: try ManagedObjectModel(Item.self))
        try store.coordinator.removePersistentStore()
        let schema = try store.database().rows("SELECT sql FROM sqlite_master").map { $0[0] ?? "" }.joined(
            separator: ";")
        let directory = try hotJournal(
            "\(schema); INSERT INTO Z_METADATA VALUES (1, '\(UUID().uuidString)', NULL); "
                + "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Item', 0, 500); "
                + "\(Self.manyRows) INSERT INTO ZITEM SELECT i, 1, 1, 0, i, 'before ' || i FROM n",
            "UPDATE ZITEM SET ZNAME = 'half-written, and long enough to move to other pages'")
        let names = try open(directory.file("store.sqlite")).items().map(\.name)
        #expect(names == (1...500).map { "before \($0)" })
    }

    @Test func aJournalOfAForeignDatabaseStays() throws {
        let directory = try hotJournal(
            "CREATE TABLE birds (name TEXT); \(Self.manyRows) INSERT INTO birds SELECT 'bird ' || i FROM n",
            "UPDATE birds SET name = 'half-written, and long enough to move to other pages'")
        let before = try directory.contents()
        expectError(.incompatibleStore) { try open(directory.file("store.sqlite")) }
        #expect(try directory.contents() == before)
    }
}

import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// A store that is only read leaves no trace.
@Suite struct ReadOnlyTests {
    private let directory: TemporaryDirectory
    private var url: URL { directory.file("items.sqlite") }
    private let options = SQLiteStoreOptions(busyTimeoutMilliseconds: 200, isReadOnly: true)

    init() throws {
        directory = try TemporaryDirectory(isKept: true)
    }

    /// Makes a file with 200 items in it, and returns the open database that still has its log if `closes` is false.
    private func seed(closes: Bool = true, journal: String = "WAL") throws {
        let coordinator = try coordinator(SQLiteStoreOptions(walAutocheckpointPages: 0))
        let context = ManagedObjectContext(coordinator: coordinator)
        for number in 0..<200 { _ = Item("Item \(number)", at: Double(number), in: context) }
        try context.save()
        if closes { try coordinator.removePersistentStore() }
        if journal != "WAL" { try RawDatabase(url).execute("PRAGMA journal_mode = \(journal)") }
    }

    private func coordinator(_ options: SQLiteStoreOptions) throws -> PersistentStoreCoordinator {
        let coordinator = PersistentStoreCoordinator(
            managedObjectModel: try ManagedObjectModel(Item.self, Everything.self))
        try coordinator.addPersistentStore(.sqlite, at: url, options: options)
        return coordinator
    }

    /// Every file of the folder with its bytes.
    private func content() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path(percentEncoded: false))
        return try Dictionary(uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: directory.file($0))) })
    }

    /// Reads all items, in several ways, closes the store, and sees that nothing is another than it was.
    private func readWithoutTrace(_ names: Set<String>) throws {
        let before = try content()
        #expect(Set(before.keys) == names)
        let coordinator = try coordinator(options)
        let context = ManagedObjectContext(coordinator: coordinator)
        let items = try context.items()
        #expect(items.count == 200)
        try context.refresh(items[7], mergeChanges: false)
        #expect(items[7].name == "Item 7")
        #expect(try context.count(for: FetchRequest(Item.self)) == 200)
        #expect(try content() == before)
        expectRefusals(coordinator, context, items[0])
        try coordinator.removePersistentStore()
        #expect(try content() == before)
    }

    private func expectRefusals(
        _ coordinator: PersistentStoreCoordinator, _ context: ManagedObjectContext, _ item: Item
    ) {
        item.name = "other"
        let error = expectError(.invalidRequest) { try context.save() }
        #expect(error?.message.contains("was opened read-only") == true)
        context.rollback()
        #expect(item.name == "Item 0")
        _ = Item("new", at: 0, in: context)
        expectError(.invalidRequest) { try context.save() }
        context.rollback()
        expectError(.invalidRequest) { try context.execute(BatchUpdateRequest(Item.self, set: ["done": true])) }
        expectError(.invalidRequest) {
            try context.execute(BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Item")))
        }
        expectError(.invalidRequest) { try coordinator.checkpoint() }
    }

    @Test func aFileThatWasClosed() throws {
        try seed()
        try readWithoutTrace(["items.sqlite"])
    }

    @Test(arguments: ["DELETE", "PERSIST", "TRUNCATE"])
    func aFileInRollbackJournalMode(_ mode: String) throws {
        try seed(journal: mode)
        try readWithoutTrace(mode == "DELETE" ? ["items.sqlite"] : ["items.sqlite", "items.sqlite-journal"])
        #expect(try RawDatabase(url).value("PRAGMA journal_mode") == "delete")
    }

    @Test func aFileWhoseFolderCannotBeWritten() throws {
        try seed()
        let path = directory.url.path(percentEncoded: false)
        chmod(path, 0o555)
        defer { chmod(path, 0o755) }
        try readWithoutTrace(["items.sqlite"])
    }

    /// As a process that was killed leaves it, and as a copy without the index arrives.
    @Test(arguments: [true, false]) func aFileWithALog(_ hasIndex: Bool) throws {
        let other = try TestStore(
            model: ManagedObjectModel(Item.self, Everything.self),
            options: SQLiteStoreOptions(walAutocheckpointPages: 0))
        try other.seed(200)
        for suffix in ["", "-wal"] + (hasIndex ? ["-shm"] : []) {
            let from = URL(filePath: other.url.path(percentEncoded: false) + suffix)
            try FileManager.default.copyItem(at: from, to: directory.file("items.sqlite" + suffix))
        }
        let names: Set =
            hasIndex ? ["items.sqlite", "items.sqlite-wal", "items.sqlite-shm"] : ["items.sqlite", "items.sqlite-wal"]
        try readWithoutTrace(names)
    }

    @Test func whatOthersSaveMeanwhileIsSeen() throws {
        try seed()
        let context = ManagedObjectContext(coordinator: try coordinator(options))
        #expect(try context.count(for: FetchRequest(Item.self)) == 200)
        let writing = try coordinator(SQLiteStoreOptions())
        let writer = ManagedObjectContext(coordinator: writing)
        for number in 1...3 {
            _ = Item("More", at: 0, in: writer)
            try writer.save()
            #expect(try context.count(for: FetchRequest(Item.self)) == 200 + number)
        }
        try writing.checkpoint()
        #expect(try context.count(for: FetchRequest(Item.self)) == 203)
        try writing.removePersistentStore()
        #expect(try context.count(for: FetchRequest(Item.self)) == 203)
    }

    @Test func aFileThatIsNotThereIsNotMade() throws {
        expectError(.storeFailure) { try coordinator(options) }
        #expect(try content().isEmpty)
        try Data().write(to: url)
        expectError(.incompatibleStore) { try coordinator(options) }
        #expect(try content() == ["items.sqlite": Data()])
    }

    @Test func aFileThatNeedsMigrationIsRefused() throws {
        let first = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
        try first.addPersistentStore(.sqlite, at: url)
        try first.removePersistentStore()
        let before = try content()
        let error = expectError(.incompatibleStore) { try coordinator(options) }
        #expect(error?.message.contains("isReadOnly") == true, "\(error?.message ?? "")")
        #expect(try content() == before)
    }

    @Test func aJournalThatHasToBeRolledBackIsRefused() throws {
        try seed(journal: "DELETE")
        var journal = Data([
            0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7, 0, 0, 0, 1, 1, 2, 3, 4, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 16, 0,
        ])
        journal.append(Data(count: 512 - journal.count + 4_104))
        try journal.write(to: directory.file("items.sqlite-journal"))
        let before = try content()
        let error = expectError(.storeFailure) { try coordinator(options) }
        #expect(error?.message.contains("open it for writing once") == true, "\(error?.message ?? "")")
        #expect(try content() == before)
    }
}

import Foundation
import ManagedStore
import TestSupport
import Testing

/// What is no store of ours is refused with a clear error, and left as it is, byte for byte.
@Suite struct RefusalTests {
    private func open(_ url: URL) throws {
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
        try coordinator.addPersistentStore(.sqlite, at: url)
    }

    /// Expects the file to be refused and everything in its folder to stay as it is.
    @discardableResult
    private func expectRefusal(_ url: URL, _ directory: TemporaryDirectory) throws -> StoreError? {
        let (names, bytes) = (try directory.names(), try Data(contentsOf: url))
        let error = expectError(.incompatibleStore) { try open(url) }
        #expect(try directory.names() == names)
        #expect(try Data(contentsOf: url) == bytes)
        #expect(error?.message.contains(url.lastPathComponent) == true)
        return error
    }

    @Test func aFolderIsRefused() throws {
        let directory = try TemporaryDirectory()
        let error = expectError(.incompatibleStore) { try open(directory.url) }
        #expect(error?.message.contains("folder") == true)
    }

    @Test(arguments: [Data("hello".utf8), Data(repeating: 7, count: 10_000), Data("SQLite format 4\0more".utf8)])
    func garbageIsRefused(_ bytes: Data) throws {
        let directory = try TemporaryDirectory()
        try expectRefusal(try directory.write(bytes, to: "garbage.sqlite"), directory)
    }

    @Test func garbageBehindAnHonestHeaderIsRefused() throws {
        let directory = try TemporaryDirectory()
        let bytes = Data("SQLite format 3\0".utf8) + Data(repeating: 0x5A, count: 9_000)
        try expectRefusal(try directory.write(bytes, to: "garbage.sqlite"), directory)
    }

    @Test(arguments: ["DELETE", "WAL"]) func aForeignDatabaseIsRefused(_ journal: String) throws {
        let directory = try TemporaryDirectory()
        let url = directory.file("foreign.sqlite")
        try RawDatabase(url).execute("PRAGMA journal_mode=\(journal); CREATE TABLE birds (name TEXT)")
        let error = try expectRefusal(url, directory)
        #expect(error?.message.contains("Z_METADATA") == true)
    }

    /// What has to be added would meet something else of that name.
    @Test func aNameThatIsTakenIsSeenBeforeTheFileIsWritten() throws {
        let store = try Library.store(.sqlite)
        try store.coordinator.removePersistentStore()
        let database = try store.database()
        let join = try #require(
            try database.value("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'"))
        try database.execute("DROP TABLE \(join); PRAGMA journal_mode=DELETE")
        try database.execute("CREATE VIEW \(join) AS SELECT 1")
        let bytes = try Data(contentsOf: store.url)
        let error = expectError(.incompatibleStore) {
            try PersistentStoreCoordinator(managedObjectModel: try Library.model())
                .addPersistentStore(.sqlite, at: store.url)
        }
        #expect(error?.message.contains(join) == true)
        #expect(try Data(contentsOf: store.url) == bytes)
    }

    @Test func aNumberThatNoEntityHasIsSeenBeforeTheFileIsWritten() throws {
        let store = try TestStore()
        try store.coordinator.removePersistentStore()
        try store.database().execute(
            "UPDATE Z_PRIMARYKEY SET Z_ENT = -1 WHERE Z_NAME = 'Item'; PRAGMA journal_mode=DELETE")
        let bytes = try Data(contentsOf: store.url)
        let error = expectError(.incompatibleStore) { try open(store.url) }
        #expect(error?.message.contains("Item has the number -1") == true)
        #expect(try Data(contentsOf: store.url) == bytes)
    }

    @Test func aDatabaseWithMetadataButNoEntitiesIsRefused() throws {
        let directory = try TemporaryDirectory()
        let url = directory.file("foreign.sqlite")
        try RawDatabase(url).execute(
            "CREATE TABLE Z_METADATA (Z_VERSION INTEGER, Z_UUID TEXT, Z_PLIST BLOB); "
                + "INSERT INTO Z_METADATA VALUES (1, '\(UUID().uuidString)', x'')")
        try expectRefusal(url, directory)
    }

    @Test func metadataWithoutAUUIDIsRefused() throws {
        let store = try TestStore()
        try store.coordinator.removePersistentStore()
        try store.database().execute("UPDATE Z_METADATA SET Z_UUID = 'nonsense'")
        try expectRefusal(store.url, store.directory)
    }

    @Test func aMissingColumnIsNamed() throws {
        let store = try TestStore()
        try store.coordinator.removePersistentStore()
        try store.database().execute("ALTER TABLE ZITEM DROP COLUMN ZNAME")
        let error = try expectRefusal(store.url, store.directory)
        #expect(error?.message.contains("ZITEM lacks ZNAME") == true)
    }

    @Test func aMissingEntityIsNamed() throws {
        let store = try TestStore()
        try store.coordinator.removePersistentStore()
        try store.database().execute("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Item'")
        let error = try expectRefusal(store.url, store.directory)
        #expect(error?.message.contains("Item") == true)
    }

    @Test func aTruncatedStoreIsRefused() throws {
        let store = try TestStore()
        try store.seed(500)
        try store.coordinator.checkpoint()
        try store.coordinator.removePersistentStore()
        let bytes = try Data(contentsOf: store.url)
        try bytes.prefix(bytes.count / 2).write(to: store.url)
        try expectRefusal(store.url, store.directory)
    }

    @Test func aMissingFolderIsNamed() throws {
        let directory = try TemporaryDirectory()
        let error = expectError(.storeFailure) { try open(directory.file("missing/store.sqlite")) }
        #expect(error?.message.contains("missing") == true)
        #expect(try directory.names().isEmpty)
    }

    @Test func aStoreNeedsAURL() throws {
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
        expectError(.invalidRequest) { try coordinator.addPersistentStore(.sqlite) }
    }

    @Test func anEmptyFileBecomesAStore() throws {
        let directory = try TemporaryDirectory()
        try open(try directory.write(Data(), to: "empty.sqlite"))
        #expect(try RawDatabase(directory.file("empty.sqlite")).value("SELECT COUNT(*) FROM ZITEM") == "0")
    }

    @Test func aModelWithFewerEntitiesAndAttributesOpensTheStore() throws {
        let store = try TestStore()
        try store.seed(2)
        try store.coordinator.removePersistentStore()
        let entity = EntityDescription(name: "Item", attributes: [.init("name", .string)])
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(entities: [entity]))
        try coordinator.addPersistentStore(.sqlite, at: store.url)
        let context = ManagedObjectContext(coordinator: coordinator)
        #expect(try context.count(for: FetchRequest(entityName: "Item")) == 2)
    }
}

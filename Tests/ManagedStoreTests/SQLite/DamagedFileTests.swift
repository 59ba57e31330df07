import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// A damaged file is refused with its name and what to do, and everything in its folder stays as it is.
@Suite struct DamagedFileTests {
    /// The bytes of a store with items, and nothing beside it.
    private static func bytes(items: Int = 200) throws -> Data {
        let store = try TestStore()
        try store.seed(items)
        try store.coordinator.checkpoint()
        try store.coordinator.removePersistentStore()
        return try Data(contentsOf: store.url)
    }

    @discardableResult
    private func open(_ url: URL) throws -> ManagedObjectContext {
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
        try coordinator.addPersistentStore(.sqlite, at: url, options: SQLiteStoreOptions(synchronous: .off))
        return ManagedObjectContext(coordinator: coordinator)
    }

    @discardableResult
    private func expectRefusal(
        _ directory: TemporaryDirectory, _ code: StoreError.Code = .incompatibleStore, _ comment: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let before = try directory.contents()
        let error = expectError(code, sourceLocation: sourceLocation) { try open(directory.file("store.sqlite")) }
        #expect(try directory.contents() == before, "\(comment)", sourceLocation: sourceLocation)
        #expect(error?.message.contains("store.sqlite") == true, "\(comment)", sourceLocation: sourceLocation)
        return error?.message ?? ""
    }

    @Test func aFileTruncatedAnywhereIsRefused() throws {
        let bytes = try Self.bytes()
        let directory = try TemporaryDirectory()
        let lengths =
            Array(stride(from: 4_096, to: bytes.count, by: 4_096)) + [1, 15, 16, 99, 100, 4_095, bytes.count - 1]
        for length in lengths {
            try directory.write(bytes.prefix(length), to: "store.sqlite")
            try expectRefusal(directory, .incompatibleStore, "cut to \(length)")
        }
    }

    /// Some bytes of the header mean nothing, or nothing that could be told to be wrong.
    @Test func aChangedHeaderIsRefusedOrHarmless() throws {
        let bytes = try Self.bytes()
        for position in 0..<100 {
            var changed = bytes
            changed[position] ^= 0xFF
            let directory = try TemporaryDirectory()
            let url = try directory.write(changed, to: "store.sqlite")
            do {
                let names = try open(url).items().map(\.name)
                #expect(names == (0..<200).map { "Item \($0)" }, "byte \(position)")
            } catch let error as StoreError {
                #expect(error.message.contains("store.sqlite"), "byte \(position): \(error)")
                #expect(try directory.contents() == ["store.sqlite": changed], "byte \(position)")
            }
        }
    }

    /// A page that took another one's place: SQLite reads its rows twice.
    @Test func aListOfRowsThatTheFileHasTwiceIsRefused() throws {
        var bytes = try Self.bytes(items: 500)
        let leaves = stride(from: 4_096, to: bytes.count, by: 4_096).filter { start in
            bytes[start] == 13 && bytes[start..<start + 4_096].range(of: Data("Item 1".utf8)) != nil
        }
        try #require(leaves.count > 1)
        bytes.replaceSubrange(leaves[1]..<leaves[1] + 4_096, with: bytes[leaves[0]..<leaves[0] + 4_096])
        let context = try open(try TemporaryDirectory(isKept: true).write(bytes, to: "store.sqlite"))
        let request = FetchRequest(
            Item.self, sortBy: [SortDescriptor(\.name)], predicate: .compare("done", .equal, false))
        let items = try context.fetch(request)
        #expect(Set(items).count < items.count)
        let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
        let error = expectError(.incompatibleStore) { try controller.performFetch() }
        #expect(error?.message.contains("twice") == true)
    }

    @Test func anEncryptedFileIsRefused() throws {
        var generator = SeededGenerator(seed: 7)
        let directory = try TemporaryDirectory()
        let noise = Data((0..<8_192).map { _ in UInt8.random(in: 0...255, using: &generator) })
        try directory.write(noise, to: "store.sqlite")
        #expect(try expectRefusal(directory).contains("encrypted"))
    }

    @Test func aDatabaseThatLostItsTablesIsNotANewOne() throws {
        let directory = try TemporaryDirectory()
        try RawDatabase(directory.file("store.sqlite")).execute("CREATE TABLE birds (name TEXT); DROP TABLE birds")
        #expect(try expectRefusal(directory).contains("has none now"))
    }

    @Test(arguments: [
        ("UPDATE Z_METADATA SET Z_VERSION = 2", "later than 1"), ("DELETE FROM Z_METADATA", "Z_METADATA has no row"),
        ("UPDATE Z_METADATA SET Z_UUID = NULL", "no valid UUID"),
        ("UPDATE Z_METADATA SET Z_PLIST = x'62706C697374303099'", "no property list"),
        ("DROP TABLE Z_PRIMARYKEY", "no Z_PRIMARYKEY"), ("ALTER TABLE ZITEM RENAME TO ZTHING", "no table ZITEM"),
        ("ALTER TABLE ZITEM RENAME TO t; CREATE VIEW ZITEM AS SELECT * FROM t", "no table ZITEM"),
        (
            "DROP TABLE ZITEM; CREATE TABLE ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME VARCHAR, ZDONE INTEGER, ZCREATEDAT REAL)",
            "primary key"
        ),
    ])
    func nonsenseInTheStoresOwnTablesIsSaid(_ sql: String, _ said: String) throws {
        let directory = try TemporaryDirectory()
        let url = try directory.write(try Self.bytes(), to: "store.sqlite")
        try RawDatabase(url).execute("PRAGMA journal_mode = DELETE; \(sql)")
        let message = try expectRefusal(directory)
        #expect(message.contains(said), "\(message)")
    }

    @Test func linksThatLeadInACircleAreRefused() throws {
        let directory = try TemporaryDirectory()
        for (link, other) in [("store.sqlite", "b"), ("b", "store.sqlite")] {
            try FileManager.default.createSymbolicLink(
                at: directory.file(link), withDestinationURL: directory.file(other))
        }
        let error = expectError(.storeFailure) { try open(directory.file("store.sqlite")) }
        #expect(error?.message.contains("store.sqlite cannot be reached") == true)
    }

    @Test func aLinkLeadsToTheStoreAndItsLog() throws {
        let store = try TestStore()
        try store.seed(3)
        let link = store.directory.file("link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: store.url)
        #expect(try open(link).items().count == 3)
        #expect(try !store.directory.names().contains("link.sqlite-wal"))
    }

    /// Root may write anything.
    @Test(.enabled(if: geteuid() != 0), arguments: [0o400, 0o000])
    func aFileWithoutPermissionsIsRefused(_ permissions: Int) throws {
        let directory = try TemporaryDirectory()
        let url = try directory.write(try Self.bytes(), to: "store.sqlite")
        try FileManager.default.setAttributes(
            [.posixPermissions: permissions], ofItemAtPath: url.path(percentEncoded: false))
        let error = expectError(.storeFailure) { try open(url) }
        #expect(error?.message.contains("check its permissions") == true)
        #expect(try directory.names() == ["store.sqlite"])
    }

    @Test(.enabled(if: geteuid() != 0)) func aReadOnlyFolderIsRefused() throws {
        let directory = try TemporaryDirectory()
        let url = try directory.write(try Self.bytes(), to: "store.sqlite")
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: directory.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory.path) }
        let error = expectError(.storeFailure) { try open(url) }
        #expect(error?.message.contains("SQLite keeps its log in the folder") == true)
        #expect(try directory.names() == ["store.sqlite"])
    }

    @Test func damageThatOnlyReadingShowsIsAnErrorThen() throws {
        let directory = try TemporaryDirectory()
        var bytes = try Self.bytes()
        let url = try directory.write(bytes, to: "store.sqlite")
        let firstLeaf = "SELECT pageno FROM dbstat WHERE name = 'ZITEM' AND pagetype = 'leaf' ORDER BY path LIMIT 1"
        let page = try #require(try RawDatabase(url).value(firstLeaf).flatMap { Int($0) })
        bytes.replaceSubrange((page - 1) * 4_096..<page * 4_096, with: Data(repeating: 0xEE, count: 4_096))
        try directory.write(bytes, to: "store.sqlite")
        let context = try open(url)
        let error = expectError(.incompatibleStore) { try context.items() }
        #expect(error?.message.contains("store.sqlite is damaged") == true)
        let coordinator = context.persistentStoreCoordinator
        let uri = try #require(URL(string: "x-coredata://\(coordinator.storeIdentifier?.uuidString ?? "")/Item/p1"))
        let first = try #require(coordinator.managedObjectID(forURIRepresentation: uri))
        expectError(.incompatibleStore) { try context.existingObject(with: first) }
    }

    @Test func keysThatAreNotPositiveAreAnErrorThen() throws {
        let directory = try TemporaryDirectory()
        let url = try directory.write(try Self.bytes(), to: "store.sqlite")
        try RawDatabase(url).execute("UPDATE ZITEM SET Z_PK = -5 WHERE Z_PK = 5")
        let context = try open(url)
        let error = expectError(.incompatibleStore) { try context.items() }
        #expect(error?.message.contains("ZITEM has a row with the key -5") == true)
        expectError(.incompatibleStore) { try context.fetchObjectIDs(FetchRequest(Item.self)) }
    }
}

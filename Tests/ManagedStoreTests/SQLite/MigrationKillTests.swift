import Foundation
import TestSupport
import Testing

@testable import ManagedStore

#if compiler(>=6.2)
    /// A process that is killed while it migrates a file, at every one of its writes.
    @Suite(.serialized) struct MigrationKillTests {
        /// Tell the process to be killed what to open, and when it ends. Exit tests hand down nothing but the
        /// environment.
        private static let (path, moment) = ("MIGRATION_KILL_PATH", "MIGRATION_KILL_MOMENT")
        private static let rows = 300

        private static func oldModel() throws -> ManagedObjectModel {
            try ManagedObjectModel(entities: [VersionedFile.entity("Item")])
        }

        /// Every row is written anew, for the attribute with a default, and tables come to be.
        private static func newModel() throws -> ManagedObjectModel {
            let done = AttributeDescription("done", .boolean, defaultValue: .boolean(true))
            let tags = RelationshipDescription("tags", to: "Tag", inverse: "items", isToMany: true)
            let items = RelationshipDescription("items", to: "Item", inverse: "tags", isToMany: true)
            return try ManagedObjectModel(entities: [
                VersionedFile.entity("Item", done, relationships: [tags]),
                VersionedFile.entity("Tag", relationships: [items]),
            ])
        }

        private static func open(_ url: URL, _ model: ManagedObjectModel) throws -> ManagedObjectContext {
            let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
            try coordinator.addPersistentStore(.sqlite, at: url)
            return ManagedObjectContext(coordinator: coordinator)
        }

        /// A file of the older model. Closed, or as a process leaves it that did not close it: with all rows in the
        /// log.
        private static func oldFile(_ directory: TemporaryDirectory, isClosed: Bool) throws -> URL {
            let made = directory.file("made.sqlite")
            let context = try open(made, oldModel())
            for number in 0..<rows { try context.insert("Item", "Item \(number)") }
            try context.save()
            if isClosed { try context.persistentStoreCoordinator.removePersistentStore() }
            return try copy(made, directory, "old.sqlite")
        }

        /// A copy of the file, with its log.
        private static func copy(_ old: URL, _ directory: TemporaryDirectory, _ name: String) throws -> URL {
            let url = directory.file(name)
            for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: old.path + suffix) {
                try FileManager.default.copyItem(atPath: old.path + suffix, toPath: url.path + suffix)
            }
            return url
        }

        /// Migrates and closes the file that the environment names, up to the moment that it names.
        private static func migrate() throws {
            let environment = ProcessInfo.processInfo.environment
            guard let path = environment[Self.path], let moment = environment[Self.moment].flatMap({ Int($0) }) else {
                return
            }
            // The store looks at a copy of the file, which a killed process leaves behind.
            setenv("TMPDIR", URL(filePath: path).deletingLastPathComponent().path, 1)
            KillingFileSystem.install(at: moment)
            let context = try open(URL(filePath: path), newModel())
            try context.persistentStoreCoordinator.removePersistentStore()
            try "\(KillingFileSystem.writes)".write(toFile: path + "-writes", atomically: true, encoding: .utf8)
        }

        private static func hand(down url: URL, _ moment: Int) {
            setenv(path, url.path, 1)
            setenv(Self.moment, "\(moment)", 1)
        }

        /// How many writes a migration takes that is not disturbed.
        private static func writes(_ old: URL, _ directory: TemporaryDirectory) async throws -> Int {
            let url = try copy(old, directory, "undisturbed.sqlite")
            hand(down: url, .max)
            await #expect(processExitsWith: .success) { try MigrationKillTests.migrate() }
            try checkIsWhole(url, isMigrated: true)
            return try #require(Int(String(contentsOfFile: url.path + "-writes", encoding: .utf8)))
        }

        @Test(arguments: [true, false]) func theFileIsTheOldOneOrTheNewOne(_ isClosed: Bool) async throws {
            let directory = try TemporaryDirectory()
            let old = try Self.oldFile(directory, isClosed: isClosed)
            let writes = try await Self.writes(old, directory)
            try #require(writes > 10)
            var migrated = 0
            for moment in stride(from: 1, through: writes, by: max(writes / 30, 1)) {
                let url = try Self.copy(old, directory, "\(moment).sqlite")
                Self.hand(down: url, moment)
                await #expect(processExitsWith: .signal(SIGKILL)) { try MigrationKillTests.migrate() }
                let isMigrated = try Self.isMigrated(url, directory)
                if isMigrated { migrated += 1 }
                try Self.checkIsWhole(url, isMigrated: isMigrated)
            }
            #expect(migrated > 0 && migrated < writes, "killed before as well as after the migration was committed")
        }

        /// Whether the file has all that is new; some of it is not enough. Looks at a copy, so that the store itself is
        /// the first to find what the process left behind.
        private static func isMigrated(_ url: URL, _ directory: TemporaryDirectory) throws -> Bool {
            let database = try RawDatabase(copy(url, directory, "look-" + url.lastPathComponent))
            #expect(try database.lines("PRAGMA integrity_check") == ["ok"])
            let column = try database.value("SELECT COUNT(*) FROM pragma_table_info('ZITEM') WHERE name = 'ZDONE'")
            let tables = try database.value("SELECT COUNT(*) FROM sqlite_master WHERE name IN ('ZTAG', 'Z_1TAGS')")
            let entities = try database.value("SELECT COUNT(*) FROM Z_PRIMARYKEY")
            let found = [column, tables, entities]
            #expect(found == ["0", "0", "1"] || found == ["1", "2", "2"])
            return found == ["1", "2", "2"]
        }

        /// The file has every row, and opens: one that is not migrated with the older model first, then with the newer
        /// one.
        private static func checkIsWhole(_ url: URL, isMigrated: Bool) throws {
            for model in try (isMigrated ? [] : [oldModel()]) + [newModel()] {
                let context = try open(url, model)
                let names = try context.fetch(FetchRequest<ManagedObject>(entityName: "Item")).map {
                    try $0.value(forKey: "name") as? String ?? ""
                }
                #expect(Set(names) == Set((0..<rows).map { "Item \($0)" }) && names.count == rows)
                try context.persistentStoreCoordinator.removePersistentStore()
            }
            #expect(try RawDatabase(url).lines("PRAGMA integrity_check") == ["ok"])
            #expect(try RawDatabase(url).value("SELECT COUNT(*) FROM ZITEM WHERE ZDONE = 1") == "\(rows)")
        }
    }
#endif

import Foundation
import Testing

@testable import ManagedStore

/// Others have the file open while it is migrated.
@Suite struct MigrationConcurrencyTests {
    private static let note = AttributeDescription("note", .string, isOptional: true)

    @Test func oneOfManyMigratesAndTheOthersFindItDone() async throws {
        for _ in 0..<5 {
            let file = try VersionedFile.withItems()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let context = try file.open(
                            VersionedFile.entity("Album"), VersionedFile.entity("Item", Self.note))
                        _ = try context.only("Item", "name", "a").value(forKey: "note")
                    }
                }
                try await group.waitForAll()
            }
            #expect(try file.database().lines("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY") == ["1|Item", "2|Album"])
        }
    }

    @Test func aContextWithTheOlderModelGoesOn() throws {
        let file = try VersionedFile.withItems()
        let older = try file.open(VersionedFile.entity("Item"))
        let item = try older.only("Item", "name", "a")
        let newer = try file.open(VersionedFile.entity("Item", Self.note))
        try newer.only("Item", "name", "b").setValue("new", forKey: "note")
        try newer.save()
        try item.setValue("changed", forKey: "name")
        try older.insert("Item", "c")
        try older.save()
        #expect(try file.database().lines("SELECT ZNAME, ZNOTE FROM ZITEM") == ["changed|", "b|new", "c|"])
    }

    @Test func aReaderKeepsWhatItSees() throws {
        let file = try VersionedFile.withItems()
        let reader = try file.database()
        try reader.execute("BEGIN")
        #expect(try reader.lines("SELECT COUNT(*) FROM ZITEM") == ["2"])
        let context = try file.open(VersionedFile.entity("Item", Self.note))
        #expect(try reader.lines("SELECT COUNT(*) FROM pragma_table_info('ZITEM')") == ["4"])
        #expect(try context.fetch(FetchRequest(entityName: "Item")).count == 2)
        try reader.execute("COMMIT")
        #expect(try reader.lines("SELECT COUNT(*) FROM pragma_table_info('ZITEM')") == ["5"])
    }

    @Test func aWriterIsWaitedForAndThenGivenUp() throws {
        let file = try VersionedFile.withItems()
        let writer = try file.database()
        try writer.execute("BEGIN IMMEDIATE; DELETE FROM ZITEM WHERE ZNAME = 'a'")
        let coordinator = PersistentStoreCoordinator(
            managedObjectModel: try ManagedObjectModel(entities: [VersionedFile.entity("Item", Self.note)]))
        expectError(.busy) {
            try coordinator.addPersistentStore(
                .sqlite, at: file.url, options: SQLiteStoreOptions(busyTimeoutMilliseconds: 20))
        }
        try writer.execute("COMMIT")
        #expect(
            try file.open(VersionedFile.entity("Item", Self.note)).fetch(FetchRequest(entityName: "Item")).count == 1)
    }
}

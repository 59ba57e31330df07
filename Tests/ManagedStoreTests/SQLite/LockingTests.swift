import Foundation
import ManagedStore
import TestSupport
import Testing

@Suite struct LockingTests {
    private static let impatient = SQLiteStoreOptions(synchronous: .off, busyTimeoutMilliseconds: 20)

    @Test func aLockedFileIsABusyErrorAndTheChangesStay() throws {
        let store = try TestStore(options: Self.impatient)
        let (context, items) = try store.contextWithItems(1)
        let database = try store.database()
        try database.execute("BEGIN IMMEDIATE")
        items[0].name = "changed"
        expectError(.busy) { try context.save() }
        #expect(items[0].isUpdated && context.hasChanges)
        expectError(.busy) { try context.execute(BatchUpdateRequest(Item.self, set: ["done": true])) }
        #expect(try store.context().items().map(\.name) == ["Item 0"])
        try database.execute("COMMIT")
        try context.save()
        #expect(try store.context().items().map(\.name) == ["changed"])
    }

    @Test func readersDoNotWaitForAWriter() throws {
        let store = try TestStore(options: Self.impatient)
        try store.seed(3)
        let database = try store.database()
        try database.execute("BEGIN IMMEDIATE; DELETE FROM ZITEM")
        #expect(try store.context().items().count == 3)
        try database.execute("ROLLBACK")
    }

    @Test func twoCoordinatorsThatMakeTheSameStoreAtOnceShareIt() async throws {
        for _ in 0..<10 {
            let directory = try TemporaryDirectory()
            let url = directory.file("store.sqlite")
            let identifiers = try await withThrowingTaskGroup(of: UUID?.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let coordinator = PersistentStoreCoordinator(
                            managedObjectModel: try ManagedObjectModel(Item.self))
                        try coordinator.addPersistentStore(.sqlite, at: url)
                        return coordinator.storeIdentifier
                    }
                }
                return try await group.reduce(into: Set<UUID?>()) { $0.insert($1) }
            }
            #expect(identifiers.count == 1)
        }
    }

    @Test func aRemovedStoreIsNoLongerThere() throws {
        let store = try TestStore()
        let (context, items) = try store.contextWithItems(1)
        try store.coordinator.removePersistentStore()
        expectError(.noStore) { try context.items() }
        #expect(items[0].name == "Item 0")
        try store.coordinator.addPersistentStore(.sqlite, at: store.url)
        #expect(try context.items() == items)
    }
}

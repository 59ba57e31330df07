import Foundation
import ManagedStore
import TestSupport
import Testing

/// Tells whether any process has locks on a SQLite file, this process included: it asks as the owner of a description
/// of the file, whose locks are not the process's.
private final class LockWatch {
    private let descriptor: Int32

    init?(_ url: URL) {
        descriptor = open(url.path, O_RDWR | O_CLOEXEC)
        if descriptor < 0 { return nil }
    }

    // Not before the test is over, since it takes the locks away.
    deinit { close(descriptor) }

    /// Whether a connection holds the shared lock that keeps others from taking the log away.
    var areHeld: Bool {
        let (getLock, sharedFirst, sharedSize): (Int32, off_t, off_t) = (36, 0x4000_0002, 510)
        var lock = flock()
        (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
        (lock.l_start, lock.l_len) = (sharedFirst, sharedSize)
        return fcntl(descriptor, getLock, &lock) == 0 && lock.l_type == Int16(F_RDLCK)
    }
}

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

    /// A process that closes a file gives up all of the process's locks on it: another process could take the log away.
    @Test(arguments: [false, true]) func anotherCoordinatorLeavesTheLocksOfTheFirst(isReadOnly: Bool) throws {
        let store = try TestStore()
        let (context, items) = try store.contextWithItems(1)
        let locks = try #require(LockWatch(store.url))
        #expect(locks.areHeld)
        for _ in 0..<3 {
            let other = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
            try other.addPersistentStore(
                .sqlite, at: store.url, options: SQLiteStoreOptions(synchronous: .off, isReadOnly: isReadOnly))
            #expect(try ManagedObjectContext(coordinator: other).items().count == 1)
            #expect(locks.areHeld)
            try other.removePersistentStore()
            #expect(locks.areHeld)
        }
        items[0].name = "changed"
        try context.save()
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

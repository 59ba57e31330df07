import Foundation
import Locking
import TestSupport
import Testing

@testable import ManagedStore

/// Saves of several threads that share a transaction.
@Suite struct SharedCommitTests {
    /// Saves, each on a thread of its own, that come while another connection holds the lock: the first one waits for
    /// the lock, and the others for the first one.
    private struct Rush {
        let store: TestStore
        private let queue: SaveQueue
        private let blocker: RawDatabase
        private let group = DispatchGroup()
        private let results = Locked<[Int: Result<Void, any Error>]>([:])

        /// - Parameter change: SQL that the other connection executes before it holds the lock no more.
        init(_ store: TestStore, change: String = "") throws {
            self.store = store
            queue = try #require(try store.context().requireStore() as? SQLiteStore).saves
            blocker = try store.database()
            try blocker.execute("BEGIN IMMEDIATE; \(change)")
        }

        /// Starts a thread, and returns once its save is in the queue.
        func save(_ number: Int, _ change: @escaping @Sendable (ManagedObjectContext) throws -> Void) {
            let before = queue.length
            group.enter()
            Thread { [group, results, store] in
                let result = Result {
                    let context = store.context()
                    try change(context)
                    try context.save()
                    try Self.checkObjects(of: context, store)
                }
                results.withLock { $0[number] = result }
                group.leave()
            }.start()
            while queue.length == before { usleep(500) }
        }

        /// Checks that the context's items are the rows of the store.
        private static func checkObjects(of context: ManagedObjectContext, _ store: TestStore) throws {
            for case let item as Item in context.registeredObjects {
                let stored = try #require(try store.context().existingObject(with: item.objectID) as? Item)
                #expect(stored.name == item.name)
            }
        }

        /// Releases the lock, and returns what came of the saves, in their order.
        func finish() throws -> [Result<Void, any Error>] {
            try blocker.execute("COMMIT")
            group.wait()
            return results.value.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// The number of transactions in a write-ahead log.
    private func transactions(_ store: TestStore) throws -> Int {
        let log = try Data(contentsOf: URL(filePath: store.url.path + "-wal"))
        if log.isEmpty { return 0 }
        func number(_ offset: Int) -> UInt32 { log[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        let frame = 24 + Int(number(8))
        // The last frame of a transaction has the size of the file after it.
        return stride(from: 32, to: log.count, by: frame).count { number($0 + 4) != 0 && number($0 + 8) == number(16) }
    }

    private static func names(_ store: TestStore) throws -> [String] {
        try store.context().items().map(\.name).sorted()
    }

    @Test func savesThatWaitShareATransaction() throws {
        let store = try TestStore()
        try store.seed(1)
        let rush = try Rush(store)
        let before = try transactions(store)
        for number in 1...5 { rush.save(number) { Item("new \(number)", in: $0) } }
        for result in try rush.finish() { try result.get() }
        #expect(try transactions(store) == before + 1)
        #expect(try Self.names(store) == ["Item 0"] + (1...5).map { "new \($0)" })
    }

    @Test(arguments: 1...3) func aConflictStopsNoOtherSaveOfTheTransaction(loser: Int) throws {
        let store = try TestStore()
        try store.seed(3)
        let rush = try Rush(store, change: "UPDATE ZITEM SET Z_OPT = Z_OPT + 1 WHERE Z_PK = \(loser)")
        for number in 1...3 {
            rush.save(number) { context in
                try context.items()[number - 1].name = "changed \(number)"
                Item("new \(number)", in: context)
            }
        }
        let before = try transactions(store)
        for (number, result) in zip(1..., try rush.finish()) {
            if number == loser {
                expectError(.mergeConflict) { try result.get() }
            } else {
                try result.get()
            }
        }
        let names = try Self.names(store)
        for number in 1...3 {
            #expect(names.contains("changed \(number)") == (number != loser))
            #expect(names.contains("new \(number)") == (number != loser))
        }
        // That of the other connection, and a shared one.
        #expect(try transactions(store) == before + 2)
    }

    @Test func laterSavesOfATransactionSeeTheEarlierOnes() throws {
        let store = try TestStore()
        try store.seed(1)
        let rush = try Rush(store)
        let before = try transactions(store)
        for number in 1...3 { rush.save(number) { try $0.items()[0].name = "changed \(number)" } }
        let results = try rush.finish()
        try results[0].get()
        for result in results.dropFirst() { expectError(.mergeConflict) { try result.get() } }
        #expect(try Self.names(store) == ["changed 1"])
        #expect(try transactions(store) == before + 1)
        #expect(store.coordinator.statistics.conflicts == 2)
    }

    @Test func aValueThatMustBeUniqueIsRefusedToOneAlone() throws {
        let store = try TestStore(model: Member.model())
        let rush = try Rush(store)
        for (number, name) in ["a", "b", "a", "c"].enumerated() { rush.save(number) { Member(name, in: $0) } }
        let results = try rush.finish()
        for number in [0, 1, 3] { try results[number].get() }
        let error = expectError(.constraintConflict) { try results[2].get() }
        #expect(error?.constraintConflicts.count == 1)
        #expect(try store.context().fetch(FetchRequest(Member.self)).compactMap(\.email).sorted() == ["a", "b", "c"])
    }

    @Test func aCommitThatFailsOnceIsRepeatedForEach() throws {
        let fileSystem = FaultyFileSystem(.diskFullOnce)
        let store = try TestStore(options: fileSystem.options(SQLiteStoreOptions()))
        let rush = try Rush(store)
        for number in 1...4 { rush.save(number) { Item("new \(number)", in: $0) } }
        fileSystem.arm(1)
        for result in try rush.finish() { try result.get() }
        #expect(fileSystem.wasReached)
        #expect(try Self.names(store) == (1...4).map { "new \($0)" })
        // No connection outlives its file system.
        try withExtendedLifetime(fileSystem) { try store.coordinator.removePersistentStore() }
    }

    @Test func aDiskThatStaysFullIsAnErrorOfEach() throws {
        let fileSystem = FaultyFileSystem(.diskFullLasting)
        let store = try TestStore(options: fileSystem.options(SQLiteStoreOptions()))
        let rush = try Rush(store)
        for number in 1...4 { rush.save(number) { Item("new \(number)", in: $0) } }
        fileSystem.armWrites()
        for result in try rush.finish() { expectError(.diskFull) { try result.get() } }
        fileSystem.lift()
        #expect(try Self.names(store) == [])
        let context = store.context()
        Item("later", in: context)
        try context.save()
        #expect(try Self.names(store) == ["later"])
        // No connection outlives its file system.
        try withExtendedLifetime(fileSystem) { try store.coordinator.removePersistentStore() }
    }

    @Test func savesOfAFileWithTriggersShareNone() throws {
        let store = try TestStore()
        try store.coordinator.removePersistentStore()
        try store.database().execute(
            "CREATE TRIGGER named AFTER INSERT ON ZITEM BEGIN UPDATE ZITEM SET ZDONE = 1 WHERE Z_PK = new.Z_PK; END")
        try store.coordinator.addPersistentStore(.sqlite, at: store.url)
        let rush = try Rush(store)
        let before = try transactions(store)
        for number in 1...3 { rush.save(number) { Item("new \(number)", in: $0) } }
        for result in try rush.finish() { try result.get() }
        #expect(try transactions(store) == before + 3)
        #expect(try store.context().items().count { $0.done } == 3)
    }

    @Test func aStoreThatIsRemovedIsAnErrorOfEach() throws {
        let store = try TestStore()
        let queue = try #require(try store.context().requireStore() as? SQLiteStore).saves
        guard case .lead = queue.turn(for: ChangeSet(entities: [])) else {
            Issue.record("the first one leads")
            return
        }
        let rush = try Rush(store)
        for number in 1...3 { rush.save(number) { Item("new \(number)", in: $0) } }
        try store.coordinator.removePersistentStore()
        queue.endTurn()
        for result in try rush.finish() { expectError(.noStore) { try result.get() } }
        #expect(queue.length == (false, 0))
    }

    @Test func largeSavesAndMetadataDoNotWaitInTheQueue() throws {
        let queue = SaveQueue()
        let (_, items) = try TestStore().contextWithItems(1)
        let rows = ContiguousArray(repeating: items[0].rowReference, count: SaveQueue.mostRows)
        var changes = ChangeSet(entities: [.init(), .init(updates: rows)])
        #expect(queue.accepts(changes))
        changes.links = [LinkChange(join: 0, first: 1, second: 2, isAdded: true)]
        #expect(!queue.accepts(changes))
        changes.links = []
        changes.entities[0].inserts = [items[0].rowReference]
        #expect(!queue.accepts(changes))
        #expect(!queue.accepts(ChangeSet(entities: [], metadata: [:])))
    }

    @Test func anotherOneLeadsWhenATurnEnds() throws {
        let queue = SaveQueue()
        let changes = ChangeSet(entities: [])
        guard case .lead = queue.turn(for: changes) else {
            Issue.record("the first one leads")
            return
        }
        let second = Locked<Bool>(false)
        let thread = Thread {
            if case .lead = queue.turn(for: ChangeSet(entities: [])) { second.exchange(true) }
            queue.endTurn()
        }
        thread.start()
        while queue.length.waiting == 0 { usleep(500) }
        queue.endTurn()
        while !thread.isFinished { usleep(500) }
        #expect(second.value && queue.length == (false, 0))
    }
}

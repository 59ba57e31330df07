import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// What only a store on a server can meet.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLStoreTests {
    /// Another connection to the store's schema, as another program's.
    private func other(_ store: TestStore) throws -> PostgreSQLConnection {
        try PostgreSQLConnection(store.url)
    }

    @Test func aStoreIsFoundAgain() throws {
        let store = try TestStore(.postgreSQL)
        store.coordinator.metadata = ["owner": .string("Ann")]
        try store.seed(3)
        let again = try store.secondCoordinator()
        #expect(again.storeIdentifier == store.coordinator.storeIdentifier)
        #expect(again.metadata == ["owner": .string("Ann")])
        let context = ManagedObjectContext(concurrencyType: .confinement, coordinator: again)
        #expect(try context.items().map(\.name) == ["Item 0", "Item 1", "Item 2"])
    }

    @Test func twoStoresLieSideBySideInTwoSchemas() throws {
        let (one, other) = (try TestStore(.postgreSQL), try TestStore(.postgreSQL))
        try one.seed(2)
        #expect(try other.context().items().isEmpty)
    }

    /// The server says nothing of the order in which it returns rows.
    @Test func rowsWithoutAnOrderComeByTheirKeys() throws {
        let store = try TestStore(.postgreSQL)
        let (context, items) = try store.contextWithItems(100)
        items[3].name = "changed"
        try context.save()
        let fresh = store.context()
        let found = try fresh.fetch(FetchRequest(Item.self)).map(\.objectID)
        #expect(found == items.map(\.objectID))
        var request = FetchRequest(Item.self)
        (request.fetchLimit, request.fetchOffset) = (2, 3)
        #expect(try fresh.fetch(request).map(\.name) == ["changed", "Item 4"])
    }

    /// Keys are reserved in blocks, and no save is as large as what is left of one.
    @Test func theKeysOfOneProcessHaveNoGap() throws {
        let store = try TestStore(.postgreSQL)
        let context = store.context()
        var objects: [Item] = []
        for count in [10, 50, 7, 100, 1, 60] {
            objects += (0..<count).map { Item("Item \($0)", in: context) }
            try context.save()
        }
        let keys = objects.compactMap { Int($0.objectID.uriRepresentation().lastPathComponent.dropFirst()) }
        #expect(keys.sorted() == Array(1...228))
    }

    @Test(arguments: [false, true])
    func theNextOpeningGoesOnAfterTheLastKeyUnlessAnotherProcessHas(isOtherOpen: Bool) throws {
        let store = try TestStore(.postgreSQL)
        try store.seed(3)
        let other = try store.secondCoordinator()
        func save(by coordinator: PersistentStoreCoordinator) throws -> Substring {
            let context = ManagedObjectContext(concurrencyType: .confinement, coordinator: coordinator)
            let item = Item("next", in: context)
            try context.save()
            return item.objectID.uriRepresentation().lastPathComponent.dropFirst()
        }
        if isOtherOpen { #expect(try save(by: other) == "65") }
        try store.coordinator.removePersistentStore()
        #expect(try save(by: other) == (isOtherOpen ? "66" : "4"))
        try other.removePersistentStore()
        #expect(try save(by: store.secondCoordinator()) == (isOtherOpen ? "67" : "5"))
    }

    @Test func aTextWithNULIsRefusedAndNamed() throws {
        let store = try TestStore(.postgreSQL)
        let context = store.context()
        Item("a\0b", in: context)
        let error = expectError(.wrongType) { try context.save() }
        #expect(error?.key == "name" && error?.message.contains("Item.name contains the character NUL") == true)
        #expect(try store.context().items().isEmpty)
    }

    @Test func anEndedConnectionIsReplaced() throws {
        let store = try TestStore(.postgreSQL)
        try store.seed(2)
        let other = try other(store)
        let pool = try #require(try store.coordinator.requireStore() as? PostgreSQLStore).pool
        try pool.use { connection throws(StoreError) in
            let own = try connection.query("SELECT pg_backend_pid()")[0].int64(0)
            _ = try other.query("SELECT pg_terminate_backend(\(own))")
        }
        #expect(try store.context().items().count == 2)
        let context = store.context()
        Item("after", in: context)
        try context.save()
    }

    @Test func aFetchOnTheServerCanBeCancelled() async throws {
        let store = try TestStore(.postgreSQL)
        let pool = try #require(try store.coordinator.requireStore() as? PostgreSQLStore).pool
        let control = FetchControl()
        let cancelled = Task.detached {
            expectError(.cancelled) {
                try pool.use { connection throws(StoreError) in
                    try control.interruptible(by: { connection.cancel() }) { () throws(StoreError) in
                        _ = try connection.query("SELECT pg_sleep(61)")
                    }
                }
            }
        }
        let watcher = try other(store)
        let isRunning = {
            try watcher.query("SELECT 1 FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(61)'").count > 0
        }
        while try !isRunning() { try await Task.sleep(for: .milliseconds(10)) }
        control.cancel()
        #expect(await cancelled.value != nil)
        #expect(try store.context().items().isEmpty)
        // Long before the statement would have ended.
        let start = ContinuousClock.now
        while try isRunning(), ContinuousClock.now < start + .seconds(50) {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try !isRunning())
    }

    @Test func aStatementThatTakesLongerThanTheServerAllowsIsNotCancelled() throws {
        let connection = try other(try TestStore(.postgreSQL))
        try connection.execute("SET statement_timeout = 20")
        let error = expectError(.busy) { try connection.query("SELECT pg_sleep(60)") }
        #expect(error?.sqlState == "57014" && error?.message.contains("statement_timeout") == true)
    }

    /// The server does not sort like this.
    @Test func aBatchDeletionWithinALimitFollowsTheOrder() throws {
        let store = try TestStore(.postgreSQL)
        let context = store.context()
        for name in ["b", "A", "C"] { Item(name, in: context) }
        try context.save()
        var request = FetchRequest(Item.self)
        request.sortDescriptors = [FetchSortDescriptor(key: "name", options: .caseInsensitive)]
        request.fetchLimit = 2
        _ = try store.context().execute(BatchDeleteRequest(fetchRequest: request))
        #expect(try store.context().items().map(\.name) == ["C"])
    }

    @Test(arguments: [0, .max]) func anyBusyTimeoutIsTaken(_ milliseconds: Int) throws {
        let store = try TestStore(.postgreSQL)
        let coordinator = PersistentStoreCoordinator(managedObjectModel: store.coordinator.managedObjectModel)
        let options = PostgreSQLStoreOptions(busyTimeoutMilliseconds: milliseconds)
        try coordinator.addPersistentStore(.postgreSQL, at: store.url, options: options)
        let context = ManagedObjectContext(concurrencyType: .confinement, coordinator: coordinator)
        Item("a", in: context)
        try context.save()
        #expect(try store.context().items().count == 1)
    }

    /// A check of references must see what its locks waited for.
    @Test func theServersDefaultIsolationDoesNotMatter() throws {
        let store = try TestStore(.postgreSQL)
        let context = try context(on: store, "-c default_transaction_isolation=serializable")
        Item("a", in: context)
        try context.save()
        let pool = try #require(try context.persistentStoreCoordinator.requireStore() as? PostgreSQLStore).pool
        let level = try pool.transaction { connection throws(StoreError) in
            try connection.query("SHOW transaction_isolation")[0].string(0)
        }
        #expect(level == "read committed")
    }

    @Test func whoMayOnlyReadReads() throws {
        let store = try TestStore(.postgreSQL)
        try store.seed(2)
        let context = try context(on: store, "-c default_transaction_read_only=on")
        #expect(try context.items().count == 2)
        Item("a", in: context)
        #expect(expectError(.storeFailure) { try context.save() }?.message.contains("can only be read") == true)
    }

    /// A context on the same schema, with further settings of the server.
    private func context(on store: TestStore, _ options: String) throws -> ManagedObjectContext {
        var components = try #require(URLComponents(url: store.url, resolvingAgainstBaseURL: false))
        components.queryItems = (components.queryItems ?? []).map { item in
            item.name == "options" ? URLQueryItem(name: "options", value: "\(item.value ?? "") \(options)") : item
        }
        let coordinator = PersistentStoreCoordinator(managedObjectModel: store.coordinator.managedObjectModel)
        try coordinator.addPersistentStore(.postgreSQL, at: components.url)
        return ManagedObjectContext(concurrencyType: .confinement, coordinator: coordinator)
    }

    @Test func aValueTooLongForAnIndexIsNamed() throws {
        let item = EntityDescription(
            name: "Item", attributes: [VersionedFile.name], uniquenessConstraints: [["name"]])
        let store = try TestStore(.postgreSQL, model: try ManagedObjectModel(entities: [item]))
        let context = store.context()
        // What repeats would be compressed.
        try context.insert("Item", (0..<2_000).map { "\($0 * $0 % 7_919)" }.joined())
        let error = expectError(.storeFailure) { try context.save() }
        let message = try #require(error?.message)
        #expect(message.contains("for index \"Z_Item_UNIQUE_name\"") && message.contains("; shorten it"), "\(message)")
    }

    /// More than a statement takes.
    @Test func longValuesOfManyRowsAreSaved() throws {
        let store = try TestStore(.postgreSQL)
        let context = store.context()
        let items = (0..<20).map { Item(String(repeating: "x", count: 1 << 20) + "\($0)", at: Double($0), in: context) }
        try context.save()
        for (index, item) in items.enumerated() { item.name = String(repeating: "y", count: 1 << 20) + "\(index)" }
        try context.save()
        let found = try store.context().items()
        #expect(found.count == 20)
        #expect(found.enumerated().allSatisfy { $1.name.hasPrefix("yy") && $1.name.hasSuffix("y\($0)") })
    }

    @Test func aDatabaseThatDoesNotFitIsLeftAsItIs() throws {
        let store = try TestStore(.postgreSQL)
        try store.seed(1)
        try other(store).execute("ALTER TABLE \"ZITEM\" DROP COLUMN \"ZNAME\"")
        let error = expectError(.incompatibleStore) { try store.secondCoordinator() }
        #expect(error?.message.contains("table ZITEM lacks ZNAME") == true)
        let wider = try ManagedObjectModel(Item.self, Everything.self, Account.self)
        let another = expectError(.incompatibleStore) { try store.secondCoordinator(wider) }
        #expect(another?.message.contains("the database has no entity Account") == true)
    }

    /// Rows of an entity that only another program's model has are not this model's.
    @Test func rowsOfUnknownEntitiesAreNotTouched() throws {
        let book = VersionedFile.entity("Book")
        let atlas = VersionedFile.entity("Atlas", superentity: book)
        let store = try TestStore(.postgreSQL, model: try ManagedObjectModel(entities: [book, atlas]))
        let context = store.context()
        for name in ["Book", "Atlas"] { try context.insert(name, name) }
        try context.save()
        let narrow = try ManagedObjectModel(entities: [VersionedFile.entity("Book")])
        let other = ManagedObjectContext(
            concurrencyType: .confinement, coordinator: try store.secondCoordinator(narrow))
        let request = FetchRequest<ManagedObject>(entityName: "Book")
        #expect(try other.fetch(request).map { try $0.value(forKey: "name") as? String } == ["Book"])
        #expect(try other.count(for: request) == 1)
        _ = try other.execute(BatchDeleteRequest(fetchRequest: request))
        #expect(try store.context().count(for: request) == 1)
        let apart = try ManagedObjectModel(entities: [VersionedFile.entity("Book"), VersionedFile.entity("Atlas")])
        let error = expectError(.incompatibleStore) { try store.secondCoordinator(apart) }
        #expect(error?.message.contains("Atlas inherits from Book in the database, from none in the model") == true)
    }

    /// They are written by the range of their keys.
    @Test func neighboursThatTakeOnTheSameValuesAreWrittenAndConflictOneByOne() throws {
        let store = try TestStore(.postgreSQL)
        let (context, items) = try store.contextWithItems(100)
        store.coordinator.resetStatistics()
        for item in items[10..<90] where item !== items[50] { (item.name, item.done) = ("same", true) }
        try context.save()
        // The transaction begins and ends, a token is written, and two ranges.
        #expect(store.statementCount == 5 && store.coordinator.statistics.rows == 79)
        let other = store.context()
        let others = try other.items()
        let changed = others.indices.filter { others[$0].name == "same" && others[$0].done }
        #expect(changed == Array(10..<50) + Array(51..<90) && others.count { $0.done } == 79)
        others[30].name = "other"
        try other.save()
        for item in items[10..<40] { item.name = "again" }
        let error = expectError(.mergeConflict) { try context.save() }
        #expect(error?.conflicts.map(\.objectID) == [items[30].objectID])
        #expect(try store.context().items().count { $0.name == "again" } == 0)
    }

    @Test func savesThatLockCrosswiseBothEndWell() throws {
        let store = try TestStore(.postgreSQL)
        let ids = try store.seed(40)
        DispatchQueue.concurrentPerform(iterations: 4) { lane in
            for round in 0..<10 {
                let context = store.context()
                do {
                    for id in lane.isMultiple(of: 2) ? ids : ids.reversed() {
                        try context.item(id).name = "\(lane) \(round)"
                    }
                    try context.save()
                } catch let error as StoreError where error.code == .mergeConflict {
                    // Another lane was faster.
                } catch {
                    Issue.record(error)
                }
            }
        }
        let names = Set(try store.context().items().map(\.name))
        #expect(names.count == 1)
    }
}

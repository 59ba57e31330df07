import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// Rows arrive as they are touched, a batch at a time.
@Suite struct BatchedFetchTests {
    private func request(_ size: Int, predicate: FetchPredicate? = nil) -> FetchRequest<Item> {
        var request = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)], predicate: predicate)
        request.fetchBatchSize = size
        return request
    }

    /// What `body` asked of the store: SQL statements of a file, rows copied out of memory.
    private func cost(_ store: TestStore, _ body: () throws -> Void) rethrows -> Int {
        store.coordinator.resetStatistics()
        try body()
        let statistics = store.coordinator.statistics
        return statistics.statements ?? statistics.rows ?? 0
    }

    @Test func keysAreReadFirstAndThenBatchAfterBatch() throws {
        let store = try TestStore(.sqlite)
        try store.seed(95)
        let context = store.context()
        // Opens the connection.
        _ = try context.count(for: request(0))
        var items: [Item] = []
        #expect(try cost(store) { items = try context.fetch(request(10)) } == 1)
        #expect(items.count == 95 && items.allSatisfy(\.isFault))
        #expect(cost(store) { _ = items[0].name } == 1)
        #expect(cost(store) { _ = items[..<10].map(\.name) } == 0)
        #expect(cost(store) { _ = items[57].name } == 1)
        #expect(cost(store) { _ = items[50..<60].map(\.name) } == 0)
        #expect(cost(store) { for item in items { _ = item.done } } == 8)
        #expect(items.map(\.name) == (0..<95).map { "Item \($0)" })
    }

    @Test func onlyTheRowsOfABatchAreRead() throws {
        let store = try TestStore(.inMemory)
        try store.seed(50)
        let context = store.context()
        let items = try context.fetch(request(8))
        #expect(cost(store) { _ = items[17].name } == 8)
        #expect(items.indices.filter { !items[$0].state.contains(.isHollow) } == Array(16..<24))
        #expect(items[16].isFault && !items[17].isFault)
        #expect(cost(store) { _ = items[49].name } == 2)
    }

    @Test func objectsWithoutAReferenceAreNotRead() throws {
        let store = try TestStore(.inMemory)
        try store.seed(10)
        let context = store.context()
        var items = try context.fetch(request(10))
        items.removeSubrange(2..<9)
        #expect(cost(store) { _ = items[0].name } == 3)
        #expect(items.map(\.name) == ["Item 0", "Item 1", "Item 9"])
    }

    @Test(arguments: [1, 7, 300, 5_000]) func aBatchOfAnySizeIsOneQuery(_ size: Int) throws {
        let store = try TestStore(.sqlite)
        try store.seed(600)
        let context = store.context()
        let items = try context.fetch(request(size))
        #expect(cost(store) { for item in items { _ = item.name } } == (600 + size - 1) / size)
        #expect(items.map(\.name) == (0..<600).map { "Item \($0)" })
    }

    @Test(arguments: Backend.allCases) func limitsOffsetsAndPredicatesCount(_ backend: Backend) throws {
        let store = try TestStore(backend)
        try store.seed(30)
        var request = request(4, predicate: .compare("name", .notEqual, "Item 12"))
        (request.fetchOffset, request.fetchLimit) = (10, 6)
        let context = store.context()
        let numbers = [10, 11, 13, 14, 15, 16]
        #expect(try context.fetch(request).map(\.name) == numbers.map { "Item \($0)" })
        request.sortDescriptors = [FetchSortDescriptor(key: "createdAt", ascending: false)]
        (request.fetchOffset, request.fetchLimit) = (0, 3)
        #expect(try context.fetch(request).map(\.name) == ["Item 29", "Item 28", "Item 27"])
    }

    @Test(arguments: Backend.allCases) func knownObjectsStayWhoAndAsTheyAre(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, known) = try store.contextWithItems(6)
        let other = store.context()
        for item in try other.items() { item.done = true }
        try other.save()
        let items = try context.fetch(request(3))
        #expect(items == known && items.allSatisfy { !$0.done })
        var refreshing = request(3)
        refreshing.shouldRefreshRefetchedObjects = true
        known[2].name = "mine"
        #expect(try context.fetch(refreshing) == known)
        #expect(known.map(\.done) == [true, true, false, true, true, true] && known[2].name == "mine")
    }

    @Test(arguments: Backend.allCases) func faultsOfTheContextJoinABatch(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let ids = try store.seed(6)
        let context = store.context()
        let faults = ids.map { context.object(with: $0) }
        let items = try context.fetch(request(6))
        #expect(items == faults)
        _ = items[3].name
        #expect(items.allSatisfy { !$0.state.contains(.isHollow) })
    }

    @Test(arguments: Backend.allCases) func aBatchShowsWhatTheStoreHasWhenItIsRead(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let ids = try store.seed(6)
        // A test holds the old rows, and the cache with them.
        let holder = store.context()
        let held = try holder.items()
        _ = held.map(\.name)
        let context = store.context()
        let items = try context.fetch(request(3))
        _ = try store.context().execute(BatchUpdateRequest(Item.self, set: ["done": true]))
        #expect(items.map(\.done) == [true, true, true, true, true, true])
        #expect(held.allSatisfy { !$0.done } && items.map(\.objectID) == ids)
    }

    @Test(arguments: Backend.allCases) func aDeletedRowReadsAsEmptyAndTheOthersAsTheyAre(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let ids = try store.seed(6)
        let context = store.context()
        let items = try context.fetch(request(3))
        let other = store.context()
        for index in [1, 3] { other.delete(try other.item(ids[index])) }
        try other.save()
        #expect(items[0].name == "Item 0" && items[2].name == "Item 2")
        #expect(items[1].name == "" && items[1].managedObjectContext == nil)
        #expect(items[3].name == "" && items[3].managedObjectContext == nil)
        #expect(items[4].name == "Item 4" && items[5].name == "Item 5")
        #expect(try context.fetch(request(3)).map(\.name) == ["Item 0", "Item 2", "Item 4", "Item 5"])
    }

    @Test(arguments: Backend.allCases) func faultsOfABatchCanBeChangedDeletedAndSaved(_ backend: Backend) throws {
        let store = try TestStore(backend)
        try store.seed(6)
        let context = store.context()
        let items = try context.fetch(request(3))
        items[1].name = "changed"
        context.delete(items[4])
        try context.save()
        #expect(try store.context().items().map(\.name) == ["Item 0", "changed", "Item 2", "Item 3", "Item 5"])
        #expect(items[3].name == "Item 3")
    }

    @Test(arguments: Backend.allCases) func refreshedFaultsAreReadByThemselves(_ backend: Backend) throws {
        let store = try TestStore(backend)
        try store.seed(4)
        let context = store.context()
        let items = try context.fetch(request(4))
        try context.refresh(items[0], mergeChanges: false)
        try context.refresh(items[1], mergeChanges: true)
        #expect(items.map(\.name) == (0..<4).map { "Item \($0)" })
        try context.refreshAllObjects()
        #expect(items.map(\.name) == (0..<4).map { "Item \($0)" })
    }

    @Test(arguments: Backend.allCases) func unsavedChangesTakeTheirPlaces(_ backend: Backend) throws {
        let store = try TestStore(backend)
        try store.seed(40)
        let context = store.context()
        let items = try context.items()
        items[30].createdAt = Date(timeIntervalSinceReferenceDate: 4.5)
        context.delete(items[2])
        Item("new", at: 20.5, in: context)
        let expected = try context.items().map(\.name)
        let fresh = try context.fetch(request(5))
        #expect(fresh.map(\.name) == expected)
        var limited = request(5)
        (limited.fetchOffset, limited.fetchLimit) = (3, 3)
        #expect(try context.fetch(limited).map(\.name) == Array(expected[3..<6]))
        #expect(try context.count(for: limited) == 3)
    }

    @Test func unsavedChangesReadOnlyTheBatchesThatTheyAreComparedWith() throws {
        let store = try TestStore(.sqlite)
        try store.seed(1_000)
        let context = store.context()
        _ = try context.count(for: request(0))
        Item("new", at: 250.5, in: context)
        var items: [Item] = []
        // The keys, and at most as many batches as a binary search has steps.
        #expect(try cost(store) { items = try context.fetch(request(10)) } <= 11)
        #expect(items[251].name == "new")
        #expect(items.count { $0.state.contains(.isHollow) } >= 900)
    }

    @Test(arguments: Backend.allCases) func entitiesThatInheritHaveBatchesOfTheirOwn(_ backend: Backend) throws {
        let store = try TestStore(backend, model: try Figures.model())
        let writer = store.context()
        for number in 0..<12 as Range<Int64> {
            let figure = number % 3 == 0 ? Square(context: writer) : Circle(context: writer)
            (figure.name, figure.order) = ("\(number)", number)
        }
        try writer.save()
        writer.reset()
        let context = store.context()
        var request = FetchRequest(Figure.self, sortBy: [SortDescriptor(\.order)])
        request.fetchBatchSize = 3
        let figures = try context.fetch(request)
        #expect(figures.map { $0 is Square } == (0..<12).map { $0 % 3 == 0 })
        _ = figures[4].name
        #expect(figures.indices.filter { !figures[$0].state.contains(.isHollow) } == [1, 2, 4])
        _ = figures[9].name
        #expect(figures.indices.filter { !figures[$0].state.contains(.isHollow) } == [1, 2, 4, 9])
        #expect(figures.map(\.name) == (0..<12).map { "\($0)" })
    }

    @Test(arguments: Backend.allCases) func aChildContextFetchesInBatches(_ backend: Backend) throws {
        let store = try TestStore(backend)
        try store.seed(6)
        let parent = store.context()
        Item("new", at: 2.5, in: parent)
        let child = try ManagedObjectContext(parent: parent)
        let items = try child.fetch(request(2))
        #expect(items.allSatisfy { $0.state.contains(.isHollow) })
        #expect(items.map(\.name) == ["Item 0", "Item 1", "Item 2", "new", "Item 3", "Item 4", "Item 5"])
    }

    @Test(arguments: Backend.allCases) func aControllerReadsEverythingAtOnce(_ backend: Backend) throws {
        let store = try TestStore(backend)
        try store.seed(6)
        let controller = FetchedResultsController(fetchRequest: request(2), managedObjectContext: store.context())
        try controller.performFetch()
        #expect(controller.fetchedObjects?.allSatisfy { !$0.isFault } == true)
    }

    @Test(arguments: Backend.allCases) func nothingIsFoundInNoBatch(_ backend: Backend) throws {
        #expect(try TestStore(backend).context().fetch(request(5)).isEmpty)
        expectError(.invalidRequest) { try TestStore(backend).context().fetch(request(-1)) }
    }

    @Test(arguments: Backend.allCases, [11, 12, 13, 14] as [UInt64])
    func aFetchInBatchesFindsWhatAnyFetchFinds(_ backend: Backend, _ seed: UInt64) throws {
        var random = RandomRows(seed: seed, for: backend)
        let store = try TestStore(backend)
        let writer = store.context()
        for _ in 0..<60 { try random.fill(Everything(context: writer)) }
        try writer.save()
        for _ in 0..<30 {
            var request = FetchRequest(Everything.self, predicate: random.predicate())
            request.sortDescriptors = random.sort()
            if random.generator.oneIn(2) { request.fetchLimit = Int.random(in: 0..<30, using: &random.generator) }
            if random.generator.oneIn(2) { request.fetchOffset = Int.random(in: 0..<30, using: &random.generator) }
            let (plain, batched) = (store.context(), store.context())
            if random.generator.oneIn(2) {
                for context in [plain, batched] { try context.edit(seed) }
            }
            var inBatches = request
            inBatches.fetchBatchSize = Int.random(in: 1..<20, using: &random.generator)
            let (left, right) = (try plain.fetch(request), try batched.fetch(inBatches))
            #expect(left.map(\.described) == right.map(\.described), "seed \(seed): \(request)")
        }
    }
}

extension ManagedObjectContext {
    /// Changes, deletes and inserts some objects, the same for the same seed.
    fileprivate func edit(_ seed: UInt64) throws {
        var random = RandomRows(seed: seed)
        var request = FetchRequest(Everything.self)
        request.fetchBatchSize = 7
        for object in try fetch(request) {
            switch Int.random(in: 0..<6, using: &random.generator) {
            case 0: try random.fill(object)
            case 1: delete(object)
            default: break
            }
        }
        for _ in 0..<5 { try random.fill(Everything(context: self)) }
    }
}

extension Everything {
    /// The key, unless it is temporary, and the values.
    fileprivate var described: String {
        let key = row.key > 0 ? "\(row.key)" : "new"
        return ([key] + entity.attributes.map { "\((try? storedValue(forKey: $0.name)) ?? .null)" }).joined(
            separator: " ")
    }
}

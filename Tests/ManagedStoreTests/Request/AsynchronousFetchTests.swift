import Foundation
import Locking
import ManagedStore
import TestSupport
import Testing

/// Asynchronous fetching, to the letter.
@Suite struct AsynchronousFetchTests {
    /// A store with items, and a private-queue context on it.
    private func context(_ backend: Backend, _ count: Int = 100) throws -> ManagedObjectContext {
        let store = try TestStore(backend)
        try store.seed(count)
        return store.context(.privateQueue)
    }

    static let request = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)])

    @Test(arguments: Backend.strictly, [ManagedObjectContext.ConcurrencyType.privateQueue, .mainQueue])
    func itDeliversOnceOnTheQueueWithTheSameObject(
        _ backend: Backend, _ type: ManagedObjectContext.ConcurrencyType
    ) async throws {
        let store = try TestStore(backend)
        try store.seed(100)
        let context = store.context(type)
        let run = try await AsynchronousRun.start(Self.request, on: context)
        await run.delivered()
        try await context.perform {
            #expect(run.deliveries.value == 1)
            #expect(run.wasSameObject.value && run.wasOnQueue.value)
            #expect(run.result.finalResult?.map(\.name) == (0..<100).map { "Item \($0)" })
            #expect(run.result.operationError == nil && !run.result.isCancelled)
        }
    }

    @Test(arguments: Backend.strictly) func itReturnsAtOnceWithoutAResult(_ backend: Backend) async throws {
        let context = try context(backend)
        let run = try await context.perform {
            let run = try AsynchronousRun(Self.request, on: context)
            // Still within the block, so that nothing can have been delivered.
            #expect(run.result.finalResult == nil && run.deliveries.value == 0)
            #expect(run.result.fetchRequest.entityName == "Item" && run.result.managedObjectContext === context)
            return run
        }
        await run.delivered()
    }

    @Test(arguments: Backend.strictly) func aConfinementContextIsRefusedInTheseWords(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let context = store.context()
        let called = Locked(false)
        let request = AsynchronousFetchRequest(fetchRequest: Self.request) { _ in called.withLock { $0 = true } }
        store.coordinator.resetStatistics()
        let error = expectError(.concurrency) { try context.execute(request) }
        let message = try #require(error?.message)
        let pattern = try Regex(
            "ConfinementConcurrencyType context <ManagedObjectContext: 0x[0-9a-f]+> cannot support asynchronous fetch "
                + "request <AsynchronousFetchRequest: 0x[0-9a-f]+> with fetch request <FetchRequest: 0x[0-9a-f]+> "
                + #"\(entity: Item; predicate: \(\(null\)\); sortDescriptors: \(\(createdAt, ascending\)\); "#
                + #"type: ManagedObjectResultType\); make the context with .privateQueue or .mainQueue"#)
        #expect(message.wholeMatch(of: pattern) != nil, "\(message)")
        #expect(!called.value && store.statementCount == 0)
    }

    @Test(arguments: [FetchResultType.count, .managedObjectID])
    func onlyObjectsAreFetchedAsynchronously(_ type: FetchResultType) async throws {
        let context = try context(.inMemory)
        try await context.perform {
            var request = Self.request
            request.resultType = type
            expectError(.invalidRequest) { try context.execute(AsynchronousFetchRequest(fetchRequest: request)) }
        }
    }

    @Test func aRequestThatMakesNoSenseIsRefusedAtOnce() async throws {
        let context = try context(.inMemory)
        try await context.perform {
            let request = FetchRequest(Item.self, predicate: .compare("nothing", .equal, 1 as Int64))
            expectError(.unknownKey) { try context.execute(AsynchronousFetchRequest(fetchRequest: request)) }
        }
    }

    @Test func anErrorOfTheStoreIsDelivered() async throws {
        let store = try TestStore()
        try store.seed(3)
        let context = store.context(.privateQueue)
        let database = try store.database()
        try database.execute("ALTER TABLE ZITEM RENAME TO elsewhere")
        let run = try await AsynchronousRun.start(Self.request, on: context)
        await run.delivered()
        try await context.perform {
            #expect(run.result.operationError?.code == .storeFailure)
            #expect(run.result.finalResult?.isEmpty == true && !run.result.isCancelled)
        }
    }

    @Test(arguments: Backend.strictly) func progressEndsAtTheNumberOfRecords(_ backend: Backend) async throws {
        let context = try context(backend)
        let run = try await AsynchronousRun.start(Self.request, on: context)
        #expect(run.result.progress.isCancellable)
        await run.delivered()
        #expect(run.result.progress.totalUnitCount == 100 && run.result.progress.completedUnitCount == 100)
        #expect(run.result.progress.isFinished)
    }

    @Test(arguments: Backend.strictly) func progressIsIndeterminateUnlessEstimated(_ backend: Backend) async throws {
        let context = try context(backend)
        let runs = try await context.perform {
            let plain = try AsynchronousRun(Self.request, on: context)
            #expect(plain.result.progress.isIndeterminate)
            let estimated = try AsynchronousRun(Self.request, on: context) { $0.estimatedResultCount = 500 }
            #expect(estimated.result.progress.totalUnitCount == 500)
            return [plain, estimated]
        }
        for run in runs { await run.delivered() }
        #expect(runs[1].result.progress.totalUnitCount == 100)
    }

    @Test(arguments: Backend.strictly) func progressIsAChildOfTheCurrentOne(_ backend: Backend) async throws {
        let context = try context(backend)
        let parent = Progress(totalUnitCount: 10)
        let run = try await context.perform {
            parent.becomeCurrent(withPendingUnitCount: 10)
            defer { parent.resignCurrent() }
            return try AsynchronousRun(Self.request, on: context)
        }
        await run.delivered()
        #expect(parent.fractionCompleted == 1)
    }

    @Test(arguments: Backend.strictly) func recordsAreReportedWhileTheyAreFound(_ backend: Backend) async throws {
        let context = try context(backend, 20_000)
        let numbers = Locked<[Int]>([])
        let run = try await context.perform {
            let run = try AsynchronousRun(Self.request, on: context)
            run.result.progressHandler = { number in numbers.withLock { $0.append(number) } }
            return run
        }
        let updates = run.result.progressUpdates
        var last = 0
        for await number in updates {
            #expect(number >= last)
            last = number
        }
        await run.delivered()
        #expect(last == 20_000 && numbers.value.last == 20_000)
        #expect(numbers.value == numbers.value.sorted())
        for await _ in run.result.progressUpdates {}
    }

    @Test(arguments: Backend.strictly) func countingBeforehandDeliversTheSame(_ backend: Backend) async throws {
        let context = try context(backend)
        let run = try await context.perform {
            try AsynchronousRun(Self.request, on: context) { $0.countsBeforehand = true }
        }
        await run.delivered()
        #expect(run.result.progress.totalUnitCount == 100)
    }

    @Test(arguments: Backend.strictly) func theAsyncFormHandsOverWhatItsBodyMakes(_ backend: Backend) async throws {
        let context = try context(backend)
        #expect(try await context.fetch(Self.request) { $0.map(\.name) }.count == 100)
        await #expect(throws: StoreError.self) {
            try await context.fetch(FetchRequest(Item.self, predicate: .isNil("nothing"))) { $0.count }
        }
        await #expect(throws: Failure.self) { try await context.fetch(Self.request) { _ in throw Failure() } }
    }

    private struct Failure: Error {}

    @Test func theAsyncFormOnAConfinementContextIsAnError() async throws {
        let context = try TestStore(.inMemory).context()
        await #expect(throws: StoreError.self) { try await context.fetch(Self.request) { $0.count } }
    }
}

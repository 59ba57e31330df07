import Foundation
import Locking
import ManagedStore
import TestSupport
import Testing

@Suite struct AsynchronousCancellationTests {
    private static let request = AsynchronousFetchTests.request

    private func context(_ backend: Backend, _ count: Int = 100) throws -> ManagedObjectContext {
        let store = try TestStore(backend)
        try store.seed(count)
        return store.context(.privateQueue)
    }

    /// Expects the fetch to have ended as a cancelled one does.
    private func expectCancelled(_ run: AsynchronousRun) async throws {
        await run.delivered()
        try await run.result.managedObjectContext.perform {
            #expect(run.deliveries.value == 1)
            #expect(run.result.isCancelled)
            #expect(run.result.finalResult?.isEmpty == true && run.result.operationError == nil)
        }
    }

    @Test(arguments: Backend.all) func cancellingTheResultBeforeDelivery(_ backend: Backend) async throws {
        let context = try context(backend)
        let run = try await context.perform {
            let run = try AsynchronousRun(Self.request, on: context)
            run.result.cancel()
            return run
        }
        try await expectCancelled(run)
        #expect(run.result.progress.isCancelled)
    }

    @Test(arguments: Backend.all) func cancellingItsProgressBeforeDelivery(_ backend: Backend) async throws {
        let context = try context(backend)
        let run = try await context.perform {
            let run = try AsynchronousRun(Self.request, on: context)
            run.result.progress.cancel()
            return run
        }
        try await expectCancelled(run)
    }

    @Test(arguments: Backend.all) func cancellingTheParentProgressBeforeDelivery(_ backend: Backend) async throws {
        let context = try context(backend)
        let parent = Progress(totalUnitCount: 1)
        let run = try await context.perform {
            parent.becomeCurrent(withPendingUnitCount: 1)
            defer { parent.resignCurrent() }
            let run = try AsynchronousRun(Self.request, on: context)
            parent.cancel()
            return run
        }
        try await expectCancelled(run)
    }

    @Test(arguments: Backend.all) func aParentThatIsCancelledAlreadyCancels(_ backend: Backend) async throws {
        let context = try context(backend)
        for _ in 0..<20 {
            let run = try await context.perform {
                let parent = Progress(totalUnitCount: 1)
                parent.cancel()
                parent.becomeCurrent(withPendingUnitCount: 1)
                defer { parent.resignCurrent() }
                return try AsynchronousRun(Self.request, on: context)
            }
            try await expectCancelled(run)
        }
    }

    @Test(arguments: Backend.all) func cancellingAfterDeliveryDoesNothing(_ backend: Backend) async throws {
        let context = try context(backend)
        let run = try await AsynchronousRun.start(Self.request, on: context)
        await run.delivered()
        run.result.cancel()
        run.result.progress.cancel()
        try await context.perform {
            #expect(!run.result.isCancelled && run.result.finalResult?.count == 100 && run.deliveries.value == 1)
        }
    }

    @Test(arguments: Backend.all) func cancellingInTheCompletionBlockDoesNothing(_ backend: Backend) async throws {
        let context = try context(backend)
        let counts = try await context.perform {
            let counts = Locked<[Int]>([])
            let request = AsynchronousFetchRequest(fetchRequest: Self.request) { result in
                result.cancel()
                counts.withLock { $0.append(result.isCancelled ? -1 : result.finalResult?.count ?? -2) }
            }
            try context.execute(request)
            return counts
        }
        while counts.value.isEmpty { try await context.perform {} }
        #expect(counts.value == [100])
    }

    @Test(arguments: Backend.all) func cancellingAtAnyMomentDeliversOnceAndConsistently(_ backend: Backend)
        async throws
    {
        let context = try context(backend, 10_000)
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<EveryTest.rounds(15, of: 40) {
            let run = try await AsynchronousRun.start(Self.request, on: context)
            let pause = UInt32.random(in: 0..<12_000, using: &generator)
            await Task.detached {
                usleep(pause)
                run.result.cancel()
            }.value
            await run.delivered()
            let count = try await context.perform { run.result.finalResult?.count }
            #expect(run.deliveries.value == 1)
            #expect(count == (run.result.isCancelled ? 0 : 10_000))
        }
    }

    @Test(arguments: Backend.all) func cancellingOneFetchLeavesOthersAlone(_ backend: Backend) async throws {
        let context = try context(backend, 10_000)
        for _ in 0..<EveryTest.rounds(4, of: 10) {
            let runs = try await context.perform {
                try (0..<3).map { _ in try AsynchronousRun(Self.request, on: context) }
            }
            runs[1].result.cancel()
            for run in runs { await run.delivered() }
            let counts = try await context.perform { [0, 2].map { runs[$0].result.finalResult?.count } }
            #expect(counts == [10_000, 10_000])
        }
        #expect(try await context.perform { try context.items().count } == 10_000)
    }

    @Test(arguments: Backend.all) func cancellingTheTaskCancelsTheFetch(_ backend: Backend) async throws {
        let context = try context(backend, 10_000)
        for pause in [0, 500, 3_000] as [UInt32] {
            let task = Task.detached { try await context.fetch(Self.request) { $0.count } }
            usleep(pause)
            task.cancel()
            switch await task.result {
            case .success(let count): #expect(count == 10_000)
            case .failure(let error): #expect(error is CancellationError, "\(error)")
            }
        }
    }

    @Test func aTaskThatIsCancelledAlreadyFetchesNothing() async throws {
        let context = try context(.sqlite)
        for _ in 0..<20 {
            let task = Task.detached {
                while !Task.isCancelled { await Task.yield() }
                return try await context.fetch(Self.request) { $0.count }
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }
}

import Foundation
import Locking
import TestSupport
import Testing

@testable import ManagedStore

/// One coordinator under many threads at once. To be run under the thread sanitizer too, which sees what luck hides.
@Suite struct ManyThreadsTests {
    /// Runs `body` on so many threads at once, and throws the first error of any.
    private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) async throws {
        let failure = Locked<(any Error)?>(nil)
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let group = DispatchGroup()
            for index in 0..<count {
                group.enter()
                Thread {
                    do { try body(index) } catch { failure.withLock { $0 = $0 ?? error } }
                    group.leave()
                }.start()
            }
            group.notify(queue: .global()) { done.resume() }
        }
        if let error = failure.value { throw error }
    }

    @Test(arguments: Backend.allCases) func contextsAreMadeUsedAndDroppedWhileOthersSave(_ backend: Backend)
        async throws
    {
        let store = try TestStore(backend)
        try store.seed(50)
        let writers = 3
        try await onThreads(writers + 3) { index in
            for round in 0..<40 {
                if index < writers {
                    let context = store.context()
                    _ = Item("\(index)-\(round)", at: Double(round), in: context)
                    try context.save()
                } else {
                    let context = store.context(index.isMultiple(of: 2) ? .privateQueue : .confinement)
                    let names =
                        try context.isConfined
                        ? context.items().map(\.name)
                        : context.performAndWait {
                            try context.items().map(\.name)
                        }
                    // A save of one item is there or not, and none that was there goes away.
                    #expect(names.count >= 50 && Set(names).count == names.count)
                }
            }
        }
        #expect(try store.context().items().count == 50 + writers * 40)
    }

    /// While one thread looks for a row in a page, another may drop the last object on it.
    @Test(.timeLimit(.minutes(15))) func pagesDieWhileTheRowCacheIsAskedForTheirRows() async throws {
        let store = try TestStore()
        let context = store.context()
        let items = (0..<3_000).map { Item("Item \($0)", at: Double($0), in: context) }
        try context.save()
        for index in stride(from: 0, to: items.count, by: 3) { context.delete(items[index]) }
        try context.save()
        try await onThreads(4) { index in
            var random = SeededGenerator(seed: UInt64(index))
            for _ in 0..<1_500 {
                let context = store.context()
                var request = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)])
                request.fetchLimit = Bool.random(using: &random) ? 5 : 40
                request.fetchOffset = Int.random(in: 0..<1_900, using: &random)
                let items = try context.fetch(request)
                #expect(items.count == request.fetchLimit)
            }
        }
        store.coordinator.rowCache._checkInvariants()
    }

    @Test(arguments: Backend.allCases) func countersOfManyWritersMissNothing(_ backend: Backend) async throws {
        let store = try TestStore(backend)
        try store.seed(1)
        let retries = Locked(0)
        try await onThreads(4) { _ in
            for _ in 0..<25 {
                while true {
                    let context = store.context()
                    let item = try #require(context.items().first)
                    item.createdAt += 1
                    do {
                        try context.save()
                        break
                    } catch let error as StoreError where error.code == .mergeConflict {
                        retries.withLock { $0 += 1 }
                    }
                }
            }
        }
        let item = try #require(store.context().items().first)
        #expect(item.createdAt.timeIntervalSinceReferenceDate == 100, "\(retries.value) retries")
    }

    /// Cancelled before it began, while it reads, while it delivers, after it is over: the block comes once, with all
    /// or nothing.
    @Test(arguments: Backend.allCases) func aFetchCanBeCancelledAtAnyMoment(_ backend: Backend) async throws {
        let store = try TestStore(backend)
        try store.seed(3_000)
        let context = store.context(.privateQueue)
        for delay in stride(from: 0, to: 6_000, by: 150) {
            let outcome: (count: Int?, isCancelled: Bool, calls: Int) = try await withCheckedThrowingContinuation {
                done in
                let calls = Locked(0)
                let request = AsynchronousFetchRequest(fetchRequest: FetchRequest(Item.self)) { result in
                    let count = calls.withLock { (calls: inout Int) -> Int in
                        calls += 1
                        return calls
                    }
                    let outcome = (result.finalResult?.count, result.isCancelled, count)
                    if count == 1 { done.resume(returning: outcome) }
                }
                context.perform {
                    do {
                        let result = try context.execute(request)
                        let handle = result.progress
                        DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(delay)) { handle.cancel() }
                    } catch {
                        done.resume(throwing: error)
                    }
                }
            }
            #expect(outcome.calls == 1)
            #expect(outcome.isCancelled ? outcome.count ?? 0 == 0 : outcome.count == 3_000, "after \(delay) µs")
        }
    }
}

extension ManagedObjectContext {
    fileprivate var isConfined: Bool { concurrencyType == .confinement }
}

import Dispatch
import Foundation
import Locking
import ManagedStore
import TestSupport
import Testing

@Suite struct PerformTests {
    private struct Failure: Error {}

    @Test(arguments: [ManagedObjectContext.ConcurrencyType.privateQueue, .mainQueue])
    func performNeverRunsInline(_ type: ManagedObjectContext.ConcurrencyType) async throws {
        let context = try TestStore(.inMemory).context(type)
        let order = Locked<[String]>([])
        await withCheckedContinuation { continuation in
            context.perform {
                context.perform {
                    order.withLock { $0.append("inner") }
                    continuation.resume()
                }
                order.withLock { $0.append("outer") }
            }
        }
        #expect(order.value == ["outer", "inner"])
    }

    @Test(arguments: [ManagedObjectContext.ConcurrencyType.privateQueue, .mainQueue])
    func performAndWaitIsReentrant(_ type: ManagedObjectContext.ConcurrencyType) async throws {
        let context = try TestStore(.inMemory).context(type)
        let depth = try await context.perform {
            context.performAndWait { context.performAndWait { 3 } }
        }
        #expect(depth == 3)
    }

    @Test func performAndWaitQueuesBehindEarlierBlocks() throws {
        let context = try TestStore(.inMemory).context(.privateQueue)
        let order = Locked<[Int]>([])
        for number in 0..<10 { context.perform { order.withLock { $0.append(number) } } }
        context.performAndWait { order.withLock { $0.append(10) } }
        #expect(order.value == Array(0...10))
    }

    @Test func performAndWaitReturnsAndRethrows() throws {
        let context = try TestStore(.inMemory).context(.privateQueue)
        #expect(context.performAndWait { 7 } == 7)
        #expect(throws: Failure.self) { try context.performAndWait { throw Failure() } }
    }

    @Test func asyncPerformReturnsAndRethrows() async throws {
        let context = try TestStore(.inMemory).context(.privateQueue)
        #expect(try await context.perform { 7 } == 7)
        await #expect(throws: Failure.self) { try await context.perform { throw Failure() } }
    }

    @Test func asyncPerformOnAConfinementContextIsAnError() async throws {
        let context = try TestStore(.inMemory).context()
        do {
            try await context.perform {}
            Issue.record("nothing was thrown")
        } catch let error as StoreError {
            #expect(error.code == .concurrency)
        }
    }

    @Test func confinementIsTheDefault() throws {
        let store = try TestStore(.inMemory)
        #expect(ManagedObjectContext(coordinator: store.coordinator).concurrencyType == .confinement)
    }

    @Test func theMainQueueContextRunsOnTheMainQueue() async throws {
        let context = try TestStore(.inMemory).context(.mainQueue)
        try await context.perform { dispatchPrecondition(condition: .onQueue(.main)) }
    }

    @Test func aMainQueueContextServesTheMainActor() async throws {
        let store = try TestStore(.inMemory)
        let context = store.context(.mainQueue)
        let names = try await MainActor.run {
            Item("a", in: context)
            try context.save()
            return try context.items().map(\.name)
        }
        #expect(names == ["a"])
    }

    @Test func aPrivateQueueIsNotTheMainQueue() async throws {
        let context = try TestStore(.inMemory).context(.privateQueue)
        try await context.perform { dispatchPrecondition(condition: .notOnQueue(.main)) }
    }

    @Test func changesAreToldOfBeforeAsyncPerformReturns() async throws {
        for _ in 0..<200 {
            let context = try TestStore(.inMemory).context(.privateQueue)
            let recorder = NotificationRecorder(ManagedObjectContext.didChangeObjectsNotification, from: context)
            try await context.perform { _ = Item("a", in: context) }
            #expect(recorder.notifications.count == 1)
        }
    }

    @Test func nestedBlocksTellOfChangesOnce() throws {
        let context = try TestStore(.inMemory).context(.privateQueue)
        let recorder = NotificationRecorder(ManagedObjectContext.didChangeObjectsNotification, from: context)
        context.performAndWait {
            Item("a", in: context)
            context.performAndWait { _ = Item("b", in: context) }
        }
        #expect(recorder.notifications.count == 1)
        context.performAndWait {
            #expect(recorder.objects(ManagedObjectContext.NotificationKey.inserted).count == 2)
        }
    }
}

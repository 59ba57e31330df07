import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// A network on which each message takes its time.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct SlowNetworkTests {
    private let proxy: ServerProxy
    private let coordinator: PersistentStoreCoordinator

    init() throws {
        let server = try #require(PostgreSQLServer.current)
        proxy = try ServerProxy(server)
        let direct = try TestSchema.make().absoluteString
        let url = try #require(URL(string: direct.replacing(server.socketFolder, with: proxy.folder.path)))
        coordinator = try PersistentStoreCoordinator.ofItems(at: url)
    }

    @Test func savesAndFetchesTakeLongerAndDoTheSame() throws {
        proxy.delay.exchange(2_000)
        try coordinator.saveLongItems(500)
        let context = coordinator.confinedContext()
        let items = try context.items()
        #expect(items.count == 500)
        items[0].name = "changed"
        context.delete(items[1])
        try context.save()
        #expect(
            try coordinator.confinedContext().items().prefix(2).map(\.createdAt.timeIntervalSinceReferenceDate) == [
                0, 2,
            ])
        #expect(try coordinator.confinedContext().items().first?.name == "changed")
    }

    /// Or else the rows that nothing waits for would keep the network busy.
    @Test func aCancelledFetchEndsBeforeAllRowsArrived() async throws {
        try coordinator.saveLongItems(20_000)
        proxy.bytes.exchange(0)
        #expect(try coordinator.confinedContext().items().count == 20_000)
        let all = proxy.bytes.value
        proxy.delay.exchange(5_000)
        let isCancelled = DispatchSemaphore(value: 0)
        proxy.hold(at: .answered(bytes: all / 20)) { isCancelled.wait() }
        let context = ManagedObjectContext(concurrencyType: .privateQueue, coordinator: coordinator)
        let run = try await context.perform {
            // The test itself may keep the network waiting for longer than a server would.
            try PersistentStoreCoordinator.withResponseTimeout(milliseconds: 0) {
                try AsynchronousRun(FetchRequest(Item.self), on: context)
            }
        }
        while proxy.isWaiting { try await Task.sleep(for: .milliseconds(1)) }
        run.result.cancel()
        isCancelled.signal()
        await run.delivered()
        try await context.perform {
            #expect(run.result.isCancelled && run.result.finalResult?.isEmpty == true)
            #expect(run.result.operationError == nil)
        }
        #expect(proxy.bytes.value < all)
        proxy.delay.exchange(0)
        #expect(try coordinator.confinedContext().items().count == 20_000)
    }

    @Test func aSaveThatIsCutOnASlowNetworkIsKnownToHaveBeenMade() throws {
        try coordinator.saveLongItems(1)
        proxy.delay.exchange(2_000)
        let context = coordinator.confinedContext()
        Item("new", at: 1, in: context)
        proxy.cut(at: .commitAnswered)
        try context.save()
        #expect(try coordinator.confinedContext().items().count == 2)
    }
}

import Dispatch
import Synchronization
import Testing

@testable import BenchHarness

@Suite("Every driver, cancelling")
struct CancellingTests {
    private static let work = FetchWork(mode: .async, sort: [SortSpec(key: "createdAt")], cancelAfterRecords: 2_000)

    @Test("hands back nothing when it was cancelled", arguments: DriverCase.all)
    func cancels(_ subject: DriverCase) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver)
            let session = try store.seeded(20_000)
            let monitor = PhaseMonitor(clock: MonotonicClock(), cancelAfterRecords: 2_000)
            let fetched = try session.fetchAsynchronously(Self.work, monitor: monitor)
            #expect(fetched.count == 0)
            #expect(monitor.observations().wasCancelled)
            #expect(monitor.observations().cancelAnswer != nil)
            #expect(monitor.observations().found >= 2_000)
            try session.close()
        }
    }

    @Test("fetches everything afterwards", arguments: DriverCase.all)
    func recovers(_ subject: DriverCase) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver)
            let session = try store.seeded(5_000)
            let monitor = PhaseMonitor(clock: MonotonicClock(), cancelAfterRecords: 2_000)
            _ = try session.fetchAsynchronously(Self.work, monitor: monitor)
            let fetched = try session.fetch(.async, sort: Self.work.sort)
            #expect(try fetched.digested() == store.digest(store.ordinals(5_000, sortedBy: "createdAt", true)))
            try session.close()
        }
    }

    @Test("reports progress and delivers once when nobody cancels", arguments: DriverCase.all)
    func reports(_ subject: DriverCase) async throws {
        try await onThread {
            let store = try StoreFixture(subject.driver)
            let session = try store.seeded(5_000)
            let deliveries = DeliveryCount()
            let queue = session.queue
            let monitor = PhaseMonitor(
                clock: MonotonicClock(),
                onDelivered: {
                    dispatchPrecondition(condition: .onQueue(queue))
                    deliveries.value.add(1, ordering: .relaxed)
                })
            let fetched = try session.fetchAsynchronously(FetchWork(mode: .async), monitor: monitor)
            #expect(fetched.count == 5_000)
            #expect(monitor.observations().found == 5_000)
            #expect(deliveries.value.load(ordering: .relaxed) == 1)
            try session.close()
        }
    }
}

/// Counts completion blocks, on whatever thread they run.
private final class DeliveryCount: Sendable {
    let value = Atomic<Int>(0)
}

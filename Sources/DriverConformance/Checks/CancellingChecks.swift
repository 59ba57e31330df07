import BenchHarness
import Dispatch
import Synchronization

/// The reports of an asynchronous fetch to the harness, and its behaviour under cancellation.
enum CancellingChecks {
    static let all = [cancelled, recovered, reported]

    private static let sort = [SortSpec(key: "createdAt")]
    private static let cancelledWork = FetchWork(mode: .async, sort: sort, cancelAfterRecords: 2_000)

    private static func check(
        _ behaviour: String, needs works: [FetchWork], body: @escaping @Sendable (CheckedStore) throws -> Void
    ) -> ConformanceCheck {
        ConformanceCheck("cancelling", behaviour, needs: works.map(Phase.Work.fetch), body: body)
    }

    /// Returns a monitor that cancels as the harness does.
    private static func cancelling() -> PhaseMonitor {
        PhaseMonitor(clock: MonotonicClock(), cancelAfterRecords: 2_000)
    }

    private static let cancelled = check("hands back nothing when it was cancelled", needs: [cancelledWork]) { store in
        let session = try store.seeded(20_000)
        let monitor = cancelling()
        let fetched = try session.fetch(cancelledWork, monitor: monitor)
        let observed = monitor.observations()
        try expect(observed.found >= 2_000, "progress reached \(observed.found) records; expected 2000 or more")
        try expect(
            observed.wasCancelled,
            "the driver handed over nothing to cancel with; expected onCancel(_:) before the fetch is over, or a reason "
                + "from unsupportedReason(for:in:) for a fetch that is cancelled")
        try expectEqual(fetched.count, 0, "a cancelled fetch handed back this number of records:")
        try expect(
            observed.cancelAnswer != nil,
            "the completion block did not begin after the cancellation; expected completed() as its first act")
    }

    private static let recovered: ConformanceCheck = {
        let again = FetchWork(mode: .async, sort: sort)
        return check("fetches everything after a cancelled fetch", needs: [cancelledWork, again]) { store in
            let session = try store.seeded(5_000)
            _ = try session.fetch(cancelledWork, monitor: cancelling())
            let sorted = store.ordinals(5_000, sortedBy: "createdAt", ascending: true)
            try session.expectFetched(again, store.expected(sorted))
        }
    }()

    private static let reported: ConformanceCheck = {
        let work = FetchWork(mode: .async)
        return check("tells of every record, and delivers once, on its queue", needs: [work]) { store in
            let session = try store.seeded(5_000)
            let deliveries = Deliveries(on: session.queue)
            let monitor = PhaseMonitor(clock: MonotonicClock(), onDelivered: { deliveries.note() })
            let fetched = try session.fetch(work, monitor: monitor)
            try expectEqual(fetched.count, 5_000, "the fetch found this number of records:")
            try expectEqual(monitor.observations().found, 5_000, "progress reached this number of records:")
            try expectEqual(deliveries.count, 1, "the completion block ended this number of times:")
            try expectEqual(deliveries.countElsewhere, 0, "of these, this number of times off the session's queue:")
        }
    }()
}

/// Counts completion blocks, on any thread, and those that do not run on a session's queue.
private final class Deliveries: Sendable {
    private static let key = DispatchSpecificKey<Bool>()
    private let total = Atomic<Int>(0)
    private let elsewhere = Atomic<Int>(0)

    init(on queue: DispatchQueue) { queue.setSpecific(key: Self.key, value: true) }

    var count: Int { total.load(ordering: .relaxed) }
    var countElsewhere: Int { elsewhere.load(ordering: .relaxed) }

    func note() {
        total.add(1, ordering: .relaxed)
        if DispatchQueue.getSpecific(key: Self.key) == nil { elsewhere.add(1, ordering: .relaxed) }
    }
}

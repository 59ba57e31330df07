import BenchHarness
import Dispatch
import Foundation
import Synchronization

/// Within the clock it does what is known and notes what it was asked for; what that comes to is worked out afterwards.
final class KnownSession: FetchingSession, AsynchronousFetchingSession, UpdatingSession, MergingSession,
    LoadingSession, CheckpointingSession
{
    let queue = DispatchQueue(label: "known")
    let activity: KnownActivity
    private let file: URL
    private var records: KnownRecords
    /// What a fetch will find, and what the merging context will hold.
    private var found = KnownResult(records: [])
    private var merged = KnownResult(records: [])
    /// What workers wrote, in the order in which it was acknowledged.
    private let writes = Mutex<[(order: Int, operation: LoadOperation)]>([])
    private let order = OrderCounter()
    /// What the records are during a load that reads; nil before the first one.
    private let content = Mutex<[Int: StoredRecord]?>(nil)

    init(_ configuration: StoreConfiguration, _ activity: KnownActivity) throws {
        self.activity = activity
        file = configuration.directory.appendingPathComponent("records")
        records = KnownRecords(entity: configuration.entity, generator: configuration.records)
        if let text = try? String(contentsOf: file, encoding: .utf8) { records.seeded = Int(text) ?? 0 }
        found = KnownResult(records: Array(records.all().values))
    }

    func prepareUpdate(_ work: UpdateWork) {}
    func prepareMerge(_ plan: MergePlan) {
        var records = records
        records.steps.append(.merge(plan))
        let all = records.all()
        let touched = plan.writers.joined().flatMap { Array($0.changes) + Array($0.inserts) }
        merged = KnownResult(records: touched.compactMap { all[$0] })
    }
    func finish() {
        found = KnownResult(records: Array(records.all().values))
        content.withLock { $0 = nil }
    }
    func counters() -> StoreCounters { StoreCounters() }
    func resetCounters() {}
    func checkIntegrity() -> [String] { [] }
    /// A copy of the folder is the seeded store; what else was done does not outlive the session.
    func close() throws { try Data("\(records.seeded)".utf8).write(to: file) }
}

// MARK: - Within the clock

extension KnownSession {
    func seed(_ work: SeedWork, records count: Int, monitor: PhaseMonitor) {
        for _ in work.saves(of: count) { monitor.operation { activity.whole() } }
        records.seeded = count
    }

    func fetch(_ work: FetchWork, monitor: PhaseMonitor) -> any FetchedRecords {
        activity.whole()
        return found
    }

    func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) -> any FetchedRecords {
        activity.whole()
        queue.sync {
            monitor.completed()
            monitor.delivered()
        }
        return found
    }

    func update(_ work: UpdateWork, monitor: PhaseMonitor) {
        records.steps.append(.update(work.set))
        guard work.mode == .chunked else { return activity.whole() }
        activity.first()
        for _ in stride(from: 0, to: records.seeded, by: work.chunkSize) { monitor.operation { activity.each() } }
    }

    func merge(_ plan: MergePlan, monitor: PhaseMonitor) throws -> any FetchedRecords {
        records.steps.append(.merge(plan))
        activity.first()
        let (group, failure, activity) = (DispatchGroup(), FirstFailure(), activity)
        plan.startWriters(in: group, until: failure) { _ in monitor.operation { activity.each() } }
        group.wait()
        try failure.rethrow()
        return merged
    }

    func checkpoint() { activity.whole() }
}

// MARK: - Loads

extension KnownSession {
    func makeLoadWorker(_ index: Int, _ work: LoadWork) -> any LoadWorker {
        if work.reads {
            let records = now()
            content.withLock { if $0 == nil { $0 = records.all() } }
        }
        return KnownWorker(activity, order) { [self] operation, reading in
            if work.reads { content.withLock { records.perform(operation, on: &$0, reading: &reading) } }
        } handOver: { [self] done in
            writes.withLock { $0 += done }
        }
    }

    func forEachRecord(_ body: (StoredRecord) -> Void) { now().all().values.forEach(body) }

    func scan(into digester: inout RecordDigester) { digester.add(now().all().values) }

    /// The records with what workers wrote.
    private func now() -> KnownRecords {
        var records = records
        let done = writes.withLock { $0.sorted { $0.order < $1.order } }
        records.steps += done.map { .load($0.operation) }
        return records
    }
}

/// Numbers the writes of all workers.
final class OrderCounter: Sendable {
    private let last = Atomic<Int>(0)

    func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

extension LoadWork {
    /// Whether operations read records.
    fileprivate var reads: Bool {
        guard case .mix(let spec) = source else { return false }
        return spec.operations.contains { $0.value > 0 && [.read, .scan, .readModifyWrite].contains($0.key) }
    }
}

/// Acknowledges every operation, reads from memory, and notes the writes: in a load that does so, that is part of what
/// is reported.
private final class KnownWorker: LoadWorker {
    private let activity: KnownActivity
    private let order: OrderCounter
    private let read: (LoadOperation, inout LoadReading) -> Void
    private let handOver: ([(order: Int, operation: LoadOperation)]) -> Void
    private var done: [(order: Int, operation: LoadOperation)] = []
    private var hasBegun = false

    init(
        _ activity: KnownActivity, _ order: OrderCounter, read: @escaping (LoadOperation, inout LoadReading) -> Void,
        handOver: @escaping ([(order: Int, operation: LoadOperation)]) -> Void
    ) {
        self.activity = activity
        self.order = order
        self.read = read
        self.handOver = handOver
    }

    func perform(_ operation: LoadOperation, reading: inout LoadReading) -> LoadOutcome {
        if !hasBegun {
            hasBegun = true
            activity.first()
        }
        activity.each()
        read(operation, &reading)
        if operation.writes { done.append((order.next(), operation)) }
        return .done
    }

    func close() { handOver(done) }
}

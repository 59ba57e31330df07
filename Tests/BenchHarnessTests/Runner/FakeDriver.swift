import Dispatch
import Foundation

@testable import BenchHarness

/// A store in one file of JSON, which moves a clock by hand, tells what is done with it, and errs where it is told to.
struct FakeDriver: StoreDriver {
    var name = "fake"
    let summary = "for tests"
    let log = CallLog()
    let clock = ManualClock()
    /// The phase kind that throws.
    var failingKind: String?
    /// The phase kind that is unsupported.
    var unsupportedKind: String?
    /// Fails at every operation of a load, and then at closing the worker.
    var failsLoads = false
    /// Loses the last record when it seeds.
    var losesRecord = false
    /// Gets the record after the one that is asked for.
    var getsNext = false
    /// Begins each page with the first record.
    var ignoresOffset = false
    /// Adds records a second time, those with the ordinals from 0 on.
    var insertsAgain = false
    /// Leaves known records as they are when they arrive again.
    var keepsKnown = false
    /// Takes only some steps back.
    var undoesHalf = false
    /// What it says that aggregates are; nil says the sum of all records.
    var aggregates: [AggregatedGroup]?
    /// What it does beyond the protocols.
    var operations: [StoreOperation] = []

    func unsupportedReason(for phase: Phase, in schema: Schema) -> String? {
        phase.kind == unsupportedKind ? "cannot \(phase.kind)" : nil
    }

    var sessionType: any StoreSession.Type { FakeSession.self }

    func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        log.add("open")
        clock.advance(by: 2_000_000)
        return FakeSession(self, configuration)
    }

    static var scenario: Scenario {
        Scenario(
            name: "fake", records: 10, isolation: .none,
            entity: EntitySpec(
                name: "Item",
                attributes: [
                    AttributeSpec(name: "n", type: .int64, generator: .sequence(prefix: "", start: 0, step: 1))
                ]),
            phases: [
                Phase(name: "seed", from: .empty, work: .seed(SeedWork())),
                Phase(name: "fetch", from: .seeded, work: .fetch(FetchWork(mode: .sync))),
                Phase(name: "checkpoint", from: .previous, work: .checkpoint),
            ])
    }
}

/// Calls, in order.
final class CallLog: @unchecked Sendable {
    private let lock = NSLock()
    // Guarded by `lock`.
    private var names: [String] = []
    var calls: [String] { lock.withLock { names } }
    func add(_ name: String) { lock.withLock { names.append(name) } }
}

/// Records that are changed in memory.
private final class FakeChanges: FetchedRecords {
    private let saved: [Int64]
    private var steps: [[Int: Int64]] = []
    init(_ saved: [Int64]) { self.saved = saved }
    var count: Int { saved.count }
    func change(_ positions: Range<Int>, by amount: Int64) {
        steps.append(Dictionary(uniqueKeysWithValues: positions.map { ($0, saved[$0] + amount) }))
    }
    func undo() { steps.removeLast() }
    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        for position in positions {
            digester.add(steps.compactMap { $0[position] }.last ?? saved[position])
            digester.endRecord()
        }
    }
}

private struct FakeRecords: FetchedRecords, Sendable {
    let values: [Int64]
    /// Lets the release of the last copy take time.
    var lifetime: SlowRelease?
    var count: Int { values.count }
    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        for value in values[positions] {
            digester.add(value)
            digester.endRecord()
        }
    }
}

/// Takes three milliseconds to end.
private final class SlowRelease: Sendable {
    private let clock: ManualClock
    init(_ clock: ManualClock) { self.clock = clock }
    deinit { clock.advance(by: 3_000_000) }
}

final class FakeSession: FetchingSession, AsynchronousFetchingSession, GettingSession, PagingSession, InsertingSession,
    UpsertingSession, UpdatingSession, UndoingSession, DeletingSession, CountingSession, AggregatingSession,
    MergingSession,
    LoadingSession,
    CheckpointingSession
{
    let queue = DispatchQueue(label: "fake")
    private let driver: FakeDriver
    private var changes: FakeChanges?
    private var undone = 0
    private let file: URL
    private let records: RecordGenerator

    init(_ driver: FakeDriver, _ configuration: StoreConfiguration) {
        self.driver = driver
        file = configuration.directory.appendingPathComponent("records.json")
        records = configuration.records
    }

    func work(_ kind: String) throws {
        driver.log.add(kind)
        driver.clock.advance(by: 1_000)
        if kind == driver.failingKind { throw RunError(.process, "told to fail") }
    }

    /// What lies outside the clock takes far longer than the work.
    private func outside(_ name: String) {
        driver.log.add(name)
        driver.clock.advance(by: 1_000_000)
    }

    private func load() throws -> FakeRecords {
        guard FileManager.default.fileExists(atPath: file.path) else { return FakeRecords(values: []) }
        return FakeRecords(values: try JSONDecoder().decode([Int64].self, from: Data(contentsOf: file)))
    }

    /// The values of the records.
    func values() throws -> [Int64] { try load().values }
    /// Replaces the records.
    func write(_ values: [Int64]) throws { try JSONEncoder().encode(values).write(to: file) }

    func prepareUpdate(_ work: UpdateWork) throws { outside("prepareUpdate") }
    func prepareMerge(_ plan: MergePlan) throws { outside("prepareMerge") }
    func seed(_ seed: SeedWork, records count: Int, monitor: PhaseMonitor) throws {
        try monitor.operation {
            try work("seed")
            try write((0..<(driver.losesRecord ? count - 1 : count)).map { records.int64(0, $0) })
        }
    }
    func fetch(_ fetch: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try fetched()
    }
    private func fetched() throws -> FakeRecords {
        try work("fetch")
        return FakeRecords(values: try load().values, lifetime: SlowRelease(driver.clock))
    }
    func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        let records = try fetched()
        // As the handle of a fetch does, which holds the result too.
        monitor.onCancel { withExtendedLifetime(records) {} }
        return records
    }
    func prepareGets(_ ordinals: [Int]) throws { outside("prepareGets") }
    func get(_ ordinal: Int) throws -> any FetchedRecords {
        try work("get \(ordinal)")
        let key = records.int64(0, ordinal) + (driver.getsNext ? 1 : 0)
        return FakeRecords(values: try load().values.filter { $0 == key })
    }
    func page(_ page: FetchWork, offset: Int) throws -> any FetchedRecords {
        try work("page \(offset)")
        let filter = page.filter.map { RecordFilter($0, entity: records.entity) }
        let found = try load().values.filter { value in filter?.matches { _ in .int64(value) } ?? true }.sorted()
        return FakeRecords(values: Array(found.dropFirst(driver.ignoresOffset ? 0 : offset).prefix(page.limit)))
    }
    func insert(_ ordinals: Range<Int>) throws {
        try work("insert \(ordinals)")
        let added = driver.insertsAgain ? 0..<ordinals.count : ordinals
        try write(load().values + added.map { records.int64(0, $0) })
    }
    func upsert(_ ordinals: [Int], of records: RecordGenerator) throws {
        try work("upsert \(ordinals.count)")
        var values = try load().values
        for ordinal in ordinals {
            if ordinal >= values.count {
                values.append(records.int64(0, ordinal))
            } else if !driver.keepsKnown {
                values[ordinal] = records.int64(0, ordinal)
            }
        }
        try write(values)
    }
    func update(_ update: UpdateWork, monitor: PhaseMonitor) throws {
        for _ in 0..<3 { try monitor.operation { try work("update") } }
    }
    func prepareUndo(_ work: UndoWork) throws -> any FetchedRecords {
        outside("prepareUndo")
        let changes = FakeChanges(try load().values)
        for start in stride(from: 0, to: changes.count, by: work.stepSize) {
            changes.change(start..<min(start + work.stepSize, changes.count), by: 1)
        }
        self.changes = changes
        return changes
    }
    func undo() throws {
        try work("undo")
        undone += 1
        if !driver.undoesHalf || undone.isMultiple(of: 2) { changes?.undo() }
    }
    func prepareDeletion(_ work: DeleteWork) throws { outside("prepareDeletion") }
    func delete(_ deletion: DeleteWork) throws { try work("delete") }
    func count(_ count: CountWork) throws -> Int {
        try work("count")
        return try load().count
    }
    func aggregate(_ aggregate: AggregateWork) throws -> [AggregatedGroup] {
        try work("aggregate")
        return try driver.aggregates ?? [AggregatedGroup(value: .int64(load().values.reduce(0, +)))]
    }
    func merge(_ plan: MergePlan, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try work("merge")
        return FakeRecords(values: [])
    }
    func checkpoint() throws { try work("checkpoint") }
    func finish() { outside("finish") }
    func counters() throws -> StoreCounters { StoreCounters(statements: 1) }
    func resetCounters() { outside("resetCounters") }
    func scan(into digester: inout RecordDigester) throws {
        outside("scan")
        try load().digest(into: &digester)
    }
    func checkIntegrity() throws -> [String] {
        outside("checkIntegrity")
        return []
    }
    func close() throws { outside("close") }

    func makeLoadWorker(_ index: Int, _ work: LoadWork) throws -> any LoadWorker {
        driver.failsLoads ? BrokenWorker() : ForgetfulWorker(records, log: driver.log)
    }
    func forEachRecord(_ body: (StoredRecord) -> Void) throws {
        for value in try load().values { body(StoredRecord(values: [.int64(value)], version: 1)) }
    }
}

/// Acknowledges everything, and reads what was seeded.
private final class ForgetfulWorker: LoadWorker {
    private let records: RecordGenerator
    private let log: CallLog

    init(_ records: RecordGenerator, log: CallLog) {
        self.records = records
        self.log = log
    }

    func perform(_ operation: LoadOperation, reading: inout LoadReading) throws -> LoadOutcome {
        for ordinal in operation.reads {
            log.add("read \(ordinal)")
            reading.values.add(records.int64(0, ordinal))
            reading.endRecord(version: 1)
        }
        return .done
    }
    func close() throws {}
}

/// Has lost its store.
private final class BrokenWorker: LoadWorker {
    func perform(_ operation: LoadOperation, reading: inout LoadReading) throws -> LoadOutcome {
        throw FakeError("the root of it")
    }
    func close() throws { throw FakeError("nothing to close") }
}

struct FakeError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Says nothing, and tells when it was asked.
struct FakeProbe: MetricProbe, StallProbe, StallWatch {
    let log: CallLog
    func prepare() -> Bool {
        log.add("prepare")
        return true
    }
    func sample() -> MetricSample {
        log.add("sample")
        return MetricSample()
    }
    func watch(_ queue: DispatchQueue) -> any StallWatch { self }
    func end() {}
    func stop() -> QueueStalls { QueueStalls(longestNanoseconds: 42) }
}

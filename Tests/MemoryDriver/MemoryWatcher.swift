import BenchHarness
import Dispatch
import DriverSupport
import Synchronization

/// The context that is told of each save of a load: it holds every record, and a sorted window of them where that is
/// asked for.
final class MemoryWatcher: Sendable {
    private let store: MemoryStore
    private let mirror: RecordMirror<MemoryRecord>
    private let window: MemoryWindow?
    private let queue: DispatchQueue
    private let monitor: LoadMonitor
    private let unfinished = DispatchGroup()

    init(
        _ store: MemoryStore, _ mirror: RecordMirror<MemoryRecord>, _ window: MemoryWindow?, queue: DispatchQueue,
        _ monitor: LoadMonitor
    ) {
        self.store = store
        self.mirror = mirror
        self.window = window
        self.queue = queue
        self.monitor = monitor
    }

    /// Says that a worker has saved.
    func saved(_ save: MemorySave) {
        let time = monitor.now()
        queue.async(group: unfinished) { [self] in
            do {
                try mirror.merge(save.keys)
                monitor.merged(savedAt: time)
                guard let window else { return }
                window.merge(save, from: store.snapshot)
                monitor.delegateReturned(savedAt: time)
            } catch {
                monitor.failed(error)
            }
        }
    }

    func waitForMerges() { unfinished.wait() }

    /// What is wrong with what it holds; empty when all is well.
    func problems() -> [String] {
        var (held, stored) = (RecordDigester(), RecordDigester())
        mirror.digest(into: &held)
        let content = store.snapshot
        for record in content.records.values {
            record.digest(into: &stored)
            stored.endRecord()
        }
        let isRight = held.digest.count == stored.digest.count && held.digest.unordered == stored.digest.unordered
        return (isRight ? [] : ["the context holds other records than the store"])
            + (window?.problems(comparedWith: content) ?? [])
    }
}

/// The records with the lowest ordinals, sorted, as a list on the screen has them.
final class MemoryWindow: Sendable {
    private let order: RecordOrder
    private let size: Int
    private let records: Mutex<[MemoryRecord]>

    init(_ spec: SaveSpec, of entity: EntitySpec, in store: MemoryStore) throws {
        let order = try RecordOrder(spec.sort, of: entity)
        let size = spec.windowRecords > 0 ? spec.windowRecords : .max
        self.order = order
        self.size = size
        records = Mutex(
            store.snapshot.records.values.filter { $0.ordinal < size }
                .sorted { order.areInIncreasingOrder($0.values, $1.values) })
    }

    /// Takes in what a save did, as the store has it by now.
    func merge(_ save: MemorySave, from content: MemoryContent) {
        let touched = Set(save.written.map(\.ordinal) + save.deleted)
        records.withLock { records in
            records.removeAll { touched.contains($0.ordinal) }
            records += touched.filter { $0 < size }.compactMap { content.records[$0] }
            records.sort { order.areInIncreasingOrder($0.values, $1.values) }
        }
    }

    func problems(comparedWith content: MemoryContent) -> [String] {
        let found = records.withLock { $0 }
        var problems: [String] = []
        let expected = content.records.filter { $0.key < size }
        if Dictionary(found.map { ($0.ordinal, $0) }, uniquingKeysWith: { $1 }) != expected
            || found.count != expected.count
        {
            problems.append("the window holds other records than the store")
        }
        if zip(found, found.dropFirst()).contains(where: { order.areInIncreasingOrder($1.values, $0.values) }) {
            problems.append("the window is out of order")
        }
        return problems
    }
}

import BenchHarness
import Dispatch
import DriverSupport
import Synchronization

/// The context that is told of each save of a load: it holds every record, and a sorted window of them where that is
/// asked for.
final class MemoryWatcher: Sendable {
    private let store: MemoryView
    private let mirror: RecordMirror<MemoryRecord>
    private let window: MemoryWindow?
    private let queue: DispatchQueue
    private let monitor: LoadMonitor
    private let unfinished = DispatchGroup()

    init(
        _ store: MemoryView, _ mirror: RecordMirror<MemoryRecord>, _ window: MemoryWindow?, queue: DispatchQueue,
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

/// Some of the records, sorted, as a list on the screen has them: those with the lowest ordinals, or those that come
/// first.
final class MemoryWindow: Sendable {
    private let order: RecordOrder
    private let size: Int
    private let followsHead: Bool
    private let records: Mutex<[MemoryRecord]>

    init(_ spec: SaveSpec, _ schema: Schema, in store: MemoryView) throws {
        order = try RelationshipView(schema, in: store.snapshot).order(spec.sort)
        size = spec.windowRecords > 0 ? spec.windowRecords : .max
        followsHead = spec.headRecords != nil
        records = Mutex([])
        let shown = shown(of: store.snapshot)
        records.withLock { $0 = shown }
    }

    /// What the window shows of some content.
    private func shown(of content: MemoryContent) -> [MemoryRecord] {
        let records = content.records.values.filter { followsHead || $0.ordinal < size }
        return Array(records.sorted { order.areInIncreasingOrder($0.values, $1.values) }.prefix(size))
    }

    /// Takes in what a save did, as the store has it by now.
    func merge(_ save: MemorySave, from content: MemoryContent) {
        if followsHead {
            let shown = shown(of: content)
            return records.withLock { $0 = shown }
        }
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
        let wanted = Dictionary(shown(of: content).map { ($0.ordinal, $0) }) { $1 }
        if Dictionary(found.map { ($0.ordinal, $0) }, uniquingKeysWith: { $1 }) != wanted || found.count != wanted.count
        {
            problems.append("the window holds other records than the store")
        }
        if zip(found, found.dropFirst()).contains(where: { order.areInIncreasingOrder($1.values, $0.values) }) {
            problems.append("the window is out of order")
        }
        return problems
    }
}

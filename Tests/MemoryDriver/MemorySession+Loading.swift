import BenchHarness
import DriverSupport

extension MemorySession: LoadingSession {
    func makeLoadWorker(_ index: Int, _ work: LoadWork) throws -> any LoadWorker {
        MemoryLoadWorker(
            writer, identity: try RecordIdentity(of: entity),
            set: try RecordChange.resolve(work.saves?.set ?? [], of: entity), watcher)
    }

    func forEachRecord(_ body: (StoredRecord) -> Void) throws {
        for record in try store.stored().records.values {
            body(StoredRecord(values: record.values, version: record.version))
        }
    }
}

extension MemorySession: WatchingSession {
    func prepareLoad(_ work: LoadWork, monitor: LoadMonitor) throws {
        guard let spec = work.saves, spec.mode != .unobserved else { return }
        let mirror = makeMirror()
        try mirror.load(store.snapshot.records.keys.map { Int64($0) })
        let window = spec.mode == .controller ? try MemoryWindow(spec, of: entity, in: store) : nil
        watcher = MemoryWatcher(store, mirror, window, queue: mergeQueue, monitor)
    }

    func endLoad() { watcher?.waitForMerges() }

    func checkLoad() throws -> [String] { watcher?.problems() ?? [] }
}

/// Does the operations of one worker. A save reads and writes under the store's lock, so no two of them ever conflict.
final class MemoryLoadWorker: LoadWorker {
    private let writer: MemoryWriter
    private let identity: RecordIdentity
    private let set: [RecordChange]
    private let watcher: MemoryWatcher?

    init(_ writer: MemoryWriter, identity: RecordIdentity, set: [RecordChange], _ watcher: MemoryWatcher?) {
        self.writer = writer
        self.identity = identity
        self.set = set
        self.watcher = watcher
    }

    func perform(_ operation: LoadOperation) throws -> LoadOutcome {
        do {
            try read(operation, in: writer.store.snapshot)
            if operation.writes {
                let save = try write(operation)
                watcher?.saved(save)
            }
            return .done
        } catch is MissingRecord {
            return .missing
        }
    }

    func close() {}

    private func read(_ operation: LoadOperation, in content: MemoryContent) throws {
        for ordinal in operation.reads { touch(try content.record(ordinal)) }
        guard let scan = operation.scan else { return }
        let first = identity.key(of: scan.lowerBound)
        let found = content.records.values.filter { key($0) >= first }.sorted { key($0) < key($1) }
        for record in found.prefix(scan.count) { touch(record) }
    }

    private func touch(_ record: MemoryRecord) { BlackHole.read { record.digest(into: &$0) } }

    private func key(_ record: MemoryRecord) -> Int64 {
        if case .int64(let key) = record.values[identity.attribute] { key } else { .min }
    }

    private func write(_ operation: LoadOperation) throws -> MemorySave {
        try writer.save(inserts: operation.inserts, changes: operation.changes, deletes: operation.deletes) { record in
            switch operation.change {
            case .set: return record.changed(by: set)
            case .attributes(let attributes, let revision):
                let revised = writer.generator.revised(revision)
                return record.changed(
                    by: attributes.map { attribute in
                        RecordChange(
                            attribute: attribute, operation: .assign(revised.value(attribute, record.ordinal)))
                    })
            }
        }
    }
}

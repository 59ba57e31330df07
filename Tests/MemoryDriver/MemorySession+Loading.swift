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
        let window = spec.mode == .controller ? try MemoryWindow(spec, schema, in: store) : nil
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

    func perform(_ operation: LoadOperation, reading: inout LoadReading) throws -> LoadOutcome {
        do {
            if operation.writes {
                let save = try write(operation, &reading)
                watcher?.saved(save)
            } else {
                try read(operation, in: writer.store.snapshot, &reading)
            }
            return .done
        } catch is MissingRecord {
            return .missing
        }
    }

    func close() {}

    private func read(
        _ operation: LoadOperation, in content: MemoryContent, _ reading: inout LoadReading
    ) throws {
        for ordinal in operation.reads { feed(try content.record(ordinal), to: &reading) }
        guard let scan = operation.scan else { return }
        let first = identity.key(of: scan.lowerBound)
        let found = content.records.values.filter { key($0) >= first }.sorted { key($0) < key($1) }
        for record in found.prefix(scan.count) { feed(record, to: &reading) }
    }

    private func feed(_ record: MemoryRecord, to reading: inout LoadReading) {
        record.digest(into: &reading.values)
        reading.endRecord(version: record.version)
    }

    private func key(_ record: MemoryRecord) -> Int64 {
        if case .int64(let key) = record.values[identity.attribute] { key } else { .min }
    }

    /// Reads and writes under one lock, so that no other writer comes between.
    private func write(_ operation: LoadOperation, _ reading: inout LoadReading) throws -> MemorySave {
        let inserted = zip(operation.inserts, operation.inserted).map { MemoryRecord(ordinal: $0, values: $1) }
        return try writer.store.save { content in
            try read(operation, in: content, &reading)
            for ordinal in operation.deletes { _ = try content.record(ordinal) }
            let changed = try operation.changes.enumerated().map { place, ordinal in
                try content.record(ordinal).changed(by: changes(operation, at: place))
            }
            return MemorySave(written: inserted + changed, deleted: Array(operation.deletes))
        }
    }

    /// The changes of an operation to the record at a place of its list.
    private func changes(_ operation: LoadOperation, at place: Int) -> [RecordChange] {
        guard case .attributes(let attributes, _) = operation.change else { return set }
        return zip(attributes, operation.assigned[place]).map { attribute, value in
            RecordChange(attribute: attribute, operation: .assign(value))
        }
    }
}

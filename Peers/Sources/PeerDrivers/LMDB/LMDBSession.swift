import BenchHarness
import CLMDB
import Dispatch
import DriverSupport

final class LMDBSession: FetchingSession, AsynchronousFetchingSession, InsertingSession, UpdatingSession,
    MergingSession, LoadingSession, CheckpointingSession
{
    let queue = DispatchQueue(label: "lmdb.context")
    private let store: LMDBStore
    private var prepared: [PackedRecord] = []
    private var mirror: RecordMirror<PackedRecord>?
    private var conflicts = 0

    init(_ configuration: StoreConfiguration) throws { store = try .share(configuration) }

    func seed(_ work: SeedWork, records: Int, monitor: PhaseMonitor) throws {
        let step = work.saveEvery > 0 ? work.saveEvery : max(records, 1)
        // Fills pages, if keys ascend.
        let flags = store.key(1) > store.key(0) ? MDB_APPEND : MDB_NOOVERWRITE
        for start in stride(from: 0, to: records, by: step) {
            try store.transaction { cursor in
                let ordinals = start..<min(start + step, records)
                for ordinal in ordinals { try cursor.put(store.record(ordinal), flags) }
            }
        }
    }

    func insert(_ ordinals: Range<Int>) throws {
        try store.transaction { cursor in
            for ordinal in ordinals { try cursor.put(store.record(ordinal), MDB_NOOVERWRITE) }
        }
    }

    func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        let limit = work.sort.isEmpty && work.limit > 0 ? work.limit : .max
        return try queue.sync {
            try FetchedValues(store.read(work.filter, limit: limit).map(\.values), for: work, of: store.entity)
        }
    }

    func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try AsynchronousFetch(none: FetchedValues(), queue: queue, monitor: monitor).run { [store] progress in
            let found = try store.read(work.filter, progress: progress)
            return try FetchedValues(found.map(\.values), for: work, of: store.entity)
        }
    }

    func prepareUpdate(_ work: UpdateWork) throws { prepared = try store.read(work.filter) }

    func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {
        let changes = try RecordChange.resolve(work.set, of: store.entity)
        switch work.mode {
        case .perObject: try save(prepared, changes)
        case .batch:
            try store.transaction { cursor in
                try cursor.forEach(work.filter) { try cursor.put($0.changed(by: changes, ordinal: store.ordinal($0))) }
            }
        case .chunked:
            let size = max(work.chunkSize, 1)
            var next: Int64? = .min
            while let first = next {
                next = try monitor.operation {
                    // The record beyond the chunk tells whether there is another chunk, and where it begins.
                    var chunk = try store.read(work.filter, from: first, limit: size + 1)
                    let following = chunk.count > size ? chunk.removeLast().key : nil
                    try save(chunk, changes)
                    return following
                }
            }
        }
    }

    /// Saves changed records, unless another session has changed one of them since it was read.
    private func save(_ records: [PackedRecord], _ changes: [RecordChange]) throws {
        try store.transaction { cursor in
            for record in records {
                if try cursor.move(MDB_SET_KEY, to: record.key)?.version != record.version {
                    conflicts += 1
                    throw RecordConflict(table: "the environment", key: record.key)
                }
                try cursor.put(record.changed(by: changes, ordinal: store.ordinal(record)))
            }
        }
    }

    func prepareMerge(_ plan: MergePlan) throws {
        let mirror = RecordMirror(key: \PackedRecord.key, digest: { for value in $0.values { $1.add(value) } }) {
            [store] keys in try store.transaction(MDB_RDONLY) { try keys.map($0.record) }
        }
        for save in plan.writers.joined() { try mirror.load((Array(save.changes) + save.deletes).map(store.key)) }
        self.mirror = mirror
    }

    func merge(_ plan: MergePlan, monitor: PhaseMonitor) throws -> any FetchedRecords {
        guard let mirror else { throw RunError(.phase, "the merge was not prepared") }
        let run = MergeRun(plan, mergeQueue: mergeQueue)
        try run.run { [store] save in
            var operation = LoadOperation(.save)
            (operation.inserts, operation.deletes) = (save.inserts, save.deletes)
            (operation.changes, operation.change) = (Array(save.changes), .set(plan.set))
            var reading = LoadReading()
            let outcome = try monitor.operation {
                operation.inserted = save.inserts.map { store.record($0).values }
                return try LMDBLoadWorker(store).perform(operation, reading: &reading)
            }
            guard outcome == .done else { throw RunError(.phase, "a record to be merged does not exist") }
            let written = (Array(save.inserts) + save.changes).map(store.key)
            run.merge { try mirror.merge(SavedKeys(written: [written], deleted: save.deletes.map(store.key))) }
        }
        return mirror
    }

    func makeLoadWorker(_ index: Int, _ work: LoadWork) -> any LoadWorker { LMDBLoadWorker(store) }
    /// LMDB has no log: this syncs what was committed without it.
    func checkpoint() throws { try check(mdb_env_sync(store.environment, 1)) }
    func counters() -> StoreCounters { StoreCounters(conflicts: conflicts) }
    func resetCounters() { conflicts = 0 }
    func finish() { (prepared, mirror) = ([], nil) }
    func close() { store.release() }

    func settings() -> [StoreSettings] {
        var (settings, flags) = (StoreSettings(), UInt32(0))
        mdb_env_get_flags(store.environment, &flags)
        let weaker = [StoreOptions.Synchronous.off, .normal].first { UInt32($0.flags) & flags != 0 }
        settings.synchronous = weaker ?? (store.configuration.options.synchronous == .extra ? .extra : .full)
        return [settings]
    }

    func scan(into digester: inout RecordDigester) throws {
        try forEachRecord { record in
            for value in record.values { digester.add(value) }
            digester.endRecord()
        }
    }
    func forEachRecord(_ body: (StoredRecord) -> Void) throws {
        try LMDBWitness(store.configuration).forEachRecord(body)
    }
    func checkIntegrity() -> [String] { LMDBWitness(store.configuration).checkIntegrity() }
}

/// Does each operation in one transaction, so that no two of them conflict.
final class LMDBLoadWorker: LoadWorker {
    private let store: LMDBStore

    init(_ store: LMDBStore) { self.store = store }

    func perform(_ operation: LoadOperation, reading: inout LoadReading) throws -> LoadOutcome {
        do {
            try store.transaction(operation.writes ? 0 : MDB_RDONLY) { cursor in
                try read(operation, in: cursor, &reading)
                for (ordinal, values) in zip(operation.inserts, operation.inserted) {
                    try cursor.put(PackedRecord(key: store.key(ordinal), values: values), MDB_NOOVERWRITE)
                }
                for (place, ordinal) in operation.changes.enumerated() {
                    let record = try cursor.record(store.key(ordinal))
                    try cursor.put(record.changed(by: changes(operation, at: place), ordinal: ordinal))
                }
                for ordinal in operation.deletes {
                    _ = try cursor.record(store.key(ordinal))
                    try check(mdb_cursor_del(cursor.cursor, 0))
                }
            }
            return .done
        } catch is LMDBMissing {
            return .missing
        }
    }

    func close() {}

    private func read(_ operation: LoadOperation, in cursor: LMDBCursor, _ reading: inout LoadReading) throws {
        func feed(_ record: PackedRecord) {
            for value in record.values { reading.values.add(value) }
            reading.endRecord(version: record.version)
        }
        for ordinal in operation.reads { feed(try cursor.record(store.key(ordinal))) }
        guard let scan = operation.scan else { return }
        try cursor.forEach(from: store.key(scan.lowerBound), limit: scan.count, feed)
    }

    private func changes(_ operation: LoadOperation, at place: Int) throws -> [RecordChange] {
        switch operation.change {
        case .set(let set): try RecordChange.resolve(set, of: store.entity)
        case .attributes(let attributes, _):
            zip(attributes, operation.assigned[place]).map { RecordChange(attribute: $0, operation: .assign($1)) }
        }
    }
}

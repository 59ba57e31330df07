import BenchHarness
import CLMDB
import Dispatch
import DriverSupport

final class LMDBSession: FetchingSession, AsynchronousFetchingSession, GettingSession, CountingSession,
    InsertingSession, UpdatingSession, DeletingSession, MergingSession, LoadingSession, CheckpointingSession
{
    let queue = DispatchQueue(label: "lmdb.context")
    private let store: LMDBStore
    private var prepared: [PackedRecord] = []
    private var mirror: RecordMirror<PackedRecord>?
    private var conflicts = 0

    init(_ configuration: StoreConfiguration) throws { store = try .share(configuration) }

    func seed(_ work: SeedWork, records: Int, monitor: PhaseMonitor) throws {
        for place in store.schema.others where records > 0 {
            let other = store.schema.entities[place]
            try seed(work, other.count ?? 0, of: other.record, monitor)
        }
        try seed(work, records, of: store.entity, monitor)
    }

    private func seed(_ work: SeedWork, _ records: Int, of entity: EntitySpec, _ monitor: PhaseMonitor) throws {
        let table = try store.table(of: entity)
        // Fills pages, if keys ascend.
        let flags = table.key(1) > table.key(0) ? MDB_APPEND : MDB_NOOVERWRITE
        for save in work.saves(of: records) {
            try monitor.operation {
                try store.transaction { try $0.transaction.records(of: entity).insert(save, flags) }
            }
        }
    }

    func insert(_ ordinals: Range<Int>) throws { try store.transaction { try $0.insert(ordinals) } }

    func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try queue.sync { () -> any FetchedRecords in
            guard let follow = work.follow else { return try store.fetch(work) }
            return try store.transaction(MDB_RDONLY) { cursor in
                let fetched = try cursor.transaction.records(of: store.schema.entity.record)
                let records = try fetched.find(work).map {
                    NumberedRecord(number: fetched.table.number($0), values: $0.values)
                }
                return try cursor.transaction.related(fetched.entity).follow(records, follow)
            }
        }
    }

    func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try AsynchronousFetch(none: FetchedValues(), queue: queue, monitor: monitor).run { [store] progress in
            try store.fetch(work, progress: progress)
        }
    }

    func get(_ ordinal: Int) throws -> any FetchedRecords {
        try queue.sync {
            let found = try store.transaction(MDB_RDONLY) { try $0.move(MDB_SET_KEY, to: $0.table.key(ordinal)) }
            return try FetchedValues(found.map { [$0.values] } ?? [], for: FetchWork(mode: .sync), of: store.entity)
        }
    }

    /// A tree knows the number of its records.
    func count(_ work: CountWork) throws -> Int {
        try queue.sync {
            try store.transaction(MDB_RDONLY) { cursor in
                if work.filter == nil { return try cursor.transaction.count(store.entity.name) }
                var count = 0
                try cursor.forEach(work.filter) { _ in count += 1 }
                return count
            }
        }
    }

    func prepareDeletion(_ work: DeleteWork) throws {
        prepared = try store.transaction(MDB_RDONLY) { try $0.find(work.fetch) }
    }

    /// LMDB has no statement that deletes records: a batch is found and deleted in one transaction.
    func delete(_ work: DeleteWork) throws {
        try store.transaction { cursor in
            guard work.mode == .perObject else { return try cursor.remove(cursor.find(work.fetch)) }
            for record in prepared { try checkVersion(record, cursor) }
            try cursor.remove(prepared)
        }
    }

    func prepareUpdate(_ work: UpdateWork) throws { prepared = try store.read(work.filter) }

    func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {
        let changes = try RecordChange.resolve(work.set, of: store.entity)
        switch work.mode {
        case .perObject: try save(prepared, changes)
        case .batch:
            try store.transaction { cursor in
                try cursor.forEach(work.filter) { try cursor.change($0, by: changes) }
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
                try checkVersion(record, cursor)
                try cursor.change(record, by: changes)
            }
        }
    }

    private func checkVersion(_ record: PackedRecord, _ cursor: LMDBCursor) throws {
        if try cursor.move(MDB_SET_KEY, to: record.key)?.version == record.version { return }
        conflicts += 1
        throw RecordConflict(table: "the environment", key: record.key)
    }

    func prepareMerge(_ plan: MergePlan) throws {
        let mirror = RecordMirror(key: \PackedRecord.key, digest: { for value in $0.values { $1.add(value) } }) {
            [store] keys in try store.transaction(MDB_RDONLY) { try keys.map($0.record) }
        }
        for save in plan.writers.joined() { try mirror.load((Array(save.changes) + save.deletes).map(store.table.key)) }
        self.mirror = mirror
    }

    func merge(_ plan: MergePlan, monitor: PhaseMonitor) throws -> any FetchedRecords {
        guard let mirror else { throw RunError(.phase, "the merge was not prepared") }
        let (run, table) = (MergeRun(plan, mergeQueue: mergeQueue), store.table)
        try run.run { [store] save in
            var operation = LoadOperation(.save)
            (operation.inserts, operation.deletes) = (save.inserts, save.deletes)
            (operation.changes, operation.change) = (Array(save.changes), .set(plan.set))
            var reading = LoadReading()
            let outcome = try monitor.operation {
                operation.inserted = save.inserts.map { table.record($0).values }
                return try LMDBLoadWorker(store).perform(operation, reading: &reading)
            }
            guard outcome == .done else { throw RunError(.phase, "a record to be merged does not exist") }
            let written = (Array(save.inserts) + save.changes).map(table.key)
            run.merge { try mirror.merge(SavedKeys(written: [written], deleted: save.deletes.map(table.key))) }
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
        var scan = StoreScan()
        scan.values = digester
        try LMDBWitness(store.configuration).scan(into: &scan)
        digester = scan.values
    }
    func forEachRecord(_ body: (StoredRecord) -> Void) throws {
        try LMDBWitness(store.configuration).forEachRecord(body)
    }
    func checkIntegrity() throws -> [String] { try LMDBWitness(store.configuration).checkIntegrity() }
}

/// Does each operation in one transaction, so that no two of them conflict.
final class LMDBLoadWorker: LoadWorker {
    private let store: LMDBStore
    private let table: LMDBTable

    init(_ store: LMDBStore) { (self.store, table) = (store, store.table) }

    func perform(_ operation: LoadOperation, reading: inout LoadReading) throws -> LoadOutcome {
        do {
            try store.transaction(operation.writes ? 0 : MDB_RDONLY) { cursor in
                try read(operation, in: cursor, &reading)
                for (ordinal, values) in zip(operation.inserts, operation.inserted) {
                    try cursor.insert(PackedRecord(key: table.key(ordinal), values: values))
                }
                for (place, ordinal) in operation.changes.enumerated() {
                    try cursor.change(cursor.record(table.key(ordinal)), by: changes(operation, at: place))
                }
                try cursor.remove(operation.deletes.map { try cursor.record(table.key($0)) })
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
        for ordinal in operation.reads { feed(try cursor.record(table.key(ordinal))) }
        guard let scan = operation.scan else { return }
        try cursor.forEach(from: table.key(scan.lowerBound), limit: scan.count, feed)
    }

    private func changes(_ operation: LoadOperation, at place: Int) throws -> [RecordChange] {
        switch operation.change {
        case .set(let set): try RecordChange.resolve(set, of: store.entity)
        case .attributes(let attributes, _):
            zip(attributes, operation.assigned[place]).map { RecordChange(attribute: $0, operation: .assign($1)) }
        }
    }
}

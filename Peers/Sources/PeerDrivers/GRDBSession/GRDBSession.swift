import BenchHarness
import Dispatch
import DriverSupport
import GRDB

/// A session on GRDB: one pool for all threads, as GRDB's documentation asks for. How rows are read and written is the
/// technique's business.
class GRDBSession<Method: GRDBTechnique>: FetchingSession, AsynchronousFetchingSession, InsertingSession,
    UpsertingSession, UpdatingSession, DeletingSession, CountingSession, MergingSession, CheckpointingSession
{
    /// What the session's threads share.
    struct Parts: Sendable {
        let method: Method
        let table: RecordTable
        let records: RecordGenerator
        let pool: DatabasePool
        let conflicts = ConflictCount()
    }

    let queue = DispatchQueue(label: "bench.grdb.context")
    let parts: Parts

    private let store: PeerStore
    /// Make the records of the store's other entities.
    private let others: [EntitySeed]
    private var prepared: [Method.Record] = []
    private var mirror: RecordMirror<Method.Record>?

    init(_ store: PeerStore, _ method: Method, others: [EntitySeed] = []) throws {
        self.store = store
        self.others = others
        parts = Parts(
            method: method, table: store.table, records: store.configuration.records, pool: try store.open())
        resetCounters()
    }

    // MARK: Work within the clock

    /// Foreign keys want records before those that lead to them.
    func seed(_ work: SeedWork, records: Int, monitor: PhaseMonitor) throws {
        let schema = parts.table.schema
        for place in schema.inSeedingOrder where records > 0 {
            if let other = others.first(where: { $0.entity == schema.entities[place].name }) {
                try seed(work, other.records, monitor) { [parts] ordinals in
                    try parts.pool.write { try other.insert(ordinals, $0) }
                }
            } else {
                try seed(work, records, monitor, insert)
            }
        }
    }

    private func seed(
        _ work: SeedWork, _ records: Int, _ monitor: PhaseMonitor, _ insert: (Range<Int>) throws -> Void
    ) throws {
        for save in work.saves(of: records) { try monitor.operation { try insert(save) } }
    }

    func insert(_ ordinals: Range<Int>) throws { try parts.pool.write { try parts.insert(ordinals, in: $0) } }

    func upsert(_ ordinals: [Int], of records: RecordGenerator) throws {
        let table = parts.table
        let sql = table.upsertion(by: try table.entity.requireUniqueAttribute())
        try parts.pool.write { db in
            let statement = try db.cachedStatement(sql: sql)
            for ordinal in ordinals {
                let values = table.columns.indices.map { records.value($0, ordinal).databaseValue }
                try statement.execute(arguments: StatementArguments(values))
            }
            try db.execute(
                sql:
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = max(Z_MAX, (SELECT max(Z_PK) FROM \(table.name))) WHERE Z_ENT = ?",
                arguments: [table.number])
        }
    }

    func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try queue.sync { () -> any FetchedRecords in
            if let follow = work.follow { return try parts.pool.read { try parts.method.follow(work, follow, in: $0) } }
            return FetchedArray(try parts.pool.read { try parts.method.fetchAll(work, in: $0) }, parts)
        }
    }

    /// An asynchronous read of the pool in a task, which is what GRDB has cancelled by cancelling the task.
    func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        let fetch = AsynchronousFetch(none: FetchedArray([], parts), queue: queue, monitor: monitor)
        return try fetch.runInTask { [parts] progress in
            try await parts.pool.read { db in
                FetchedArray(try parts.method.fetch(work, in: db) { try progress($0) }, parts)
            }
        }
    }

    func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {
        let changes = try RecordChange.resolve(work.set, of: parts.table.entity)
        switch work.mode {
        case .perObject: try parts.update(&prepared, changes)
        case .chunked: try updateInChunks(work, changes, monitor)
        case .batch: try parts.pool.write { try parts.method.updateAll(changes, where: work.filter, in: $0) }
        }
    }

    /// Paging by key rather than by offset finds each page at once, and misses none when a change makes records match
    /// no more.
    private func updateInChunks(_ work: UpdateWork, _ changes: [RecordChange], _ monitor: PhaseMonitor) throws {
        let size = max(work.chunkSize, 1)
        var next: Int64? = 1
        while let first = next {
            next = try monitor.operation {
                // The record beyond the chunk tells whether there is another chunk, and where it begins.
                var chunk = try parts.pool.read {
                    try parts.method.select(work.filter, from: first, limit: size + 1, in: $0)
                }
                let following = chunk.count > size ? chunk.removeLast().id : nil
                try parts.update(&chunk, changes)
                return following
            }
        }
    }

    func delete(_ work: DeleteWork) throws {
        try parts.pool.write { db in
            switch work.mode {
            case .perObject: try parts.method.delete(prepared, in: db)
            case .batch: _ = try request(work).deleteAll(db)
            }
        }
    }

    /// The rows to delete.
    private func request(_ work: DeleteWork) throws -> QueryInterfaceRequest<Row> {
        let rows = try request(work.filter)
        guard let limit = work.limit else { return rows }
        return try rows.order(RecordQuery(table: parts.table).ordering(work.sort ?? [])).limit(limit)
    }

    func count(_ work: CountWork) throws -> Int {
        try queue.sync { try parts.pool.read { try request(work.filter).fetchCount($0) } }
    }

    /// The rows that a filter lets through.
    func request(_ filter: FilterSpec?) throws -> QueryInterfaceRequest<Row> {
        let rows = Table(parts.table.name).all()
        return filter == nil ? rows : try rows.filter(RecordQuery(table: parts.table).condition(filter))
    }

    /// A transaction observer tells the merging queue what each save wrote: within the write, before its writer is
    /// done.
    func merge(_ plan: MergePlan, monitor: PhaseMonitor) throws -> any FetchedRecords {
        let mirror = self.mirror ?? makeMirror()
        let changes = try RecordChange.resolve(plan.set, of: parts.table.entity)
        let run = MergeRun(plan, mergeQueue: mergeQueue)
        let observer = SaveObserver(parts.table.name) { keys in run.merge { try mirror.merge(keys) } }
        parts.pool.add(transactionObserver: observer)
        defer { parts.pool.remove(transactionObserver: observer) }
        try run.run { [parts] save in try monitor.operation { try parts.save(save, changes) } }
        return mirror
    }

    private func makeMirror() -> RecordMirror<Method.Record> {
        RecordMirror(key: \.id, digest: { [parts] in $0.digest(into: &$1, entity: parts.table.entity) }) {
            [parts] keys in
            try parts.pool.read { try parts.method.read(keys, in: $0) }
        }
    }

    func checkpoint() throws { try parts.pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) } }

    // MARK: Outside the clock

    func prepareUpdate(_ work: UpdateWork) throws {
        prepared = try parts.pool.read { try parts.method.select(work.filter, from: 1, limit: -1, in: $0) }
    }

    func prepareDeletion(_ work: DeleteWork) throws {
        prepared = try parts.pool.read { db in
            if work.limit != nil { return try parts.method.fetchAll(work.fetch, in: db) }
            return try parts.method.select(work.filter, from: 1, limit: -1, in: db)
        }
    }

    func prepareMerge(_ plan: MergePlan) throws {
        let mirror = makeMirror()
        for save in plan.writers.joined() {
            try mirror.load(save.changes.map(RecordTable.key) + save.deletes.map(RecordTable.key))
        }
        self.mirror = mirror
    }

    func finish() {
        prepared = []
        mirror = nil
    }

    func forEachRecord(_ body: (StoredRecord) -> Void) throws { try store.inspect { try $0.forEachRecord(body) } }

    func scan(into digester: inout RecordDigester) throws { try store.inspect { try $0.scan(into: &digester) } }

    func checkIntegrity() throws -> [String] { try store.inspect { try $0.checkIntegrity() } }

    /// A pool closes its writer first, and a reader may not write the log back as the last connection does: that is
    /// left to another process that has the file open.
    func close() throws {
        finish()
        try? checkpoint()
        try parts.pool.close()
    }

    // MARK: Counters

    func counters() throws -> StoreCounters {
        parts.pool.writeWithoutTransaction { db in
            StoreCounters(
                pagesWritten: LibraryCounts.pagesWritten(db, reset: false), conflicts: parts.conflicts.value,
                storeMemoryPeakBytes: LibraryCounts.memoryPeakBytes(reset: false))
        }
    }

    func resetCounters() {
        parts.conflicts.reset()
        parts.pool.writeWithoutTransaction { _ = LibraryCounts.pagesWritten($0, reset: true) }
        _ = LibraryCounts.memoryPeakBytes(reset: true)
    }
}

extension GRDBSession.Parts {
    /// Makes changes in records and in their rows, in one transaction.
    func update(_ records: inout [Method.Record], _ changes: [RecordChange]) throws {
        try write { try method.update(&records, changes, in: $0) }
    }

    /// Writes in one transaction, and counts it if it is refused.
    private func write(_ body: (Database) throws -> Void) throws {
        do {
            try pool.write(body)
        } catch let conflict as RecordConflict {
            conflicts.add()
            throw conflict
        }
    }

    /// Does one save of a writer: reads what it is going to change, and writes everything in one transaction.
    func save(_ save: MergePlan.Save, _ changes: [RecordChange]) throws {
        try write { db in
            try insert(save.inserts, in: db)
            var changed = try readAll(save.changes, in: db)
            try method.update(&changed, changes, in: db)
            try method.delete(readAll(save.deletes, in: db), in: db)
        }
    }

    /// Inserts records.
    func insert(_ ordinals: Range<Int>, in db: Database) throws {
        try method.insert(ordinals, of: records, into: table, in: db)
    }

    /// Reads the records with `ordinals`, all of which must be there.
    func readAll(_ ordinals: Range<Int>, in db: Database) throws -> [Method.Record] {
        let found = try method.read(ordinals.map(RecordTable.key), in: db)
        if found.count == ordinals.count { return found }
        throw RunError(.phase, "one of \(ordinals.count) records of \(table.entity.name) was deleted by another writer")
    }
}

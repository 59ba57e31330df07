import BenchHarness
import CSQLite
import Dispatch
import DriverSupport
import Foundation
import Locking

/// A session on bare SQLite: a writer connection, and one for each reading thread or queue. The technique determines
/// how rows are read and written.
final class PlainSession<Method: Technique>: FetchingSession, AsynchronousFetchingSession, InsertingSession,
    UpsertingSession, UpdatingSession, DeletingSession, CountingSession, MergingSession, LoadingSession,
    CheckpointingSession
{
    let queue = DispatchQueue(label: "bench.sqlite.context")

    let file: RecordFile
    private let records: RecordGenerator
    let technique: Method
    private let writing: PlainConnection
    /// The connection of ``queue``.
    let reading: PlainConnection
    /// The connection of the thread of an asynchronous fetch.
    private let background: PlainConnection
    /// The connection of ``mergeQueue``.
    private let merging: PlainConnection
    private let writer: RecordWriter<Method>
    /// Write the records of the store's other entities, of which they make some numbers.
    private let otherWriters: [(writer: RecordWriter<Method>, records: Int)]
    private var prepared: [Method.Record] = []
    private var mirror: RecordMirror<Method.Record>?
    private let turn = Locked(())
    private let workers = WorkerCounters()
    private var files: FileCounter

    init(_ configuration: StoreConfiguration) throws {
        file = RecordFile(configuration)
        files = FileCounter(in: configuration.directory)
        records = configuration.records
        technique = Method(table: file.table)
        writing = try file.connect()
        try file.createTablesIfNeeded(on: writing)
        reading = try file.connect()
        background = try file.connect()
        merging = try file.connect()
        writer = RecordWriter(technique, on: writing, records: records)
        otherWriters = configuration.schema.others.map { [file, writing] place in
            let (technique, records) = (Method(table: file.table.table(of: place)), configuration.generator(of: place))
            return (RecordWriter(technique, on: writing, records: records), records.entity.records ?? 0)
        }
        resetCounters()
    }

    // MARK: Work within the clock

    func seed(_ work: SeedWork, records: Int, monitor: PhaseMonitor) throws {
        let others = records > 0 ? otherWriters : []
        for (writer, records) in others + [(writer, records)] {
            for save in work.saves(of: records) { try monitor.operation { try writer.insert(save) } }
        }
    }

    func insert(_ ordinals: Range<Int>) throws { try writer.insert(ordinals) }

    func upsert(_ ordinals: [Int], of records: RecordGenerator) throws { try writer.upsert(ordinals, of: records) }

    func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try queue.sync {
            if let follow = work.follow {
                return try technique.follow(RelatedFetch(work, follow, from: file.table), on: reading)
            }
            if work.attributes != nil { return try technique.fetchPart(work, on: reading) }
            return try technique.fetch(work, on: reading, watch: nil)
        }
    }

    func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try AsynchronousFetch(none: Method.Rows(), queue: queue, monitor: monitor)
            .run(interrupt: { [background] in background.interrupt() }) { [technique, background] progress in
                try technique.fetch(work, on: background, watch: FetchWatch(found: progress))
            }
    }

    func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {
        let changes = try RecordChange.resolve(work.set, of: file.table.entity)
        switch work.mode {
        case .perObject: try writer.update(&prepared, changes)
        case .chunked: try updateInChunks(work, changes, monitor)
        case .batch: try writer.updateAll(changes, where: Filter(work.filter, table: file.table))
        }
    }

    func delete(_ work: DeleteWork) throws {
        switch work.mode {
        case .perObject: try writer.delete(prepared)
        case .batch: try writer.deleteAll(where: Filter(work, table: file.table))
        }
    }

    func count(_ work: CountWork) throws -> Int {
        try queue.sync {
            let filter = try Filter(work.filter, table: file.table)
            let statement = try reading.prepare("SELECT count(*) FROM \(file.table.name) WHERE \(filter.sql)")
            try statement.bind(filter.bindings)
            guard try statement.step() else { return 0 }
            return Int(statement.int64(0))
        }
    }

    func merge(_ plan: MergePlan, monitor: PhaseMonitor) throws -> any FetchedRecords {
        let mirror = self.mirror ?? makeMirror()
        let changes = try RecordChange.resolve(plan.set, of: file.table.entity)
        let run = MergeRun(plan, mergeQueue: mergeQueue)
        try run.run { [writer] save in
            let saved = try monitor.operation { try writer.save(save, changes) }
            run.merge { mirror.merge(saved) }
        }
        return mirror
    }

    private func makeMirror() -> RecordMirror<Method.Record> {
        RecordMirror(key: \.key, digest: { $0.digest(into: &$1) }) { [technique, merging] keys in
            try technique.read(keys, on: merging)
        }
    }

    func makeLoadWorker(_ index: Int, _ work: LoadWork) throws -> any LoadWorker {
        let connection = try file.connect()
        connection.resetCounters()
        return try PlainLoadWorker<Method.Record>(
            work, file.table, on: connection, turn: Method.takesTurns ? turn : nil,
            didClose: { [workers] in workers.add($0) })
    }

    func checkpoint() throws { try file.checkpoint(on: writing) }

    private func updateInChunks(_ work: UpdateWork, _ changes: [RecordChange], _ monitor: PhaseMonitor) throws {
        let size = max(work.chunkSize, 1)
        var next: Int64? = 1
        while let first = next {
            next = try monitor.operation {
                // The record beyond the chunk tells whether there is another chunk, and where it begins.
                var chunk = try select(work.filter, from: first, limit: size + 1, on: reading)
                let following = chunk.count > size ? chunk.removeLast().key : nil
                try writer.update(&chunk, changes)
                return following
            }
        }
    }

    /// Reads records in the order of their keys. Paging by key instead of by offset finds each page directly, and
    /// misses no record if a change makes records match no longer.
    private func select(
        _ filter: FilterSpec?, from key: Int64 = 1, limit: Int = -1, on connection: PlainConnection
    ) throws -> [Method.Record] {
        let columns = file.table.keeping(nil, of: filter).selectList
        let filter = try Filter(filter, table: file.table)
        let statement = try connection.kept(
            """
            SELECT \(columns) FROM \(file.table.name) \
            WHERE Z_PK >= ? AND \(filter.sql) ORDER BY Z_PK LIMIT ?
            """)
        try statement.bind([.int64(key)] + filter.bindings + [.int64(Int64(limit))])
        return try Method.Record.readAll(from: statement, of: file.table)
    }

    // MARK: Outside the clock

    func prepareUpdate(_ work: UpdateWork) throws { prepared = try select(work.filter, on: reading) }

    func prepareDeletion(_ work: DeleteWork) throws {
        if work.limit == nil { return prepared = try select(work.filter, on: reading) }
        let found = try Method.Record.readAll(from: technique.select(work.fetch, on: reading), of: file.table)
        prepared = found.sorted { $0.key < $1.key }
    }

    func prepareMerge(_ plan: MergePlan) throws {
        let mirror = makeMirror()
        for save in plan.writers.joined() {
            try mirror.load(save.changes.map(RecordTable.key))
            try mirror.load(save.deletes.map(RecordTable.key))
        }
        self.mirror = mirror
    }

    private var inspector: RecordFileInspector {
        RecordFileInspector(file: file.url, schema: file.table.schema)
    }

    func forEachRecord(_ body: (StoredRecord) -> Void) throws {
        try inspector.forEachRecord(body)
    }

    func finish() {
        prepared = []
        mirror = nil
    }

    func scan(into digester: inout RecordDigester) throws {
        try inspector.scan(into: &digester)
    }

    func checkIntegrity() throws -> [String] {
        try inspector.checkIntegrity()
    }

    func settings() throws -> [StoreSettings] {
        try connections.map { connection in
            try StoreSettings { try connection.integer("PRAGMA \($0)").map { Int($0) } }
        }
    }

    /// Closes the connections, the writer last: the last connection writes the log back, which a reader may not do.
    func close() throws {
        finish()
        for connection in connections.reversed() { try connection.close() }
    }

    // MARK: Counters

    private var connections: [PlainConnection] { [writing, reading, background, merging] }

    func counters() throws -> StoreCounters {
        var total = StoreCounters(
            statements: 0, vmSteps: 0, rows: 0, pagesWritten: 0, conflicts: 0,
            storeMemoryPeakBytes: LibraryMemory.peakBytes(reset: false))
        for counters in connections.map(\.counters) + [workers.total] { total.add(counters) }
        files.fill(&total)
        return total
    }

    func resetCounters() {
        workers.reset()
        files.reset()
        for connection in connections { connection.resetCounters() }
        _ = LibraryMemory.peakBytes(reset: true)
    }
}

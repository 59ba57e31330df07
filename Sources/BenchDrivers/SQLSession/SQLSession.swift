import BenchHarness
import Dispatch
import DriverSupport
import Foundation
import Locking

/// A session on a bare database: a connection that writes, and one for each thread or queue that reads. The technique
/// determines how rows are read and written.
final class SQLSession<Database: SQLDatabase, Method: Technique>: FetchingSession, AsynchronousFetchingSession,
    InsertingSession, UpsertingSession, LinkingSession, DeletingSession, CountingSession, MergingSession,
    LoadingSession, CheckpointingSession
where Method.Connection == Database.Connection {
    typealias Connection = Database.Connection

    let queue = DispatchQueue(label: "bench.sql.context")

    private let database: Database
    let table: RecordTable
    let technique: Method
    private let writing: Connection
    /// The connection of ``queue``.
    let reading: Connection
    /// The connection of the thread of an asynchronous fetch.
    private let background: Connection
    /// The connection of ``mergeQueue``.
    private let merging: Connection
    private let writer: RecordWriter<Method>
    /// Write the records of the store's other entities, of which they make some numbers.
    private let otherWriters: [(writer: RecordWriter<Method>, records: Int)]
    private var prepared: [Method.Record] = []
    private var mirror: RecordMirror<Method.Record>?
    private let turn = Locked(())
    private let workers = WorkerCounters()
    private var files: FileCounter?

    init(_ configuration: StoreConfiguration, in database: Database) throws {
        self.database = database
        files = database.fileCounter
        table = database.table
        technique = Method(table: table)
        writing = try database.connect()
        try database.createTablesIfNeeded(on: writing)
        reading = try database.connect()
        background = try database.connect()
        merging = try database.connect()
        writer = RecordWriter(technique, on: writing, records: configuration.records)
        otherWriters = configuration.schema.others.map { [table, writing] place in
            let (technique, records) = (Method(table: table.table(of: place)), configuration.generator(of: place))
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
                return try technique.follow(RelatedFetch(work, follow, from: table), on: reading)
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
        let changes = try RecordChange.resolve(work.set, of: table.entity)
        switch work.mode {
        case .perObject: try writer.update(&prepared, changes, linking: table.statements(work.links ?? []))
        case .chunked: try updateInChunks(work, changes, monitor)
        case .batch: try writer.updateAll(changes, where: work.filter)
        }
    }

    func delete(_ work: DeleteWork) throws {
        switch work.mode {
        case .perObject: try writer.delete(prepared)
        case .batch: try writer.deleteAll(work.fetch)
        }
    }

    func count(_ work: CountWork) throws -> Int {
        try queue.sync {
            var parameters = SQLParameters(table.dialect)
            let condition = try table.condition(work.filter, &parameters)
            let sql = "SELECT count(*) FROM \(table.name) WHERE \(condition)"
            return Int(try reading.integer(SQLQuery(sql: sql, values: parameters.values)) ?? 0)
        }
    }

    func merge(_ plan: MergePlan, monitor: PhaseMonitor) throws -> any FetchedRecords {
        let mirror = self.mirror ?? makeMirror()
        let changes = try RecordChange.resolve(plan.set, of: table.entity)
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
        let connection = try database.connect()
        connection.resetCounters()
        return try SQLLoadWorker<Connection, Method.Record>(
            work, table, on: connection, turn: Method.takesTurns ? turn : nil,
            didClose: { [workers] in workers.add($0) })
    }

    func checkpoint() throws { try database.checkpoint(on: writing) }

    private func updateInChunks(_ work: UpdateWork, _ changes: [RecordChange], _ monitor: PhaseMonitor) throws {
        let (size, links) = (max(work.chunkSize, 1), try table.statements(work.links ?? []))
        var next: Int64? = 1
        while let first = next {
            next = try monitor.operation {
                // The record beyond the chunk tells whether there is another chunk, and where it begins.
                var chunk = try select(work.filter, from: first, limit: size + 1)
                let following = chunk.count > size ? chunk.removeLast().key : nil
                try writer.update(&chunk, changes, linking: links)
                return following
            }
        }
    }

    /// Reads records in the order of their keys, while nothing else uses the connection of the queue. Paging by key
    /// instead of by offset finds each page directly, and misses no record if a change makes records match no longer.
    private func select(_ filter: FilterSpec?, from key: Int64 = 1, limit: Int = .max) throws -> [Method.Record] {
        var parameters = SQLParameters(table.dialect)
        let columns = table.keeping(nil, of: filter).selectList
        let sql = """
            SELECT \(columns) FROM \(table.name) WHERE \(table.key) >= \(parameters.bind(key)) \
            AND \(try table.condition(filter, &parameters)) ORDER BY \(table.key) LIMIT \(parameters.bind(Int64(limit)))
            """
        return try reading.records(SQLQuery(sql: sql, values: parameters.values), isKept: true, of: table)
    }

    // MARK: Outside the clock

    func prepareUpdate(_ work: UpdateWork) throws { prepared = try select(work.filter) }

    func prepareDeletion(_ work: DeleteWork) throws {
        if work.limit == nil { return prepared = try select(work.filter) }
        let found: [Method.Record] = try reading.records(table.selection(work.fetch), of: table)
        prepared = found.sorted { $0.key < $1.key }
    }

    func prepareMerge(_ plan: MergePlan) throws {
        let mirror = makeMirror()
        for save in plan.writers.joined() {
            try mirror.load(save.changes.map(RecordTable.key))
            try mirror.load(save.deletes.map(RecordTable.key))
        }
        self.mirror = mirror
        if !Connection.hasOneWriter { writer.add(try plan.writers.map { _ in try database.connect() }) }
    }

    func forEachRecord(_ body: (StoredRecord) -> Void) throws { try database.inspector.forEachRecord(body) }

    func finish() {
        prepared = []
        mirror = nil
    }

    func scan(into digester: inout RecordDigester) throws { try database.inspector.scanValues(into: &digester) }

    func checkIntegrity() throws -> [String] { try database.inspector.checkIntegrity() }

    func settings() throws -> [StoreSettings] { try database.settings(of: connections) }

    /// Closes the connections, the writer last: the last connection writes the log back, which a reader may not do.
    func close() throws {
        finish()
        for connection in connections.reversed() { try connection.close() }
    }

    // MARK: Counters

    private var connections: [Connection] { [writing, reading, background, merging] + writer.connections }

    func counters() throws -> StoreCounters {
        var total = workers.total
        for connection in connections { total.add(connection.counters) }
        files?.fill(&total)
        return total
    }

    func resetCounters() {
        workers.reset()
        files?.reset()
        for connection in connections { connection.resetCounters() }
    }
}

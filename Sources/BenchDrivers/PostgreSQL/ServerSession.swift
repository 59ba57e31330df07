import BenchHarness
import Dispatch
import DriverSupport
import Foundation

/// A session on a bare server: a connection for each thread or queue that reads, and one for each writer. The technique
/// determines how rows are read and written.
final class ServerSession<Method: ServerTechnique>: FetchingSession, AsynchronousFetchingSession, InsertingSession,
    UpsertingSession, UpdatingSession, DeletingSession, CountingSession, MergingSession, LoadingSession,
    CheckpointingSession
{
    let queue = DispatchQueue(label: "bench.postgres.context")

    let store: ServerStore
    let table: ServerTable
    private let configuration: StoreConfiguration
    private let records: RecordGenerator
    let technique: Method
    private let writing: ServerConnection
    /// The connection of ``queue``.
    let reading: ServerConnection
    /// The connection of the thread of an asynchronous fetch.
    private let background: ServerConnection
    /// The connection of ``mergeQueue``.
    private let merging: ServerConnection
    private let writers: ServerWriters<Method>
    private var prepared: [Method.Record] = []
    private var mirror: RecordMirror<Method.Record>?
    private let workers = WorkerCounters()

    init(_ configuration: StoreConfiguration, at address: URL) throws {
        store = ServerStore(configuration, at: address)
        table = store.table
        self.configuration = configuration
        records = configuration.records
        technique = Method(table: table)
        writers = ServerWriters(technique, store, records)
        writing = try store.connect()
        try store.createTablesIfNeeded(on: writing)
        reading = try store.connect()
        background = try store.connect()
        merging = try store.connect()
        resetCounters()
    }

    // MARK: Work within the clock

    func seed(_ work: SeedWork, records count: Int, monitor: PhaseMonitor) throws {
        for place in configuration.schema.others where count > 0 {
            let (other, generator) = (ServerTable(table.records.table(of: place)), configuration.generator(of: place))
            let technique = Method(table: other)
            try seed(work, generator.entity.records ?? 0, monitor) { ordinals in
                try technique.insertOthers(ordinals, of: generator, on: writing)
                try insertPairs(ordinals, of: generator, into: other)
            }
        }
        try seed(work, count, monitor, insertRecords)
    }

    /// Inserts the records of each save, in a transaction.
    private func seed(
        _ work: SeedWork, _ count: Int, _ monitor: PhaseMonitor, _ insert: (Range<Int>) throws -> Void
    ) throws {
        for save in work.saves(of: count) {
            try monitor.operation { try writing.transaction { try insert(save) } }
        }
    }

    func insert(_ ordinals: Range<Int>) throws { try writing.transaction { try insertRecords(ordinals) } }

    private func insertRecords(_ ordinals: Range<Int>) throws {
        try technique.insert(ordinals, of: records, on: writing)
        try insertPairs(ordinals, of: records, into: table)
    }

    /// Inserts the pairs of the many-to-many relationships that an entity declares.
    private func insertPairs(_ ordinals: Range<Int>, of records: RecordGenerator, into table: ServerTable) throws {
        for link in table.records.links {
            try technique.insert(link.pairs(ordinals, of: records), of: link, on: writing)
        }
    }

    /// One statement for each record: `COPY` has no way to replace rows.
    func upsert(_ ordinals: [Int], of records: RecordGenerator) throws {
        let sql = table.upsertion(by: try table.entity.requireUniqueAttribute())
        try writing.transaction {
            try writing.pipeline(sql, count: ordinals.count) { position, values in
                Method.Record(ordinals[position], of: records).appendAll(of: table, to: &values)
            } check: { _, _ in
            }
        }
    }

    func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try queue.sync {
            if let follow = work.follow {
                let fetch = try RelatedFetch(work, follow, from: table.records)
                return try ServerRelatedReader(connection: reading).read(fetch)
            }
            if work.attributes != nil { return try technique.fetchPart(work, on: reading) }
            return try technique.fetch(work, from: nil, on: reading, watch: nil)
        }
    }

    func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try AsynchronousFetch(none: Method.Rows(), queue: queue, monitor: monitor)
            .run(interrupt: { [background] in background.interrupt() }) { [technique, background] progress in
                try technique.fetch(work, from: nil, on: background, watch: FetchWatch(found: progress))
            }
    }

    func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {
        let changes = try RecordChange.resolve(work.set, of: table.entity)
        switch work.mode {
        case .perObject: try writing.transaction { try technique.update(&prepared, changes, on: writing) }
        case .chunked: try updateInChunks(work, changes, monitor)
        case .batch: try updateAll(changes, work.filter)
        }
    }

    /// Changes every matching row in one statement.
    private func updateAll(_ changes: [RecordChange], _ filter: FilterSpec?) throws {
        let assignments = ServerAssignments(changes, table: table)
        let filter = try ServerFilter(filter, table: table, after: assignments.values)
        let list = (assignments.clauses + ["\"Z_OPT\" = \"Z_OPT\" + 1"]).joined(separator: ", ")
        try writing.run("UPDATE \(table.name) SET \(list) WHERE \(filter.sql)", filter.values)
    }

    func delete(_ work: DeleteWork) throws {
        switch work.mode {
        case .perObject:
            try writing.transaction {
                try technique.deleteBelongings(of: prepared, on: writing)
                try technique.delete(prepared, on: writing)
            }
        case .batch:
            if work.limit == nil {
                let filter = try ServerFilter(work.filter, table: table)
                try deleteAll(where: filter.sql, filter.values)
            } else {
                let (first, values) = try technique.selection(work.fetch, columns: "\"Z_PK\"")
                try deleteAll(where: "\"Z_PK\" IN (\(first))", values)
            }
        }
    }

    /// Deletes every matching row, in one statement if nothing else is deleted with it.
    private func deleteAll(where condition: String, _ values: ServerValues) throws {
        let statements = table.records.deletions(where: condition)
        if statements.count == 1 {
            try writing.run(statements[0].sql, values)
            return
        }
        try writing.transaction {
            for (sql, hasCondition) in statements {
                if hasCondition { try writing.run(sql, values) } else { try writing.execute(sql) }
            }
        }
    }

    func count(_ work: CountWork) throws -> Int {
        try queue.sync {
            let filter = try ServerFilter(work.filter, table: table)
            let sql = "SELECT count(*) FROM \(table.name) WHERE \(filter.sql)"
            return Int(try reading.integer(sql, filter.values) ?? 0)
        }
    }

    func merge(_ plan: MergePlan, monitor: PhaseMonitor) throws -> any FetchedRecords {
        let mirror = self.mirror ?? makeMirror()
        let changes = try RecordChange.resolve(plan.set, of: table.entity)
        let run = MergeRun(plan, mergeQueue: mergeQueue)
        try run.run { [writers] save in
            let saved = try monitor.operation { try writers.save(save, changes) }
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
        try ServerLoadWorker<Method.Record>(work, table, on: store.connect()) { [workers] in workers.add($0) }
    }

    /// Has the server write its changed pages, which a user with the right may ask for.
    func checkpoint() throws { try writing.execute("CHECKPOINT") }

    private func updateInChunks(_ work: UpdateWork, _ changes: [RecordChange], _ monitor: PhaseMonitor) throws {
        let size = max(work.chunkSize, 1)
        var next: Int64? = 1
        while let first = next {
            next = try monitor.operation {
                // The record beyond the chunk tells whether there is another chunk, and where it begins.
                var chunk = try select(work.filter, from: first, limit: size + 1)
                let following = chunk.count > size ? chunk.removeLast().key : nil
                try writing.transaction { try technique.update(&chunk, changes, on: writing) }
                return following
            }
        }
    }

    /// Reads records in the order of their keys, while nothing else uses the connection of the queue.
    private func select(_ filter: FilterSpec?, from key: Int64 = 1, limit: Int = .max) throws -> [Method.Record] {
        var values = ServerValues()
        values.append(key)
        values.append(Int64(limit))
        let columns = table.keeping(nil, of: filter).selectList
        let filter = try ServerFilter(filter, table: table, after: values)
        return try technique.readAll(
            """
            SELECT \(columns) FROM \(table.name) \
            WHERE "Z_PK" >= $1 AND \(filter.sql) ORDER BY "Z_PK" LIMIT $2
            """, filter.values, on: reading)
    }

    // MARK: Outside the clock

    func prepareUpdate(_ work: UpdateWork) throws { prepared = try select(work.filter) }

    func prepareDeletion(_ work: DeleteWork) throws {
        if work.limit == nil { return prepared = try select(work.filter) }
        let (sql, values) = try technique.selection(work.fetch)
        prepared = try technique.readAll(sql, values, on: reading)
    }

    func prepareMerge(_ plan: MergePlan) throws {
        let mirror = makeMirror()
        for save in plan.writers.joined() {
            try mirror.load(save.changes.map(RecordTable.key))
            try mirror.load(save.deletes.map(RecordTable.key))
        }
        self.mirror = mirror
        try writers.connect(plan.writers.count)
    }

    func forEachRecord(_ body: (StoredRecord) -> Void) throws { try inspector.forEachRecord(body) }

    func finish() {
        prepared = []
        mirror = nil
    }

    func scan(into digester: inout RecordDigester) throws { try inspector.scanValues(into: &digester) }

    func checkIntegrity() throws -> [String] { try inspector.checkIntegrity() }

    private var inspector: ServerInspector { ServerInspector(store: store) }

    func close() {
        finish()
        for connection in connections { connection.close() }
    }

    // MARK: Counters

    private var connections: [ServerConnection] { [writing, reading, background, merging] + writers.connections }

    func counters() throws -> StoreCounters {
        var total = StoreCounters(statements: 0, rows: 0, conflicts: 0)
        for counters in connections.map(\.counters) + [workers.total] { total.add(counters) }
        return total
    }

    func resetCounters() {
        workers.reset()
        for connection in connections { connection.resetCounters() }
    }
}

import BenchHarness
import Dispatch
import DriverSupport

/// A session on a store in memory: what each session has. The capabilities are extensions.
final class MemorySession: InsertingSession, UpsertingSession {
    let queue = DispatchQueue(label: "memory.context")
    let mergeQueue = DispatchQueue(label: "memory.merging")
    let writer: MemoryWriter
    let schema: Schema
    /// Make the records of the store's other entities.
    private let others: [MemoryWriter]
    var store: MemoryView { writer.store }
    var generator: RecordGenerator { writer.generator }
    var entity: EntitySpec { generator.entity }

    /// What an update that is prepared is going to change.
    var prepared: [MemoryRecord] = []
    /// Changes that may be taken back.
    var unsaved: MemoryChanges?
    var mirror: RecordMirror<MemoryRecord>?
    var watcher: MemoryWatcher?
    /// Saves that were refused since the counters were reset.
    var conflicts = 0
    /// Records that updates and seeds read and wrote since the counters were reset.
    var rows = 0

    init(_ configuration: StoreConfiguration) throws {
        let store = try MemoryStore.open(configuration.directory)
        let schema = configuration.schema
        func writer(_ place: Int) -> MemoryWriter {
            MemoryWriter(
                store: MemoryView(store: store, entity: schema.entities[place].name),
                generator: configuration.generator(of: place), links: schema.links.filter { $0.source == place })
        }
        self.schema = schema
        self.writer = writer(schema.focus)
        others = schema.others.map(writer)
    }

    func seed(_ work: SeedWork, records: Int, monitor: PhaseMonitor) throws {
        let others = records > 0 ? others.map { ($0, $0.generator.entity.records ?? 0) } : []
        for (writer, records) in others + [(writer, records)] {
            for save in work.saves(of: records) { try monitor.operation { try insert(save, by: writer) } }
        }
    }

    func insert(_ ordinals: Range<Int>) throws { try insert(ordinals, by: writer) }

    private func insert(_ ordinals: Range<Int>, by writer: MemoryWriter) throws {
        try writer.store.save { _ in writer.insertion(of: ordinals) }
        rows += ordinals.count
    }

    func upsert(_ ordinals: [Int], of records: RecordGenerator) throws {
        let key = try entity.requireUniqueAttribute()
        let received = ordinals.map(MemoryWriter(store: store, generator: records).record)
        try store.save { content in
            let known = Dictionary(content.records.values.map { ($0.values[key], $0) }) { first, _ in first }
            return MemorySave(
                written: received.map { record in
                    guard let known = known[record.values[key]] else { return record }
                    return MemoryRecord(ordinal: known.ordinal, version: known.version + 1, values: record.values)
                })
        }
        rows += received.count
    }

    func scan(into digester: inout RecordDigester) throws {
        var scan = StoreScan()
        scan.values = digester
        try store.stored().scan(schema, into: &scan)
        digester = scan.values
    }

    func checkIntegrity() throws -> [String] {
        try store.stored() == store.snapshot ? [] : ["the files hold something else than memory"]
    }

    func counters() -> StoreCounters { StoreCounters(rows: rows, conflicts: conflicts) }

    func resetCounters() { (rows, conflicts) = (0, 0) }

    func finish() {
        prepared = []
        unsaved = nil
        mirror = nil
        watcher = nil
    }

    func close() {
        finish()
        store.store.close()
    }
}

extension MemorySession: CheckpointingSession {
    func checkpoint() throws { try store.store.checkpoint() }
}

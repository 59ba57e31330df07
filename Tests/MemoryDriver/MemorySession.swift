import BenchHarness
import Dispatch
import DriverSupport

/// A session on a store in memory: what each session has. The capabilities are extensions.
final class MemorySession: InsertingSession, UpsertingSession {
    let queue = DispatchQueue(label: "memory.context")
    let mergeQueue = DispatchQueue(label: "memory.merging")
    let writer: MemoryWriter
    let entities: RelatedEntities
    /// Make the records of the scenario's other entities.
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
        let records = configuration.records
        writer = MemoryWriter(store: MemoryView(store: store, entity: records.entity.name), generator: records)
        entities = RelatedEntities(configuration)
        others = configuration.others.map {
            MemoryWriter(store: MemoryView(store: store, entity: $0.name), generator: records.sibling($0))
        }
    }

    func seed(_ work: SeedWork, records: Int, monitor: PhaseMonitor) throws {
        if records > 0, !writer.owners.isEmpty {
            _ = try monitor.operation { try store.save { _ in MemorySave(owners: writer.owners) } }
        }
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
        try store.stored().scan(entities, into: &scan)
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

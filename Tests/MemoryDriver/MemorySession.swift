import BenchHarness
import Dispatch
import DriverSupport

/// A session on a store in memory: what each session has. The capabilities are extensions.
final class MemorySession: InsertingSession, UpsertingSession {
    let queue = DispatchQueue(label: "memory.context")
    let mergeQueue = DispatchQueue(label: "memory.merging")
    let writer: MemoryWriter
    var store: MemoryStore { writer.store }
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
        writer = MemoryWriter(store: try MemoryStore.open(configuration.directory), generator: configuration.records)
    }

    func seed(_ work: SeedWork, records: Int, monitor: PhaseMonitor) throws {
        let part = work.saveEvery > 0 ? work.saveEvery : max(records, 1)
        for start in stride(from: 0, to: records, by: part) {
            let inserted = (start..<min(start + part, records)).map(writer.record)
            try store.save { _ in MemorySave(written: inserted, owners: start == 0 ? writer.owners : []) }
            rows += inserted.count
        }
    }

    func insert(_ ordinals: Range<Int>) throws {
        let inserted = ordinals.map(writer.record)
        try store.save { _ in MemorySave(written: inserted) }
        rows += inserted.count
    }

    func upsert(_ ordinals: [Int], of records: RecordGenerator) throws {
        let key = try entity.requireUniqueAttribute()
        let received = ordinals.map { MemoryWriter(store: store, generator: records).record($0) }
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
        let stored = try store.stored()
        for record in stored.records.values {
            record.digest(into: &digester)
            digester.endRecord()
        }
        for (place, owner) in stored.owners.enumerated() {
            for value in owner { digester.add(value) }
            digester.add(Int64(place) + 1)
            digester.endRecord()
        }
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
        store.close()
    }
}

extension MemorySession: CheckpointingSession {
    func checkpoint() throws { try store.checkpoint() }
}

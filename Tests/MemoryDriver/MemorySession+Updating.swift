import BenchHarness
import DriverSupport

extension MemorySession: UpdatingSession {
    func prepareUpdate(_ work: UpdateWork) throws { prepared = matching(work.filter) }

    func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {
        let changes = try RecordChange.resolve(work.set, of: entity)
        switch work.mode {
        case .perObject: try save(prepared, changes)
        case .batch: try save(matching(work.filter), changes)
        case .chunked:
            let (found, size) = (matching(work.filter), max(work.chunkSize, 1))
            for start in stride(from: 0, to: found.count, by: size) {
                let chunk = Array(found[start...].prefix(size))
                try monitor.operation { try save(chunk, changes) }
            }
        }
    }

    private func matching(_ filter: FilterSpec?) -> [MemoryRecord] {
        store.snapshot.records(
            matching: filter.map { RecordFilter($0, entity: entity, owners: generator.owners) })
    }

    /// Changes records and saves them, unless another session has changed one of them since they were read.
    private func save(_ records: [MemoryRecord], _ changes: [RecordChange]) throws {
        try store.save { content in
            for record in records where content.records[record.ordinal]?.version != record.version {
                conflicts += 1
                throw RunError(.phase, "another session has changed record \(record.ordinal)")
            }
            return MemorySave(written: records.map { $0.changed(by: changes) })
        }
    }
}

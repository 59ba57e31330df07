import BenchHarness
import DriverSupport

extension MemorySession: LinkingSession {
    func prepareUpdate(_ work: UpdateWork) throws { prepared = try matching(work.filter) }

    func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {
        let changes = try RecordChange.resolve(work.set, of: entity)
        switch work.mode {
        case .perObject: try save(prepared, changes, work.links)
        case .batch: try save(matching(work.filter), changes, work.links)
        case .chunked:
            let (ordinals, size) = (try matching(work.filter).map(\.ordinal), max(work.chunkSize, 1))
            for start in stride(from: 0, to: ordinals.count, by: size) {
                try monitor.operation { try save(read(ordinals[start...].prefix(size)), changes, work.links) }
            }
        }
    }

    func matching(_ filter: FilterSpec?) throws -> [MemoryRecord] {
        let content = store.snapshot
        return content.records(matching: try RelationshipView(schema, in: content).filter(filter))
    }

    private func read(_ ordinals: ArraySlice<Int>) throws -> [MemoryRecord] {
        let content = store.snapshot
        rows += ordinals.count
        return try ordinals.map { try content.record($0) }
    }

    /// Changes records and saves them, unless another session has changed one of them since they were read.
    private func save(_ records: [MemoryRecord], _ changes: [RecordChange], _ links: [LinkChange]?) throws {
        try store.save { content in
            for record in records where content.records[record.ordinal]?.version != record.version {
                conflicts += 1
                throw RunError(.phase, "another session has changed record \(record.ordinal)")
            }
            var save = MemorySave(written: changes.isEmpty ? [] : records.map { $0.changed(by: changes) })
            for change in links ?? [] { add(change, of: records, to: &save) }
            return save
        }
        rows += records.count
    }

    private func add(_ change: LinkChange, of records: [MemoryRecord], to save: inout MemorySave) {
        guard case .pairs(let link, let isForward)? = schema.relationship(change.relationship)?.place else { return }
        let pairs = records.map { record in
            isForward
                ? MemoryPair(source: record.number, target: change.number)
                : MemoryPair(source: change.number, target: record.number)
        }
        if change.links {
            save.joined[link.name, default: []] += pairs
        } else {
            save.parted[link.name, default: []] += pairs
        }
    }
}

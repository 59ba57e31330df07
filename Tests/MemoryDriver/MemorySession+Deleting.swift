import BenchHarness
import DriverSupport

extension MemorySession: DeletingSession {
    func prepareDeletion(_ work: DeleteWork) throws { prepared = try found(work) }

    /// The records to delete.
    private func found(_ work: DeleteWork) throws -> [MemoryRecord] {
        let matching = try matching(work.filter)
        guard let limit = work.limit else { return matching }
        let order = try RelationshipView(schema, in: store.snapshot).order(work.sort ?? [])
        return Array(matching.sorted { order.areInIncreasingOrder($0.values, $1.values) }.prefix(limit))
    }

    func delete(_ work: DeleteWork) throws {
        let records = work.mode == .perObject ? prepared : try found(work)
        try store.save { content in
            for record in records where content.records[record.ordinal]?.version != record.version {
                conflicts += 1
                throw RunError(.phase, "another session has changed record \(record.ordinal)")
            }
            return try deletion(of: records, in: content)
        }
        rows += records.count
    }

    /// What deletes records, those that belong to them, and the pairs with any of these; others lead to them no more.
    private func deletion(of records: [MemoryRecord], in content: MemoryContent) throws -> MemorySave {
        let view = RelationshipView(schema, in: content)
        let deleted = try view.deleted(with: records.map(\.number))
        if try view.isDenied(deleted) { throw DeniedDeletion() }
        var save = MemorySave(deleted: (deleted[schema.focus] ?? []).map { Int($0) - 1 })
        for (place, positions) in try view.losers(by: deleted) {
            let entity = schema.entities[place].name
            save.losers[entity] = content.records(of: entity, losing: positions)
        }
        save.deletedOthers = Dictionary(
            uniqueKeysWithValues: deleted.filter { $0.key != schema.focus }
                .map { (schema.entities[$0].name, $1.map { Int($0) - 1 }) })
        for link in schema.links { save.parted[link.name] = content.pairs(of: link, with: deleted) }
        return save
    }
}

extension MemorySession: CountingSession {
    func count(_ work: CountWork) throws -> Int { try matching(work.filter).count }
}

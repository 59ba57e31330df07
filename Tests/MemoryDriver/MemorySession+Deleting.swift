import BenchHarness

extension MemorySession: DeletingSession {
    func prepareDeletion(_ work: DeleteWork) throws { prepared = try found(work) }

    /// The records to delete.
    private func found(_ work: DeleteWork) throws -> [MemoryRecord] {
        let matching = matching(work.filter)
        guard let limit = work.limit else { return matching }
        let order = try RecordOrder(work.sort ?? [], of: entity, owners: generator.owners)
        return Array(matching.sorted { order.areInIncreasingOrder($0.values, $1.values) }.prefix(limit))
    }

    func delete(_ work: DeleteWork) throws {
        let records = work.mode == .perObject ? prepared : try found(work)
        try store.save { content in
            for record in records where content.records[record.ordinal]?.version != record.version {
                conflicts += 1
                throw RunError(.phase, "another session has changed record \(record.ordinal)")
            }
            return MemorySave(deleted: records.map(\.ordinal))
        }
        rows += records.count
    }
}

extension MemorySession: CountingSession {
    func count(_ work: CountWork) throws -> Int { matching(work.filter).count }
}

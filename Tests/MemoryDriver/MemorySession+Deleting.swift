import BenchHarness

extension MemorySession: DeletingSession {
    func prepareDeletion(_ work: DeleteWork) throws { prepared = matching(work.filter) }

    func delete(_ work: DeleteWork) throws {
        let records = work.mode == .perObject ? prepared : matching(work.filter)
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

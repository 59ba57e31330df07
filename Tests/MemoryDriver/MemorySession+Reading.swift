import BenchHarness

extension MemorySession: GettingSession {
    func get(_ ordinal: Int) -> any FetchedRecords {
        queue.sync {
            let record = store.snapshot.records[ordinal]
            return MemoryRows(rows: record.map { [MemoryRows.Row(values: $0.values)] } ?? [])
        }
    }
}

extension MemorySession: PagingSession {
    func page(_ work: FetchWork, offset: Int) throws -> any FetchedRecords {
        var whole = work
        whole.limit = 0
        let query = try MemoryQuery(whole, generator)
        return try queue.sync {
            MemoryRows(
                rows: Array(try query.rows(in: store.snapshot) { _ in }.rows.dropFirst(offset).prefix(work.limit)))
        }
    }
}

import BenchHarness

extension MemorySession: GettingSession {
    func get(_ ordinal: Int) -> any FetchedRecords {
        queue.sync {
            let record = store.snapshot.records[ordinal]
            return MemoryRows(rows: record.map { [MemoryRows.Row(values: $0.values)] } ?? [])
        }
    }
}

import BenchHarness

extension PlainSession: GettingSession {
    func get(_ ordinal: Int) throws -> any FetchedRecords {
        try queue.sync { RecordArray(try technique.read([RecordTable.key(ordinal)], on: reading)) }
    }
}

extension PlainSession: PagingSession {
    func page(_ work: FetchWork, offset: Int) throws -> any FetchedRecords {
        try queue.sync { try technique.fetch(work, from: offset, on: reading, watch: nil) }
    }
}

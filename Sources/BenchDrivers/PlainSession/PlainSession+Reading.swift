import BenchHarness

extension PlainSession: GettingSession {
    func get(_ ordinal: Int) throws -> any FetchedRecords {
        try queue.sync { RecordArray(try technique.read([RecordTable.key(ordinal)], on: reading)) }
    }
}

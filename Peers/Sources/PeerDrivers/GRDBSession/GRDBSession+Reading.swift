import BenchHarness
import GRDB

extension GRDBSession: GettingSession {
    func get(_ ordinal: Int) throws -> any FetchedRecords {
        try queue.sync {
            FetchedArray(try parts.pool.read { try parts.method.read([RecordTable.key(ordinal)], in: $0) }, parts)
        }
    }
}

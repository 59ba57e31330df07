import BenchHarness
import GRDB

extension GRDBSession: GettingSession {
    func get(_ ordinal: Int) throws -> any FetchedRecords {
        try queue.sync {
            FetchedArray(try parts.pool.read { try parts.method.read([RecordTable.key(ordinal)], in: $0) }, parts)
        }
    }
}

extension GRDBSession: PagingSession {
    func page(_ work: FetchWork, offset: Int) throws -> any FetchedRecords {
        try queue.sync {
            FetchedArray(try parts.pool.read { try parts.method.fetchPage(work, offset: offset, in: $0) }, parts)
        }
    }
}

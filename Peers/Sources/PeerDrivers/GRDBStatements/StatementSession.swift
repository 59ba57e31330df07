import BenchHarness

/// A session that does loads besides.
final class StatementSession<Record: StatementRecord>: GRDBSession<StatementTechnique<Record>>, LoadingSession {
    func makeLoadWorker(_ index: Int, _ work: LoadWork) throws -> any LoadWorker {
        StatementLoadWorker(parts, try RecordIdentity(of: parts.table.entity))
    }
}

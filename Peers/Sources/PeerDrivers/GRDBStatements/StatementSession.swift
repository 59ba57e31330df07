import BenchHarness

/// A session that does loads besides.
final class StatementSession<Record: StatementRecord>: GRDBSession<StatementTechnique<Record>> {
    override func makeLoadWorker(_ index: Int, _ work: LoadWork) throws -> any LoadWorker {
        guard let identity = RecordIdentity(parts.table.entity) else {
            throw RunError(
                .phase, "a load needs a unique int64 attribute of \(parts.table.entity.name) that counts up")
        }
        return StatementLoadWorker(parts, identity)
    }
}

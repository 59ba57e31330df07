/// The row of a load, made of those of its shards by the rule of each column.
struct MergedRow {
    let rows: [ResultRow]
    /// What no rows of shards tell, such as percentiles, which are those of all operations.
    let whole: ResultRow

    /// - Parameter intervals: The intervals of each shard; those of older results are missing.
    init(
        load: String, rows: [ResultRow], kinds: [OperationKind: OperationFigures], limits: [String: LimitSpec],
        intervals: [[LoadInterval]] = []
    ) {
        self.rows = rows
        let total = kinds.values.reduce(into: OperationFigures()) { $0.merge($1) }
        let seconds = Double(rows.compactMap(\.durationNanoseconds).max() ?? 0) / 1e9
        let operations = rows.compactMap(\.operations)
        let isTimed = operations.count == rows.count && seconds > 0
        let isJudged = !limits.isEmpty && rows.allSatisfy(\.isEvidence)
        let missed = LoadLimits(limits: limits).missed(by: LoadFigures(kinds: kinds, seconds: seconds))
        // A drift that is too small to be told in a shard may be clear in the sum, and the other way round.
        let isSummed = rows.count > 1 && intervals.count == rows.count && intervals.allSatisfy { !$0.isEmpty }
        // What stands for the row that a stopped shard lacks is of no scenario.
        var identity = (rows.first { !$0.scenario.isEmpty } ?? rows[0]).identity
        identity.run = load
        whole = ResultRow(
            identity: identity,
            work: ResultRow.Work(
                throughput: isTimed ? Double(operations.clampedSum) / seconds : nil, total.response,
                unanswered: total.unanswered),
            load: ResultRow.Load(
                serviceP50: total.service.percentile(50), serviceP99: total.service.percentile(99),
                serviceMax: total.service.max, limits: isJudged ? ResultRow.limits(missed: missed) : "",
                drift: isSummed ? LoadDrift.text(LoadSample.sum(intervals)) : rows.map(\.drift).inWordsOfShards))
    }

    var row: ResultRow { ResultColumn.all.reduce(into: ResultRow()) { $1.merge?(self, &$0) } }
}

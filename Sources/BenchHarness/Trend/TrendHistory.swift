/// The rows of the runs that count, found by what they are of.
struct TrendHistory: Sendable {
    /// By phase in the order of the files, and by driver: runs shuffle theirs.
    private(set) var keys: [TrendSeries.Key] = []
    /// What was left out, and what else a reader must know.
    private(set) var remarks: [String] = []
    private var rows: [[TrendSeries.Key: [ResultRow]]] = []

    init(_ runs: [RecordedRun]) {
        var known: Set<TrendSeries.Key> = []
        for run in runs {
            let good = run.rows.filter { $0.status == .ok && $0.verified == true }
            for row in good where known.insert(TrendSeries.Key(row)).inserted { keys.append(TrendSeries.Key(row)) }
            rows.append(Dictionary(grouping: good) { TrendSeries.Key($0) })
            if let remark = Self.remark(on: run) { remarks.append(remark) }
        }
        let phases = Self.unique(keys.map { TrendSeries.Key($0, driver: "") })
        keys = phases.flatMap { phase in Self.byDriver(keys.filter { TrendSeries.Key($0, driver: "") == phase }) }
        remarks += workRemarks(phases)
    }

    var scenarios: [String] { Self.unique(keys.map(\.scenario)) }

    /// What each run came to.
    func points(_ key: TrendSeries.Key, _ metric: TrendMetric) -> [TrendSeries.Point?] {
        rows.map { TrendSeries.Point(($0[key] ?? []).compactMap(metric.value)) }
    }

    /// What each run came to, divided by another driver's figures of the same run and repetition.
    func points(_ key: TrendSeries.Key, _ metric: TrendMetric, relativeTo driver: String) -> [TrendSeries.Point?] {
        rows.map { rows in
            let base = rows[TrendSeries.Key(key, driver: driver)] ?? []
            let ratios = (rows[key] ?? []).compactMap { row -> Double? in
                let other = base.first { $0.run == row.run && $0.repetition == row.repetition }.flatMap(metric.value)
                guard let own = metric.value(row), let other, other > 0 else { return nil }
                return own / other
            }
            return TrendSeries.Point(ratios)
        }
    }

    private static func remark(on run: RecordedRun) -> String? {
        let failed = run.rows.filter { $0.status == .failed }.count
        let interrupted = run.rows.filter { $0.status == .interrupted }.count
        let unverified = run.rows.filter { $0.status == .ok && $0.verified != true }.count
        let parts = [(failed, "failed"), (interrupted, "interrupted"), (unverified, "unverified")]
            .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return parts.isEmpty ? nil : "\(run.name): \(parts.joined(separator: ", ")) of \(run.rows.count) rows left out"
    }

    /// The baseline first, then by name.
    private static func byDriver(_ keys: [TrendSeries.Key]) -> [TrendSeries.Key] {
        let sorted = keys.sorted { $0.driver < $1.driver }
        let isBaseline = { (key: TrendSeries.Key) in key.driver == SummaryTable.baseline }
        return sorted.filter(isBaseline) + sorted.filter { !isBaseline($0) }
    }

    /// A run of another size is no change of the program. What was cancelled got as far as it got.
    private func workRemarks(_ phases: [TrendSeries.Key]) -> [String] {
        Self.unique(phases.map(\.scenario)).compactMap { scenario in
            let isMixed = phases.contains { $0.scenario == scenario && recordCounts($0).count > 1 }
            return isMixed ? "\(scenario): the runs differ in their numbers of records; so may their figures" : nil
        }
    }

    private func recordCounts(_ phase: TrendSeries.Key) -> Set<Int> {
        let all = rows.flatMap { $0.filter { TrendSeries.Key($0.key, driver: "") == phase }.values.joined() }
        return Set(all.filter { $0.cancel == nil }.compactMap(\.records))
    }

    private static func unique<Value: Hashable>(_ values: [Value]) -> [Value] {
        var seen: Set<Value> = []
        return values.filter { seen.insert($0).inserted }
    }
}

/// The repetitions of one side of a comparison, from one run or several.
struct ComparisonSide: Sendable {
    /// A figure, and the repetition that it comes from.
    struct Observation: Sendable, Equatable {
        var repetition: Repetition
        var value: Double
    }

    /// Repetitions of pooled runs may have the same number.
    struct Repetition: Sendable, Hashable {
        var run: String
        var number: Int

        init(_ row: ResultRow) {
            run = row.run
            number = row.repetition
        }
    }

    let runs: [RecordedRun]
    /// In the order in which they first occur.
    let keys: [ComparisonKey]
    /// The rows that are evidence: verified ones.
    private let evidence: [ComparisonKey: [ResultRow]]
    /// Rows of phases that failed or whose result was wrong.
    let failures: [ResultRow]
    /// How many rows are no evidence for another reason: interrupted, or nobody could verify them.
    let unverifiedCount: Int

    init(_ runs: [RecordedRun]) {
        self.runs = runs
        let rows = runs.flatMap(\.rows).filter { $0.status != .unsupported }
        var seen: Set<ComparisonKey> = []
        keys = rows.map(ComparisonKey.init).filter { seen.insert($0).inserted }
        let good = rows.filter { $0.status == .ok && $0.verified == true }
        evidence = Dictionary(grouping: good, by: ComparisonKey.init)
        failures = rows.filter { $0.status == .failed || $0.verified == false }
        unverifiedCount = rows.count - good.count - failures.count
    }

    func rows(_ key: ComparisonKey) -> [ResultRow] { evidence[key] ?? [] }

    var drivers: Set<String> { Set(keys.map(\.driver)) }

    /// The most repetitions that any phase has.
    var repetitions: Int { evidence.values.map(\.count).max() ?? 0 }

    var contaminatedCount: Int { evidence.values.joined().filter { $0.contaminated == true }.count }

    /// The figures of `metric`. Relative to a driver, each is divided by that driver's figure of the same run, phase and
    /// repetition; where there is none, there is no figure.
    func observations(_ metric: Metric, _ key: ComparisonKey, relativeTo baseline: String?) -> [Observation] {
        guard let baseline, metric.kind == .measured else { return observations(metric, key) }
        var baseKey = key
        baseKey.driver = baseline
        let bases = observations(metric, baseKey).map { ($0.repetition, $0.value) }
        let baseOf = Dictionary(bases, uniquingKeysWith: { first, _ in first })
        return observations(metric, key).compactMap { own in
            guard let base = baseOf[own.repetition], base > 0 else { return nil }
            return Observation(repetition: own.repetition, value: own.value / base)
        }
    }

    private func observations(_ metric: Metric, _ key: ComparisonKey) -> [Observation] {
        rows(key).compactMap { row in
            metric.value(row).map { Observation(repetition: Repetition(row), value: $0) }
        }
    }
}

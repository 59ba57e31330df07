/// The repetitions of one side of a comparison, from one run or several.
package struct ComparisonSide: Sendable {
    /// A figure, and the repetition that it comes from.
    package struct Observation: Sendable, Equatable {
        var repetition: Repetition
        package var value: Double
    }

    /// Identifies a repetition: those of pooled runs may have the same number.
    struct Repetition: Sendable, Hashable {
        /// The position of the run among the pooled ones.
        var run: Int
        var number: Int
    }

    /// The part of a verified row that a comparison needs.
    package struct Evidence: Sendable {
        let repetition: Repetition
        /// One value for each of ``Metric/all``; nil if missing.
        let values: [Double?]
        /// Whether several writers took turns in no fixed order, so that even counters vary.
        let isConcurrent: Bool
        let isCancelled: Bool
        let isContaminated: Bool
        /// Whether operations of a load had no answer, which leaves percentiles without a value.
        let hasUnanswered: Bool
        /// The number of operations; nil if it is not recorded.
        let operations: Int?
        /// The given rate at which operations began, in operations a second; nil if there was none.
        let rate: Double?
    }

    let runs: [RecordedRun]
    /// The keys in the order in which they first occur; the sizes of a phase follow one another.
    package let keys: [ComparisonKey]
    /// The drivers of all rows: one that cannot do any phase any more must not disappear.
    package let drivers: Set<String>
    /// Rows of phases that failed or had a wrong result.
    let failures: [ResultRow]
    /// The number of rows that are no evidence for another reason: interrupted, or not verified.
    let unverifiedCount: Int
    let unknownSettings: UnknownSettings
    private let evidence: [ComparisonKey: [Evidence]]

    package init(_ runs: [RecordedRun]) {
        var keys: [ComparisonKey] = []
        var evidence: [ComparisonKey: [Evidence]] = [:]
        var failures: [ResultRow] = []
        var unverified = 0
        for (index, run) in runs.enumerated() {
            for row in run.rows where row.status != .unsupported {
                let key = ComparisonKey(row)
                if evidence[key] == nil {
                    keys.append(key)
                    evidence[key] = []
                }
                if row.status == .failed || row.verified == false {
                    failures.append(row)
                } else if row.isEvidence {
                    evidence[key, default: []].append(Evidence(row, run: index))
                } else {
                    unverified += 1
                }
            }
        }
        self.runs = runs
        self.keys = keys.bySize { PhaseKey($0) }
        self.evidence = evidence
        self.failures = failures
        drivers = Set(runs.flatMap { $0.rows.map(\.driver) })
        unverifiedCount = unverified
        unknownSettings = UnknownSettings(runs.flatMap(\.rows))
    }

    package func evidence(_ key: ComparisonKey) -> [Evidence] { evidence[key] ?? [] }

    /// The names of the runs, each with the measured commit if its manifest has one.
    package var names: String {
        runs.map { run in
            let commit = run.manifest?.git.map { " (\($0.commit.prefix(7))\($0.isDirty ? ", changed" : ""))" }
            return run.name + (commit ?? "")
        }.joined(separator: ", ")
    }

    /// The largest number of repetitions of any phase.
    package var repetitions: Int { evidence.values.map(\.count).max() ?? 0 }

    var contaminatedCount: Int { evidence.values.joined().filter(\.isContaminated).count }

    /// Returns the figures of `metric`. Relative to a driver, each is divided by that driver's figure of the same run,
    /// phase and repetition; without a divisor, the figure is left out.
    package func observations(_ metric: Metric, _ key: ComparisonKey, relativeTo baseline: String?) -> [Observation] {
        guard let baseline, !metric.isExact else { return observations(metric, key) }
        let bases = observations(metric, ComparisonKey(key, driver: baseline)).map { ($0.repetition, $0.value) }
        let baseOf = Dictionary(bases, uniquingKeysWith: { first, _ in first })
        return observations(metric, key).compactMap { own in
            guard let base = baseOf[own.repetition], base > 0 else { return nil }
            return Observation(repetition: own.repetition, value: own.value / base)
        }
    }

    /// The error of a driver to relate to that the side does not have.
    package func lack(of driver: String) -> RunError {
        RunError(
            .results,
            "\(runs[0].name): no driver \"\(driver)\" to relate to; its drivers are "
                + drivers.sorted().joined(separator: ", "))
    }

    private func observations(_ metric: Metric, _ key: ComparisonKey) -> [Observation] {
        evidence(key).compactMap { row in
            row.values[metric.index].map { Observation(repetition: row.repetition, value: $0) }
        }
    }
}

extension ComparisonSide.Evidence {
    init(_ row: ResultRow, run: Int) {
        repetition = ComparisonSide.Repetition(run: run, number: row.repetition)
        values = Metric.all.map { $0.value(row) }
        isConcurrent = PhaseKind.named(row.kind)?.isExact(row.mode) == false
        isCancelled = row.cancel != nil
        isContaminated = row.contaminated == true
        hasUnanswered = row.unanswered > 0
        operations = row.operations
        rate = row.ratePerSecond
    }
}

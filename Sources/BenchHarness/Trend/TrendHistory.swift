/// The valid rows of the runs, by key.
struct TrendHistory: Sendable {
    /// The keys by phase in the order of the files, and by driver: runs shuffle their drivers.
    private(set) var keys: [ComparisonKey] = []
    /// The rows that were left out, and further facts that a reader needs.
    private(set) var remarks: [String] = []
    private let sides: [ComparisonSide]

    init(_ runs: [RecordedRun]) {
        sides = runs.map { ComparisonSide([$0]) }
        remarks = runs.compactMap { Self.remark(on: $0) }
        let found = sides.flatMap { side in side.keys.filter { !side.evidence($0).isEmpty } }.withoutRepeats
        let phases = found.map { PhaseKey($0) }.withoutRepeats
        keys = phases.flatMap { phase in found.filter { PhaseKey($0) == phase }.byDriver }
        remarks += workRemarks(runs, phases)
    }

    var scenarios: [String] { keys.map(\.scenario).withoutRepeats }

    /// What comparisons judge by default, with the figure that shows the speed of such a phase.
    func defaultMetrics(_ key: ComparisonKey) -> [Metric] {
        let speed = JudgedTimes.speed(of: sides.flatMap { $0.evidence(key) })
        return Metric.all.filter(\.isJudgedByDefault).compactMap { $0.name == Metric.duration.name ? speed : $0 }
    }

    /// Returns each run's figure, divided by `driver`'s figure of the same run and repetition if there is a driver.
    func points(_ key: ComparisonKey, _ metric: Metric, relativeTo driver: String?) -> [TrendSeries.Point?] {
        sides.map { side in
            TrendSeries.Point(
                side.observations(metric, key, relativeTo: driver).map(\.value),
                isRepeatable: !side.evidence(key).contains { $0.isConcurrent || $0.isCancelled })
        }
    }

    private static func remark(on run: RecordedRun) -> String? {
        if run.rows.isEmpty { return "\(run.name): it has no rows, so the history has a gap there" }
        let failed = run.rows.filter { $0.status == .failed }.count
        let interrupted = run.rows.filter { $0.status == .interrupted }.count
        let unverified = run.rows.filter { $0.status == .ok && !$0.isEvidence }.count
        let parts = [(failed, "failed"), (interrupted, "interrupted"), (unverified, "unverified")]
            .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return parts.isEmpty ? nil : "\(run.name): \(parts.joined(separator: ", ")) of \(run.rows.count) rows left out"
    }

    /// Returns remarks on runs of different work: a run of another size is no change of the program. Cancelled work
    /// varies in how far it gets.
    private func workRemarks(_ runs: [RecordedRun], _ phases: [PhaseKey]) -> [String] {
        var counts: [PhaseKey: Set<Int>] = [:]
        for row in runs.lazy.flatMap(\.rows) where row.verified == true && row.cancel == nil {
            guard let records = row.records else { continue }
            counts[PhaseKey(row), default: []].insert(records)
        }
        return phases.map(\.scenario).withoutRepeats.compactMap { scenario in
            let isMixed = phases.contains { $0.scenario == scenario && (counts[$0]?.count ?? 0) > 1 }
            return isMixed ? "\(scenario): the runs differ in their numbers of records; so may their figures" : nil
        }
    }
}

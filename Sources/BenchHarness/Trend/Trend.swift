/// The history of the figures of several runs, and the points where they changed.
///
/// ```swift
/// let trend = try Trend(["a.csv", "b.csv"].map { try RecordedRun(contentsOf: URL(fileURLWithPath: $0)) })
/// print(trend.text(isColoured: false))
/// ```
public struct Trend: Sendable {
    /// The driver whose figures divide those of the others; nil for absolute figures.
    public let relativeTo: String?
    /// The runs, oldest first.
    let runs: [TrendRun]
    /// The series by scenario and phase, in the order of the files.
    let series: [TrendSeries]
    /// The search for change points, corrected for the number of series.
    let search: EDivisive
    /// The number of series with noise, in which the search may err.
    let searchedCount: Int
    /// Further facts that a reader needs, a sentence each.
    let remarks: [String]

    /// Works out the history of runs.
    ///
    /// - Parameters:
    ///   - recorded: The runs: in any order if each has a manifest with its start time; otherwise oldest first.
    ///   - metrics: The metrics to show; if empty, times, peak memory, and counters that changed.
    ///   - relativeTo: The driver to divide by; if nil, the baseline if the manifests name different machines. Counters
    ///     are equal on every machine, so they are not divided.
    /// - Throws: A ``RunError`` if two files hold the same run.
    public init(_ recorded: [RecordedRun], metrics: [Metric] = [], relativeTo: String? = nil) throws(RunError) {
        try self.init(recorded, metrics: metrics, relativeTo: relativeTo, search: EDivisive())
    }

    init(
        _ recorded: [RecordedRun], metrics: [Metric], relativeTo: String?, search: EDivisive
    ) throws(RunError) {
        try recorded.checkCountOnce()
        let (ordered, isByDate) = TrendRun.inOrder(recorded)
        let history = TrendHistory(ordered)
        let baseline = Baseline(ordered, asked: relativeTo)
        runs = ordered.map { TrendRun($0) }
        self.relativeTo = baseline.driver
        let candidates = Self.candidates(in: history, metrics, baseline.driver)
        searchedCount = candidates.count { candidate in
            !TrendSeries.isWithoutNoise(candidate.metric, isRelative: candidate.isRelative, candidate.points)
                && candidate.points.count { $0 != nil } >= 2 * search.minimumSegment
        }
        let corrected = search.corrected(for: searchedCount)
        self.search = corrected
        series = candidates.compactMap { candidate in
            let series = TrendSeries(
                key: candidate.key, metric: candidate.metric, isRelative: candidate.isRelative,
                points: candidate.points, search: corrected)
            return metrics.isEmpty && series.metric.isExact && series.isConstant ? nil : series
        }
        remarks =
            (isByDate || runs.count < 2 ? [] : ["not every file has a manifest: files are in the order given"])
            + baseline.remarks + ordered.compactMap { run in run.unfinished.map { "\(run.name): \($0)" } }
            + history.remarks + Self.missing(candidates, in: ordered)
            + Self.remarks(on: series, corrected)
            + (corrected.significance < search.significance ? [Self.correction(searchedCount)] : [])
    }

    private static func correction(_ count: Int) -> String {
        "change points are corrected for \(count) series: in 5 % of such histories at most, any of them is a false one"
    }

    /// The scenarios, each with its series.
    var scenarios: [(name: String, series: [TrendSeries])] {
        series.map(\.key.scenario).withoutRepeats.map { name in (name, series.filter { $0.key.scenario == name }) }
    }

    /// A figure of one driver in one phase, before its changes are known.
    private struct Candidate {
        let key: ComparisonKey
        let metric: Metric
        let isRelative: Bool
        let points: [TrendSeries.Point?]
    }

    private static func candidates(
        in history: TrendHistory, _ metrics: [Metric], _ driver: String?
    ) -> [Candidate] {
        let keys = history.scenarios.flatMap { scenario in history.keys.filter { $0.scenario == scenario } }
        return keys.flatMap { key in
            (metrics.isEmpty ? history.defaultMetrics(key) : metrics).compactMap { metric -> Candidate? in
                let divisor = metric.isExact ? nil : driver
                // The driver's ratio to itself is always 1.
                if divisor == key.driver { return nil }
                let points = history.points(key, metric, relativeTo: divisor)
                guard points.contains(where: { $0 != nil }) else { return nil }
                return Candidate(key: key, metric: metric, isRelative: divisor != nil, points: points)
            }
        }
    }

    /// Returns a remark for each scenario of which the newest run lacks figures that earlier ones have: what a table
    /// calls the last figure is then an older one.
    private static func missing(_ candidates: [Candidate], in runs: [RecordedRun]) -> [String] {
        candidates.map(\.key.scenario).withoutRepeats.compactMap { scenario in
            guard let newest = runs.lastIndex(where: { $0.rows.contains { $0.scenario == scenario } }) else {
                return nil
            }
            let lost = candidates.filter { $0.key.scenario == scenario && $0.points[newest] == nil }
            let names = lost.map { "\($0.key.phase) of \($0.key.driver)" }.withoutRepeats
            guard !names.isEmpty else { return nil }
            let more = names.count > 3 ? " and \(names.count - 3) more" : ""
            return "\(runs[newest].name), the newest run, lacks figures of \(names.prefix(3).joined(separator: ", "))"
                + "\(more): the last ones shown are of earlier runs"
        }
    }

    private static func remarks(on series: [TrendSeries], _ search: EDivisive) -> [String] {
        if series.isEmpty { return ["no file has a verified figure to show"] }
        guard let most = series.filter({ $0.changes == nil }).map(\.count).max() else { return [] }
        let needed = search.minimumCount.map { "they need \($0) runs, and there \(most == 1 ? "is" : "are") \(most)" }
        return ["too little history to find change points: \(needed ?? "no number of runs is enough")"]
    }

    /// The divisor of the figures, and the reason for it.
    private struct Baseline {
        var driver: String?
        var remarks: [String] = []

        init(_ runs: [RecordedRun], asked: String?) {
            let lacking = { (driver: String) in runs.filter { !$0.rows.contains { $0.driver == driver } } }
            if let asked {
                driver = asked
            } else if HostMatch(runs).difference != nil {
                guard let baseline = SummaryTable.baseline(of: Set(runs.flatMap { $0.rows.map(\.driver) })) else {
                    remarks = [
                        "the runs come from different machines, and none has \(SummaryTable.baseline) or "
                            + "\(SummaryTable.serverBaseline) to divide by"
                    ]
                    return
                }
                driver = baseline
                remarks = ["the runs come from different machines: figures are relative to \(baseline) of the same run"]
            }
            if HostMatch(runs).isAnotherBoot {
                remarks.append("the runs come from different boots of the machine, so its speed may differ")
            }
            guard let driver else { return }
            remarks += lacking(driver).map { "\($0.name): no \(driver) to divide by" }
        }
    }
}

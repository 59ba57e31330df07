extension ComparisonOptions {
    /// Returns how many measured figures a comparison judges in these phases of this many drivers. Phases have the
    /// names that they have in results.
    public func testCount(phases: [String], drivers: Int) -> Int {
        let metrics = Metric.all.filter { metric in
            guard !metric.isExact else { return false }
            return moreMetrics.contains(metric.name) || (metric.isJudgedByDefault && !judgesOnlyNamed)
        }
        return metrics.count * phases.count(where: includes) * drivers
    }

    /// Returns how many pairs a comparison needs to judge this many figures.
    public func pairsNeeded(tests: Int) -> Int {
        SignedRank.countNeeded(tests: tests, alpha: alpha) ?? 0
    }
}

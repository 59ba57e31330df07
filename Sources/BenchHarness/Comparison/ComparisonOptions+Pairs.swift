extension ComparisonOptions {
    /// How many measured figures would be judged in these phases, as results name them, of so many drivers.
    public func testCount(phases: [String], drivers: Int) -> Int {
        let metrics = Metric.all.filter { metric in
            guard !metric.isExact else { return false }
            return moreMetrics.contains(metric.name) || (metric.isJudgedByDefault && !judgesOnlyNamed)
        }
        return metrics.count * phases.count(where: includes) * drivers
    }

    /// How many pairs it takes to judge so many figures.
    public func pairsNeeded(tests: Int) -> Int {
        SignedRank.countNeeded(tests: tests, alpha: alpha) ?? 0
    }
}

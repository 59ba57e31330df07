extension ComparisonOptions {
    /// How many measured figures would be judged in so many phases of so many drivers.
    public func testCount(phases: Int, drivers: Int) -> Int {
        let metrics = Metric.all.filter { metric in
            guard metric.kind == .measured else { return false }
            return moreMetrics.contains(metric.name) || (metric.isJudgedByDefault && !judgesOnlyNamed)
        }
        let phases = self.phases.isEmpty ? phases : min(phases, self.phases.count)
        return metrics.count * phases * drivers
    }

    /// How many pairs it takes to judge so many figures.
    public func pairsNeeded(tests: Int) -> Int {
        SignedRank.countNeeded(tests: tests, alpha: alpha) ?? 0
    }
}

/// The history of one figure of one driver in one phase.
struct TrendSeries: Sendable {
    /// The figure of one run.
    struct Point: Sendable {
        /// The median of its repetitions.
        let value: Double
        /// Whether all repetitions had the same value, and another repetition would have it too.
        let isConstant: Bool

        /// - Parameter isRepeatable: Whether equal work has equal counters: not if threads contend, or if the work is
        ///   cancelled. One repetition alone does not show that.
        init?(_ values: [Double], isRepeatable: Bool) {
            guard let summary = SampleSummary(values) else { return nil }
            value = summary.median
            isConstant = isRepeatable && summary.min == summary.max
        }
    }

    /// A place where the figure changed.
    struct Change: Sendable, Equatable {
        /// The index of the first run after the change.
        let run: Int
        /// The probability of such a change by chance; nil for a counter, which has no noise.
        let p: Double?
        let before: Double
        let after: Double

        /// The change in percent; nil if the figure was 0 before.
        var percent: Double? { before == 0 ? nil : (after / before - 1) * 100 }
    }

    let key: ComparisonKey
    let metric: Metric
    /// Whether the figures are divided by those of another driver.
    let isRelative: Bool
    /// One point for each run; nil if the run has none.
    let points: [Point?]
    /// The changes in the order of the runs; nil if there is too little history to find any, which differs from none
    /// found.
    let changes: [Change]?

    init(key: ComparisonKey, metric: Metric, isRelative: Bool, points: [Point?], search: EDivisive) {
        (self.key, self.metric, self.isRelative, self.points) = (key, metric, isRelative, points)
        let present = points.indices.compactMap { run in points[run].map { (run: run, point: $0) } }
        let values = present.map(\.point.value)
        if Self.isWithoutNoise(metric, isRelative: isRelative, points) {
            changes = values.indices.dropFirst().filter { values[$0] != values[$0 - 1] }.map {
                Change(run: present[$0].run, p: nil, before: values[$0 - 1], after: values[$0])
            }
        } else if let least = search.minimumCount, present.count >= least {
            changes = search.changePoints(in: values).map {
                Change(run: present[$0.index].run, p: $0.p, before: $0.before, after: $0.after)
            }
        } else {
            changes = nil
        }
    }

    /// Whether the figure is an exact counter, of which every step is a change.
    static func isWithoutNoise(_ metric: Metric, isRelative: Bool, _ points: [Point?]) -> Bool {
        metric.isExact && !isRelative && points.allSatisfy { $0?.isConstant ?? true }
    }

    /// The oldest figure.
    var first: Double? { points.lazy.compactMap { $0?.value }.first }
    /// The newest figure.
    var last: Double? { points.lazy.reversed().compactMap { $0?.value }.first }
    /// The number of runs with a figure.
    var count: Int { points.count { $0 != nil } }
    /// The change from the oldest to the newest figure; nil if their ratio is undefined.
    var percent: Double? {
        guard count > 1, let first, let last, first != 0 else { return nil }
        return (last / first - 1) * 100
    }
    /// Whether all runs have the same figure.
    var isConstant: Bool { Set(points.compactMap { $0?.value }).count < 2 }
}

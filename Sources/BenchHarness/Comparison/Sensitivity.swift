import Foundation

/// What a comparison of runs that lie apart can show on their machine: slowdowns from a certain size on, which follows
/// from the scatter of the repetitions.
package struct Sensitivity: Sendable {
    /// The repetitions of the side that has fewer.
    let repetitions: Int
    /// The smallest slowdowns, as shares, that the comparison mostly catches: the median of all judged times, and the
    /// largest.
    let median: Double
    let worst: Double
    /// The figure with the largest one.
    let worstFigure: String

    /// How often a slowdown of that size is caught.
    static let power = 0.8

    /// Nil if no time was judged.
    init?(_ judgements: [Judgement]) {
        let times = judgements.filter { $0.smallestSlowdown != nil }
        guard let all = SampleSummary(times.compactMap(\.smallestSlowdown)),
            let last = times.max(by: { ($0.smallestSlowdown ?? 0) < ($1.smallestSlowdown ?? 0) })
        else { return nil }
        (median, worst) = (all.median, all.max)
        worstFigure = "\(last.metric.name) of \(last.key.driver) in \(last.key.phase)"
        repetitions = times.flatMap { [$0.base?.count ?? 0, $0.new?.count ?? 0] }.min() ?? 0
    }

    /// Returns the smallest slowdown of a figure that is caught with ``power``; nil without an interval.
    ///
    /// Both conditions of a regression must hold. The interval's lower end must lie beyond the limit: the slowdown is
    /// then the limit, half of the interval, and the quantile of the power in standard errors. And p must be below
    /// alpha after Bonferroni's correction, which Holm's begins with: the sum of both quantiles, in standard errors.
    /// The interval of few repetitions is wider than its standard error says, which makes up for the few values that p
    /// has.
    static func smallestSlowdown(_ judgement: Judgement, alpha: Double, tests: Int) -> Double? {
        guard let interval = judgement.interval, interval.lowerBound > 0, interval.upperBound.isFinite else {
            return nil
        }
        let half = log(interval.upperBound / interval.lowerBound) / 2
        let error = half / NormalDistribution.quantile((1 + ComparisonOptions.confidence) / 2)
        let ofPower = NormalDistribution.quantile(power)
        let placed = log(1 + judgement.limit) + half + ofPower * error
        let significant = (ofPower - NormalDistribution.quantile(alpha / Double(2 * max(tests, 1)))) * error
        return exp(max(placed, significant)) - 1
    }

    /// The most repetitions worth naming: `bench ab` is done before.
    private static let mostRepetitions = 200.0

    /// Returns how many repetitions of each side would place a figure on one side of its limit, if they scatter as the
    /// present ones; nil if it takes too many, or cannot be told.
    static func repetitionsNeeded(_ judgement: Judgement) -> Int? {
        guard let interval = judgement.worseningInterval, interval.lowerBound > 0, interval.upperBound.isFinite,
            let count = [judgement.base?.count ?? 0, judgement.new?.count ?? 0].min()
        else { return nil }
        let (low, high) = (log(interval.lowerBound), log(interval.upperBound))
        let centre = abs(low + high) / 2
        let (threshold, limit) = (log(1 + judgement.threshold), log(1 + judgement.limit))
        // Between the threshold and the recorded noise, no number of repetitions decides.
        if (threshold...limit).contains(centre) { return nil }
        let distance = centre < threshold ? threshold - centre : centre - limit
        // An interval has the root of the number of values; half as many more make it likely that it is narrow enough.
        let needed = 1.5 * Double(count) * pow((high - low) / 2 / distance, 2)
        return needed < mostRepetitions ? max(Int(needed.rounded(.up)), count + 1) : nil
    }

    /// Returns what would decide inconclusive figures of runs that lie apart.
    static func whatWouldDecide(_ open: [Judgement]) -> String {
        let counts = open.compactMap(repetitionsNeeded)
        let way =
            counts.count == open.count
            ? "about \(Figure.count(counts.max() ?? 0, "repetition")) of each" : "a larger --threshold"
        let ab = open.contains { PairedFigure.thresholds[$0.metric.name] != nil }
        return "\(way)\(ab ? " or bench ab" : "") can decide"
    }

    /// One sentence for people.
    package var text: String {
        let size = { (share: Double) in
            // Beyond ten times, the figure says only that the runs show nothing.
            if share > 10 { return "more than 1000 %" }
            return share < 0.1 ? Figure.percent(share) : "\(Int((share * 100).rounded())) %"
        }
        let largest = worst > median ? ", and from \(size(worst)) in \(worstFigure)" : ""
        return "with \(Figure.count(repetitions, "repetition")) each, these runs show slowdowns from about "
            + "\(size(median))\(largest); bench ab shows smaller ones of CPU time"
    }
}

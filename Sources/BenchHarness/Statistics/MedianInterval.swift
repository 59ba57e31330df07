import Foundation

/// Where the median of a distribution lies, whatever its shape is: between two order statistics, by the binomial
/// distribution of how many values are below it; Hollander and Wolfe, "Nonparametric Statistical Methods" (1999), 3.6.
enum MedianInterval {
    /// Returns the interval with at least `confidence`, ascending; nil if even the extremes have a lower one: 95 % need
    /// six values.
    static func bounds(of sample: [Double], confidence: Double = 0.95) -> ClosedRange<Double>? {
        let sorted = sample.sorted()
        let depth = depth(sorted.count, (1 - confidence) / 2)
        return depth > 0 ? sorted[depth - 1]...sorted[sorted.count - depth] : nil
    }

    /// Returns how far the interval reaches from the median at most, as a share of it; nil without an interval, or with
    /// a value that is not positive and finite.
    static func reach(of sample: [Double]) -> Double? {
        guard sample.allSatisfy({ $0 > 0 && $0.isFinite }), let bounds = bounds(of: sample),
            let median = SampleSummary(sample)?.median
        else { return nil }
        return max(bounds.upperBound / median, median / bounds.lowerBound) - 1
    }

    /// Returns the largest `k` for which fewer than `k` of the values lie below the median with at most the probability
    /// `tail`.
    private static func depth(_ count: Int, _ tail: Double) -> Int {
        var (depth, term, sum) = (0, exp2(-Double(count)), exp2(-Double(count)))
        while sum <= tail, depth < count / 2 {
            depth += 1
            term *= Double(count - depth + 1) / Double(depth)
            sum += term
        }
        return depth
    }
}

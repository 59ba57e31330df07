import Foundation

/// The factor by which a median changed, with its confidence interval: that of Price and Bonett, "Distribution-Free
/// Confidence Intervals for Difference and Ratio of Medians" (Journal of Statistical Computation and Simulation 72,
/// 2002), on logarithms, where a ratio is a difference.
///
/// Its standard errors come from two order statistics, the c-th from either end, whose distance follows from the
/// binomial distribution. With up to 7 values, c is 1: the distance is that of the extremes, and one outlier widens the
/// interval by its full distance. That errs on the safe side from 4 values on: for normal logarithms, an interval of
/// 95 % holds the ratio in 96 to 98 % of cases. With 3 values it does in 94 %. With 2 it would in 90 %, so there is
/// none. The interval shows the size of an effect; a test must show that there is one.
struct MedianRatio: Sendable, Equatable {
    /// The ratio of the new median to the base's.
    let ratio: Double
    /// The confidence interval of the ratio; nil with fewer than three values on a side. If neither side varies at all,
    /// it is the ratio alone. Values tied around the median make it narrower than it should be.
    let interval: ClosedRange<Double>?

    /// The smallest number of values per side for an interval.
    static let leastCount = 3

    /// Compares two samples; nil if one is empty or has a value that is not positive and finite.
    init?(base: [Double], new: [Double], confidence: Double = 0.95) {
        precondition(confidence > 0 && confidence < 1, "a confidence lies between 0 and 1")
        guard (base + new).allSatisfy({ $0 > 0 && $0.isFinite }), let base = SortedLogs(base), let new = SortedLogs(new)
        else { return nil }
        ratio = new.median / base.median
        guard let error = Self.error(base, new) else {
            interval = nil
            return
        }
        let factor = exp(NormalDistribution.quantile((1 + confidence) / 2) * error)
        interval = ratio / factor...ratio * factor
    }

    /// Returns how far the confidence interval of a sample's median reaches above it, as a share of the median; nil
    /// with fewer than three values, or with one that is not positive and finite.
    static func uncertainty(of sample: [Double], confidence: Double = 0.95) -> Double? {
        guard sample.count >= leastCount, sample.allSatisfy({ $0 > 0 && $0.isFinite }), let logs = SortedLogs(sample)
        else { return nil }
        return logs.error.map { exp(NormalDistribution.quantile((1 + confidence) / 2) * $0) - 1 }
    }

    /// Returns the standard error of the difference of the medians' logarithms.
    private static func error(_ base: SortedLogs, _ new: SortedLogs) -> Double? {
        if base.isConstant, new.isConstant { return 0 }
        guard let own = base.error, let other = new.error else { return nil }
        return (own * own + other * other).squareRoot()
    }

    /// The logarithms of a sample, ascending.
    private struct SortedLogs {
        let values: [Double]
        /// The median of the sample itself.
        let median: Double

        init?(_ sample: [Double]) {
            guard !sample.isEmpty else { return nil }
            let sorted = sample.sorted()
            values = sorted.map { log($0) }
            median = SampleSummary.quantile(0.5, ofSorted: sorted)
        }

        var isConstant: Bool { values.first == values.last }

        /// The standard error of the median.
        var error: Double? {
            let n = values.count
            guard n >= MedianRatio.leastCount else { return nil }
            let c = max(1, Int((Double(n + 1) / 2 - Double(n).squareRoot()).rounded(.toNearestOrEven)))
            let z = -NormalDistribution.quantile(Self.fairBinomial(n, atMost: c - 1))
            return (values[n - c] - values[c - 1]) / (2 * z)
        }

        /// Returns the probability of at most `k` heads in `n` throws.
        private static func fairBinomial(_ n: Int, atMost k: Int) -> Double {
            var logTerm = -Double(n) * log(2)
            var sum = exp(logTerm)
            for heads in 0..<k {
                logTerm += log(Double(n - heads) / Double(heads + 1))
                sum += exp(logTerm)
            }
            return sum
        }
    }
}

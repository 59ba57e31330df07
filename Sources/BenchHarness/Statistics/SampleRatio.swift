import Foundation

/// The factor between two independent samples, with its confidence interval: the estimates that belong to the test of
/// Mann and Whitney, on logarithms, where a ratio is a difference. The centre is that of Hodges and Lehmann, "Estimates
/// of Location Based on Rank Tests" (1963), the interval that of Moses; Hollander and Wolfe, "Nonparametric Statistical
/// Methods" (1999), 4.2 and 4.3.
///
/// The interval holds the factor by which one distribution must be multiplied to become the other, whatever its shape
/// is: times often have two modes, between which a median jumps. It leaves 1 out if the test says so at that level.
struct SampleRatio: Sendable, Equatable {
    /// The median of the ratios of each new value to each of the base.
    let ratio: Double
    /// The confidence interval of the ratio; nil if even the extremes of the ratios have a lower confidence: 95 % need
    /// four values on each side. Ties make it wider than necessary.
    let interval: ClosedRange<Double>?

    /// Compares two samples; nil if one is empty or has a value that is not positive and finite.
    ///
    /// - Complexity: O(n² log n).
    init?(base: [Double], new: [Double], confidence: Double = 0.95) {
        precondition(confidence > 0 && confidence < 1, "a confidence lies between 0 and 1")
        guard !base.isEmpty, !new.isEmpty, (base + new).allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
        let (own, others) = (base.map { log($0) }, new.map { log($0) })
        let differences = others.flatMap { other in own.map { other - $0 } }.sorted()
        ratio = exp(SampleSummary.quantile(0.5, ofSorted: differences))
        let depth = min(
            MannWhitney.depth(base.count, new.count, (1 - confidence) / 2), (differences.count + 1) / 2)
        interval =
            depth > 0 ? exp(differences[depth - 1])...exp(differences[differences.count - depth]) : nil
    }
}

extension MannWhitney {
    /// Returns how many of the differences of samples of these sizes lie outside of an interval on each side, plus one;
    /// 0 if the tail is unattainable. Beyond ``largestExactCount``, it is approximate.
    fileprivate static func depth(_ n: Int, _ m: Int, _ tail: Double) -> Int {
        let smaller = min(n, m)
        if n + m <= largestExactCount {
            let sums = UntiedRankSums.distribution(of: smaller, among: n + m)
            // Doubled, and from that of the lowest ranks on.
            return (sums.criticalValue(tail) - smaller * (smaller + 1)) / 2
        }
        let pairs = Double(n) * Double(m)
        return Int(pairs / 2 + NormalDistribution.quantile(tail) * (pairs * Double(n + m + 1) / 12).squareRoot())
    }
}

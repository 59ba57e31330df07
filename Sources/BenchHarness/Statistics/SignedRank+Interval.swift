import Foundation

/// The estimates that belong to the test: those of Hodges and Lehmann, "Estimates of Location Based on Rank Tests"
/// (1963), and Tukey's interval; Hollander and Wolfe, "Nonparametric Statistical Methods" (1999), 3.2 and 3.3.
///
/// Unlike the test, the estimates keep zeros: without those in the centre, they would move outward.
extension SignedRank {
    /// Returns the centre of the differences: the median of the means of all pairs of them, including each with itself;
    /// nil if there are none.
    ///
    /// - Complexity: O(n² log n).
    package static func pseudoMedian(ofDifferences differences: [Double]) -> Double? {
        let averages = walshAverages(differences)
        return averages.isEmpty ? nil : SampleSummary.quantile(0.5, ofSorted: averages)
    }

    /// Returns the interval of the centre of the differences with at least `confidence`, for any symmetric
    /// distribution: R's `wilcox.test(conf.int = TRUE, exact = TRUE)`. Ties make it wider than necessary. For more than
    /// ``largestExactCount`` differences, the confidence is approximate.
    ///
    /// - Returns: Nil if even the whole range of the differences has a lower confidence: 95 % need 6 of them, 99 % need
    ///   8. Nil too if a difference is not finite.
    package static func interval(ofDifferences differences: [Double], confidence: Double) -> ClosedRange<Double>? {
        guard (0..<1).contains(confidence), differences.allSatisfy(\.isFinite) else { return nil }
        let averages = walshAverages(differences)
        let depth = min(depth(differences.count, (1 - confidence) / 2), (averages.count + 1) / 2)
        guard depth > 0 else { return nil }
        return averages[depth - 1]...averages[averages.count - depth]
    }

    /// Returns the number of averages outside the interval on each side, plus one; 0 if the tail is unattainable.
    private static func depth(_ count: Int, _ tail: Double) -> Int {
        if count <= largestExactCount {
            let ranks = (0..<count).map { $0 + 1 }
            // Doubled, because the distribution uses doubled midranks.
            return PermutationDistribution(flipping: ranks.map { 2 * $0 }).criticalValue(tail) / 2
        }
        let n = Double(count)
        let deviation = (n * (n + 1) * (2 * n + 1) / 24).squareRoot()
        return Int(n * (n + 1) / 4 + NormalDistribution.quantile(tail) * deviation)
    }

    private static func walshAverages(_ values: [Double]) -> [Double] {
        var averages: [Double] = []
        averages.reserveCapacity(values.count * (values.count + 1) / 2)
        for (index, value) in values.enumerated() {
            for other in values[index...] { averages.append(value / 2 + other / 2) }
        }
        return averages.sorted()
    }
}

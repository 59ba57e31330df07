import Foundation

/// Whether paired differences are centred at zero: the signed-rank test of Wilcoxon, "Individual Comparisons by Ranking
/// Methods" (1945). It assumes that they are symmetric about their centre, not that they are normal.
package struct SignedRank: Sendable, Equatable {
    /// The sum of the ranks of the positive differences among the absolute ones (R's V).
    let statistic: Double
    /// The two-sided probability of a statistic at least as extreme, if both signs are equally likely for each
    /// difference.
    let p: Double
    /// Whether `p` comes from the exact distribution, not from its normal approximation.
    let isExact: Bool

    /// The largest number of differences for the exact distribution.
    static let largestExactCount = 50

    /// Tests differences; nil if there are none, or if one is not a number.
    ///
    /// Zeros are dropped, as Wilcoxon did; differences that are all zero have a p of 1. Ties are exact too: the
    /// distribution covers the signs of the differences' midranks.
    init?(differences: [Double]) {
        guard !differences.isEmpty, !differences.contains(where: \.isNaN) else { return nil }
        let kept = differences.filter { $0 != 0 }
        let ranks = Midranks(kept.map(abs))
        let doubledSum = zip(kept, ranks.doubled).reduce(0) { $0 + ($1.0 > 0 ? $1.1 : 0) }
        let isExact = kept.count <= Self.largestExactCount
        statistic = Double(doubledSum) / 2
        self.isExact = isExact
        p =
            isExact
            ? PermutationDistribution(flipping: ranks.doubled).twoSidedP(doubledSum)
            : Self.approximateP(Double(doubledSum) / 2, kept.count, ranks.tieTerm)
    }

    /// Returns the smallest two-sided p of this many differences: all have one sign.
    static func smallestP(_ n: Int) -> Double {
        min(1, 2 * exp2(-Double(max(n, 0))))
    }

    /// Returns the number of differences for which the smallest p stays below `alpha` after Holm's, or Bonferroni's,
    /// factor for this many tests; nil if no number is enough.
    static func countNeeded(tests: Int, alpha: Double) -> Int? {
        (1...1_000).first { smallestP($0) * Double(tests) < alpha }
    }

    /// Approximates p with corrections for ties and continuity: Hollander and Wolfe, "Nonparametric Statistical
    /// Methods" (1999), 3.1, and SciPy's `wilcoxon(correction=True, method="approx")`.
    private static func approximateP(_ statistic: Double, _ count: Int, _ tieTerm: Double) -> Double {
        let n = Double(count)
        let deviation = ((n * (n + 1) * (2 * n + 1) - tieTerm / 2) / 24).squareRoot()
        let distance = max(0, abs(statistic - n * (n + 1) / 4) - 0.5)
        return min(1, 2 * NormalDistribution.cumulative(-distance / deviation))
    }
}

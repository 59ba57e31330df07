import Foundation

/// Whether one of two independent samples tends to larger values: the test of Mann and Whitney, "On a Test of Whether
/// One of Two Random Variables Is Stochastically Larger than the Other" (1947). It makes no assumption about the shape
/// of the distributions, and those of times have long tails.
package struct MannWhitney: Sendable, Equatable {
    /// The number of pairs of a first and a second value in which the first is larger; equal ones count half.
    let u: Double
    /// The two-sided probability of a `u` at least as extreme, if both samples have the same distribution.
    let p: Double
    /// Whether `p` comes from the exact permutation distribution, not from its normal approximation.
    let isExact: Bool

    /// The largest number of values, in both samples together, for the exact distribution, which takes milliseconds at
    /// most.
    static let largestExactCount = 100

    /// Compares two samples; nil if one is empty or has a value that is not a number.
    ///
    /// Ties are exact too: the distribution covers the permutations of the samples' midranks. Two samples without any
    /// difference have a p of 1.
    init?(_ first: [Double], _ second: [Double]) {
        guard !first.isEmpty, !second.isEmpty, !(first + second).contains(where: \.isNaN) else { return nil }
        let ranks = Midranks(first + second)
        let doubledSum = ranks.doubled.prefix(first.count).reduce(0, +)
        let u = Double(doubledSum - first.count * (first.count + 1)) / 2
        let isExact = first.count + second.count <= Self.largestExactCount
        self.u = u
        self.isExact = isExact
        p =
            isExact
            ? Self.exactP(ranks, first.count, doubledSum)
            : Self.approximateP(u, first.count, second.count, ranks.tieTerm)
    }

    /// Returns the smallest two-sided p of samples of these sizes without ties: one arrangement at each end.
    package static func smallestP(_ n: Int, _ m: Int) -> Double {
        guard n > 0, m > 0 else { return 1 }
        var arrangements = 1.0
        for index in 1...min(n, m) { arrangements *= Double(max(n, m) + index) / Double(index) }
        return min(1, 2 / arrangements)
    }

    /// Returns the number of values per side for which the smallest p stays below `alpha` after Holm's, or
    /// Bonferroni's, factor for this many tests; nil if no number is enough.
    static func countNeeded(tests: Int, alpha: Double) -> Int? {
        (1...500).first { smallestP($0, $0) * Double(tests) < alpha }
    }

    /// Uses the smaller sample, whose rank sum carries the same information.
    private static func exactP(_ ranks: Midranks, _ count: Int, _ doubledSum: Int) -> Double {
        let total = ranks.doubled.count
        let all = ranks.doubled.reduce(0, +)
        let isFirstSmaller = 2 * count <= total
        let smaller = isFirstSmaller ? count : total - count
        let distribution =
            ranks.tieTerm == 0
            ? UntiedRankSums.distribution(of: smaller, among: total)
            : PermutationDistribution(choosing: smaller, of: ranks.doubled)
        return distribution.twoSidedP(isFirstSmaller ? doubledSum : all - doubledSum)
    }

    /// Approximates p with corrections for ties and continuity: Hollander and Wolfe, "Nonparametric Statistical
    /// Methods" (1999), 4.1, and SciPy's `mannwhitneyu(method="asymptotic")`.
    private static func approximateP(_ u: Double, _ n: Int, _ m: Int, _ tieTerm: Double) -> Double {
        let (pairs, all) = (Double(n) * Double(m), Double(n + m))
        let deviation = (pairs / 12 * (all + 1 - tieTerm / (all * (all - 1)))).squareRoot()
        guard deviation > 0 else { return 1 }
        let distance = max(u, pairs - u) - pairs / 2 - 0.5
        return min(1, 2 * NormalDistribution.cumulative(-distance / deviation))
    }
}

import Foundation

/// How improbable data must be at each of several looks at them, so that all looks together err as often as they may.
///
/// The looks see the same data again and more of them, so an error at one look is likely at its neighbours too. Looks
/// that took no account of that would be stricter than they need to be. Lan and DeMets, "Discrete Sequential Boundaries
/// for Clinical Trials" (Biometrika 70, 1983), by the recursion of Armitage, McPherson and Rowe, "Repeated Significance
/// Tests on Accumulating Data" (Journal of the Royal Statistical Society A 132, 1969).
struct SpendingBoundary: Sendable, Equatable {
    /// The p below which a look decides, look by look: one-sided or two-sided, as the boundary is.
    let levels: [Double]

    /// Computes a boundary for sums of values that are distributed normally.
    ///
    /// - Parameters:
    ///   - looks: The number of values at each look, ascending.
    ///   - error: The probability that all looks up to the last may err with, of which each spends a share.
    ///   - total: The number of values with which all of it is spent; each look has spent it in proportion.
    ///   - isTwoSided: Whether a sum on either side decides.
    /// - Complexity: O(looks), some 80,000 exponentials each.
    init(looks: [Int], error: Double, total: Int, isTwoSided: Bool) {
        var levels: [Double] = []
        var walk = UndecidedWalk(isTwoSided: isTwoSided)
        var spent = 0.0
        for look in looks {
            let due = error * Double(look) / Double(total)
            walk.advance(to: Double(look), deciding: due - spent)
            spent = due
            let p = NormalDistribution.cumulative(-walk.bound / Double(look).squareRoot())
            levels.append(isTwoSided ? 2 * p : p)
        }
        self.levels = levels
    }
}

/// The distribution of a sum that no look has decided yet.
private struct UndecidedWalk {
    private static let intervals = 280

    let isTwoSided: Bool
    /// The sum from which the last look decides.
    private(set) var bound = 0.0
    /// The number of values in the sum.
    private var count = 0.0
    /// Sums at even distances, and their densities by the weights of Simpson's rule.
    private var sums: [Double] = [0]
    private var shares: [Double] = [1]

    init(isTwoSided: Bool) { self.isTwoSided = isTwoSided }

    /// Adds values up to `count`, and sets the bound that decides with probability `share` now, and not before.
    mutating func advance(to count: Double, deciding share: Double) {
        let deviation = (count - self.count).squareRoot()
        self.count = count
        bound = bound(deciding: share, deviation)
        let lowest = isTwoSided ? -bound : -8 * count.squareRoot()
        let step = (bound - lowest) / Double(Self.intervals)
        let next = (0...Self.intervals).map { lowest + Double($0) * step }
        let scale = step / 3 / (deviation * (2 * Double.pi).squareRoot())
        let densities = next.enumerated().map { index, sum in
            let weight = index == 0 || index == Self.intervals ? 1.0 : index % 2 == 1 ? 4 : 2
            return weight * scale * density(of: sum, deviation)
        }
        (sums, shares) = (next, densities)
    }

    private func density(of sum: Double, _ deviation: Double) -> Double {
        var total = 0.0
        for index in sums.indices {
            let z = (sum - sums[index]) / deviation
            total += shares[index] * exp(-z * z / 2)
        }
        return total
    }

    /// Halves the interval in which the bound must lie.
    private func bound(deciding share: Double, _ deviation: Double) -> Double {
        var range = (low: 0.0, high: 10 * count.squareRoot())
        for _ in 0..<50 {
            let middle = (range.low + range.high) / 2
            if probability(beyond: middle, deviation) > share { range.low = middle } else { range.high = middle }
        }
        return range.high
    }

    private func probability(beyond bound: Double, _ deviation: Double) -> Double {
        var total = 0.0
        for index in sums.indices {
            var tail = NormalDistribution.cumulative((sums[index] - bound) / deviation)
            if isTwoSided { tail += NormalDistribution.cumulative((-bound - sums[index]) / deviation) }
            total += shares[index] * tail
        }
        return total
    }
}

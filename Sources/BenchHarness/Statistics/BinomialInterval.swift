import Foundation

/// Where a probability lies of which so many of so many trials are known: Clopper and Pearson, "The Use of Confidence
/// or Fiducial Limits Illustrated in the Case of the Binomial" (Biometrika 26, 1934).
package struct BinomialInterval: Sendable, Equatable {
    /// The interval that holds the probability in 95 of 100 cases.
    package let bounds: ClosedRange<Double>

    package init(_ hits: Int, of trials: Int) {
        precondition((0...trials).contains(hits), "\(hits) hits of \(trials) trials")
        let tail = 0.025
        let low = hits == 0 ? 0 : Self.solve { 1 - Self.probability(upTo: hits - 1, of: trials, $0) < tail }
        let high = hits == trials ? 1 : Self.solve { Self.probability(upTo: hits, of: trials, $0) > tail }
        bounds = low...high
    }

    /// The largest probability for which `holds`, which holds for all smaller ones.
    private static func solve(_ holds: (Double) -> Bool) -> Double {
        var range = (low: 0.0, high: 1.0)
        for _ in 0..<60 {
            let middle = (range.low + range.high) / 2
            if holds(middle) { range.low = middle } else { range.high = middle }
        }
        return range.low
    }

    private static func probability(upTo hits: Int, of trials: Int, _ p: Double) -> Double {
        (0...hits).reduce(0) { sum, count in
            let ways = lgamma(Double(trials + 1)) - lgamma(Double(count + 1)) - lgamma(Double(trials - count + 1))
            return sum + exp(ways + Double(count) * log(p) + Double(trials - count) * log1p(-p))
        }
    }
}

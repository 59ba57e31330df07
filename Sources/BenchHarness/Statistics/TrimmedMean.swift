import Foundation

/// The mean of a sample without its extremes, and how far it may be off: Yuen, "The Two-Sample Trimmed t for Unequal
/// Population Variances" (Biometrika 61, 1974), for one sample.
///
/// A tenth is left out at each end: of fewer than ten values none, of which the mean is the ordinary one.
struct TrimmedMean: Sendable, Equatable {
    let mean: Double
    let standardError: Double
    /// Degrees of freedom of Student's distribution, which the distance of the mean from the truth follows in units of
    /// the standard error.
    let degreesOfFreedom: Int

    /// Nil for fewer than two values.
    init?(_ values: [Double], trimming share: Double = 0.1) {
        let count = values.count
        let cut = Int(share * Double(count))
        let kept = count - 2 * cut
        guard kept > 1 else { return nil }
        let sorted = values.sorted()
        mean = sorted[cut..<count - cut].reduce(0, +) / Double(kept)
        // The extremes count as the nearest value that is kept.
        let winsorized = sorted.map { min(max($0, sorted[cut]), sorted[count - cut - 1]) }
        let centre = winsorized.reduce(0, +) / Double(count)
        let squares = winsorized.reduce(0) { $0 + ($1 - centre) * ($1 - centre) }
        standardError = (squares / Double(kept * (kept - 1))).squareRoot()
        degreesOfFreedom = kept - 1
    }

    /// Where the truth lies with probability `confidence`.
    func interval(holding confidence: Double) -> ClosedRange<Double> {
        let distance =
            StudentDistribution.distance(holding: confidence, degreesOfFreedom: degreesOfFreedom) * standardError
        return mean - distance...mean + distance
    }

    /// How probable a mean at least as far from `value` is, were that the truth; two-sided.
    func p(of value: Double) -> Double {
        guard standardError > 0 else { return mean == value ? 1 : 0 }
        let t = abs(mean - value) / standardError
        return max(0, 1 - StudentDistribution.probability(within: t, degreesOfFreedom: degreesOfFreedom))
    }
}

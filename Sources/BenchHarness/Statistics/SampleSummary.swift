import Foundation

/// The summary of a few repetitions by order statistics alone: times are skewed and have outliers, which a mean and a
/// standard deviation would hide or exaggerate.
public struct SampleSummary: Sendable, Equatable {
    /// The number of values.
    public let count: Int
    /// The smallest value.
    public let min: Double
    /// The largest value.
    public let max: Double
    /// The middle value, or the mean of the two in the middle.
    public let median: Double
    /// The median of the absolute deviations from the median, unscaled (Rousseeuw and Croux, 1993, call it MAD without
    /// its constant).
    public let medianAbsoluteDeviation: Double
    /// The distance from the first to the third quartile.
    public let interquartileRange: Double

    /// Summarises values; nil if there are none.
    ///
    /// - Complexity: O(n log n).
    public init?(_ values: [Double]) {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let median = Self.quantile(0.5, ofSorted: sorted)
        count = sorted.count
        min = sorted[0]
        max = sorted[sorted.count - 1]
        self.median = median
        medianAbsoluteDeviation = Self.quantile(0.5, ofSorted: sorted.map { abs($0 - median) }.sorted())
        interquartileRange = Self.quantile(0.75, ofSorted: sorted) - Self.quantile(0.25, ofSorted: sorted)
    }

    /// Returns the quantile with linear interpolation between order statistics: definition 7 of Hyndman and Fan,
    /// "Sample Quantiles in Statistical Packages" (1996), the default of R and NumPy.
    ///
    /// - Parameters:
    ///   - fraction: Between 0 and 1.
    ///   - sorted: Ascending values, at least one.
    public static func quantile(_ fraction: Double, ofSorted sorted: [Double]) -> Double {
        precondition(!sorted.isEmpty && (0...1).contains(fraction), "a quantile needs values")
        let position = fraction * Double(sorted.count - 1)
        let lower = Int(position)
        guard lower + 1 < sorted.count else { return sorted[lower] }
        return sorted[lower] + (position - Double(lower)) * (sorted[lower + 1] - sorted[lower])
    }
}

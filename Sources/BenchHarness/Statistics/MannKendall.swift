import Foundation

/// The trend of a series of values, and its slope: Mann and Kendall's test with Theil and Sen's estimator.
///
/// Both use ranks and medians, so a spike or a burst does not make a trend. Sources: H. B. Mann, "Nonparametric tests
/// against trend", Econometrica 13 (1945); P. K. Sen, "Estimates of the regression coefficient based on Kendall's tau",
/// JASA 63 (1968).
struct MannKendall: Sendable, Equatable {
    /// The two-sided probability of as clear a trend by chance, by the normal approximation with ties.
    let p: Double
    /// The median of the slopes between all pairs of values, per unit of time.
    let slope: Double

    /// Creates a test; nil for fewer than eight values, for which the approximation does not hold.
    ///
    /// - Complexity: O(n²) in the number of values.
    init?(times: [Double], values: [Double]) {
        precondition(times.count == values.count, "a time for each value")
        guard values.count >= 8 else { return nil }
        var score = 0
        var slopes: [Double] = []
        slopes.reserveCapacity(values.count * (values.count - 1) / 2)
        for later in values.indices {
            for earlier in 0..<later {
                let difference = values[later] - values[earlier]
                score += difference > 0 ? 1 : difference < 0 ? -1 : 0
                let time = times[later] - times[earlier]
                if time > 0 { slopes.append(difference / time) }
            }
        }
        slopes.sort()
        slope = slopes.isEmpty ? 0 : (slopes[(slopes.count - 1) / 2] + slopes[slopes.count / 2]) / 2
        let variance = Self.variance(values)
        // The score has steps of two, hence the continuity correction by one.
        let corrected = Double(abs(score) - 1)
        p = variance > 0 && score != 0 ? min(1, erfc(corrected / variance.squareRoot() / 2.0.squareRoot())) : 1
    }

    /// Returns the variance of the score without a trend.
    private static func variance(_ values: [Double]) -> Double {
        func term(_ count: Int) -> Double { Double(count * (count - 1) * (2 * count + 5)) }
        let ties = Dictionary(grouping: values) { $0 }.values.reduce(0) { $0 + term($1.count) }
        return (term(values.count) - ties) / 18
    }
}

/// Whether the growth of a figure keeps its limit.
package enum GrowthVerdict: String, Sendable, Codable {
    /// The interval of the exponent lies wholly at or below the limit.
    case kept
    /// The interval lies wholly above the limit.
    case missed
    /// The limit lies within the interval: more repetitions, or more sizes, can decide.
    case notDecided = "not decided"
    /// There are too few sizes for a fit.
    case insufficientData = "insufficient data"
    /// The work does not grow with the records.
    case notJudged = "not judged"

    init(_ fit: PowerLaw?, maxExponent: Double) {
        guard let fit else {
            self = .insufficientData
            return
        }
        self =
            fit.interval.upperBound <= maxExponent
            ? .kept
            : fit.interval.lowerBound > maxExponent ? .missed : .notDecided
    }
}

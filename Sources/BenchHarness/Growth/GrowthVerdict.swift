/// Whether a figure grows as it may.
enum GrowthVerdict: String, Sendable, Codable {
    /// The interval of the exponent lies wholly at or below the largest one allowed.
    case kept
    /// It lies wholly above.
    case missed
    /// It lies on both sides: more repetitions, or more sizes, would tell.
    case notDecided = "not decided"
    /// There are too few sizes to fit an exponent to.
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

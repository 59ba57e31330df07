/// What a comparison says of one figure.
public enum Verdict: String, Sendable, Codable, CaseIterable {
    /// It got worse: significantly, by more than the threshold, and by more than the machine's noise.
    case regressed
    /// It got better, likewise.
    case improved
    /// The change is less than the threshold.
    case unchanged
    /// It may have changed by more than the threshold, or not.
    case inconclusive
    /// No outcome of the test could have shown a change.
    case insufficientData = "insufficient data"
    /// Shown, not judged.
    case notJudged = "not judged"
}

/// One figure of one phase of one driver, on both sides.
public struct Judgement: Sendable {
    let key: ComparisonKey
    let metric: Metric
    /// Whether the values are ratios to another driver of the same repetition.
    var isRelative = false
    /// Nil without evidence.
    var base: SampleSummary?
    var new: SampleSummary?
    /// New over base.
    var ratio: Double?
    /// The interval of `ratio`.
    var interval: ClosedRange<Double>?
    /// Whether the test has no ratio because a value is not above 0.
    var hasZeros = false
    /// Of the test alone.
    var p: Double?
    /// After Holm's correction for everything that is judged.
    var adjustedP: Double?
    /// Whether a test was made, of which there is a verdict once all tests are known.
    var isTested = false
    /// The smallest p that the number of repetitions can attain.
    var smallestP = 1.0
    /// The share by which it may get worse.
    var threshold: Double
    /// The share by which it varied when nothing had changed; nil when that was not recorded.
    var noiseFloor: Double?
    /// What holds.
    public internal(set) var verdict = Verdict.notJudged
    /// Why, where the numbers do not say it.
    var reason = ""

    init(_ key: ComparisonKey, _ metric: Metric, threshold: Double) {
        self.key = key
        self.metric = metric
        self.threshold = threshold
    }

    /// The threshold, or the noise where that is larger.
    var limit: Double { max(threshold, noiseFloor ?? 0) }

    /// The interval turned so that more than 1 is worse.
    var worseningInterval: ClosedRange<Double>? {
        guard let interval, metric.isHigherBetter else { return interval }
        return 1 / interval.upperBound...1 / interval.lowerBound
    }

    /// The interval of the ratio as changes; nil without one.
    var intervalText: String? {
        interval.map { "\(Figure.change($0.lowerBound)) … \(Figure.change($0.upperBound))" }
    }

    /// A value as people read it.
    func text(_ value: Double) -> String {
        isRelative ? Figure.ratio(value) : metric.text(value)
    }
}

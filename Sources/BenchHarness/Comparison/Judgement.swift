/// The verdict of a comparison on one figure.
public enum Verdict: String, Sendable, Codable, CaseIterable {
    /// The figure got worse: significantly, by more than the threshold, and by more than the machine's noise.
    case regressed
    /// The figure got better, by the same three criteria.
    case improved
    /// The change is less than the threshold.
    case unchanged
    /// The figure got worse by no more than a commit message or the command line accepts.
    case accepted
    /// The data allows a change both within the threshold and beyond it.
    case inconclusive
    /// No outcome of the test could have shown a change.
    case insufficientData = "insufficient data"
    /// The figure is shown only.
    case notJudged = "not judged"
}

/// One figure of one phase of one driver, on both sides.
public struct Judgement: Sendable {
    package let key: ComparisonKey
    package let metric: Metric
    /// Whether the values are ratios to another driver of the same repetition.
    package var isRelative = false
    /// The base's figures; nil without evidence.
    package var base: SampleSummary?
    package var new: SampleSummary?
    /// The ratio of new to base.
    package var ratio: Double?
    /// The confidence interval of `ratio`.
    package var interval: ClosedRange<Double>?
    /// Whether the test has no ratio because a value is not above 0.
    var hasZeros = false
    /// The p of the test alone.
    var p: Double?
    /// The p after Holm's correction for all judged figures.
    package var adjustedP: Double?
    /// The probability of any false verdict of a change that the comparison allows.
    var alpha = ComparisonOptions.alphaOfRuns
    /// The adjusted p as text, which shows whether it is below alpha; nil without one.
    package var pText: String? { adjustedP.map { Figure.probability($0, against: alpha) } }
    /// Whether the figure was tested; its verdict follows once all tests are known.
    var isTested = false
    /// The smallest p that the number of repetitions can attain.
    var smallestP = 1.0
    /// The share by which the figure may get worse.
    var threshold: Double
    /// The share by which the figure varies between runs of one build; nil without a record of noise.
    var noiseFloor: Double?
    /// The smallest slowdown, as a share, that a comparison of such repetitions mostly catches; nil if it is unknown.
    var smallestSlowdown: Double?
    /// The share by which the figure of a run may get worse, as is accepted; nil if nothing is.
    var acceptedShare: Double?
    /// The verdict.
    public internal(set) var verdict = Verdict.notJudged
    /// The reason for the verdict, where the numbers do not show it.
    package var reason = ""
    /// What would decide an inconclusive figure that has no other reason; empty if that is not known.
    var remedy = ""
    /// The reason, or what would decide the figure.
    var explanation: String { reason.isEmpty ? remedy : reason }

    init(_ key: ComparisonKey, _ metric: Metric, threshold: Double) {
        self.key = key
        self.metric = metric
        self.threshold = threshold
    }

    /// The threshold, or the noise where that is larger.
    package var limit: Double { max(threshold, noiseFloor ?? 0) }

    /// The limit, or what is accepted where that is larger: beyond it, the figure has regressed.
    var worstLimit: Double { max(limit, acceptedShare ?? 0) }

    /// The interval, inverted if needed so that more than 1 is worse.
    var worseningInterval: ClosedRange<Double>? { interval.map(worsening) }

    /// Returns an interval of the figure, inverted if needed so that more than 1 is worse.
    func worsening(_ interval: ClosedRange<Double>) -> ClosedRange<Double> {
        metric.isHigherBetter ? 1 / interval.upperBound...1 / interval.lowerBound : interval
    }

    /// The interval of the ratio as changes; nil without one.
    package var intervalText: String? {
        interval.map { "\(Figure.change($0.lowerBound)) … \(Figure.change($0.upperBound))" }
    }

    /// The limit in words; nil for a figure that is not judged, which has none.
    package var limitText: String? { verdict == .notJudged ? nil : Figure.percent(limit) }

    /// Returns a value formatted for people.
    package func text(_ value: Double) -> String {
        isRelative ? Figure.ratio(value) : metric.text(value)
    }
}

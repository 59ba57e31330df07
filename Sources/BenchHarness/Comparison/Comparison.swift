/// Two sides of runs held against each other: what changed, and whether that can be told from noise.
///
/// A measured figure has *regressed* only if all of these hold: the test's p is below alpha after Holm's correction for
/// all figures judged; the 95 % interval of the ratio lies wholly beyond the threshold; and beyond the machine's noise,
/// where that was recorded. An exact counter has no noise: any rise beyond its threshold is a regression.
public struct Comparison: Sendable {
    /// What it comes to. Where several hold, the first one counts.
    public enum Outcome: String, Sendable, Codable {
        /// The new side has phases that failed or went wrong.
        case failed
        /// Something regressed.
        case regressed
        /// Something that was to be judged could not be.
        case insufficientData = "insufficient data"
        /// Neither.
        case passed
    }

    let base: ComparisonSide
    let new: ComparisonSide
    let options: ComparisonOptions
    /// The driver by whose figures others are divided; nil when they stand for themselves.
    public let baseline: String?
    /// Every figure of every phase that is on both sides, or ought to be.
    public let judgements: [Judgement]
    /// What a reader must know besides.
    public let notes: [String]
    /// How many measured figures were judged, which is what Holm's correction is for.
    let testCount: Int

    /// Compares. `noise` is what is known of the machine.
    ///
    /// - Throws: ``RunError`` with the code ``RunError/Code-swift.enum/results`` for runs that must not be compared.
    public init(
        base: [RecordedRun], new: [RecordedRun], options: ComparisonOptions = ComparisonOptions(),
        noise: NoiseRecord? = nil
    ) throws(RunError) {
        let context = try ComparisonContext(base: base, new: new, options: options)
        let judge = Judge(context, noise: noise)
        self.base = context.base
        self.new = context.new
        self.options = options
        baseline = context.baseline
        judgements = judge.judgements
        testCount = judge.testCount
        notes = context.notes + judge.notes
    }

    /// What it comes to.
    public var outcome: Outcome {
        if !new.failures.isEmpty { return .failed }
        if has(.regressed) { return .regressed }
        let isOpen = has(.insufficientData) || !judgesAnything || (options.isStrict && has(.inconclusive))
        return isOpen ? .insufficientData : .passed
    }

    /// A comparison of nothing must not pass.
    var judgesAnything: Bool { judgements.contains { $0.verdict != .notJudged } }

    private func has(_ verdict: Verdict) -> Bool { judgements.contains { $0.verdict == verdict } }

    func count(_ verdict: Verdict) -> Int { judgements.filter { $0.verdict == verdict }.count }
}

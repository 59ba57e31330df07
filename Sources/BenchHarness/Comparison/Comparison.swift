/// Two sides of runs held against each other: what changed, and whether the change stands out from the noise.
///
/// A measured figure has *regressed* only if all of these hold: the test's p is below alpha after Holm's correction for
/// all judged figures; the 95 % interval of the ratio lies wholly beyond the threshold; and the interval lies wholly
/// beyond the machine's noise, where a record of that exists. An exact counter has no noise: any rise beyond its
/// threshold is a regression.
public struct Comparison: Sendable {
    /// The outcome of a comparison. Where several hold, the first one counts.
    public enum Outcome: String, Sendable, Codable {
        /// The new side has phases that failed or went wrong.
        case failed
        /// At least one figure regressed.
        case regressed
        /// At least one figure that the comparison must judge has too little data.
        case insufficientData = "insufficient data"
        /// Something may have changed by more than its threshold, or not.
        case inconclusive
        /// Everything that was judged is unchanged, or better.
        case passed
    }

    package let base: ComparisonSide
    package let new: ComparisonSide
    let options: ComparisonOptions
    /// The driver whose figures divide those of the others; nil when figures are compared as they are.
    public let baseline: String?
    /// Every figure of every phase that is on both sides, or should be.
    public let judgements: [Judgement]
    /// Further facts that a reader of the comparison needs.
    public package(set) var notes: [String]
    /// The number of measured figures under test, for which Holm's correction adjusts.
    package let testCount: Int
    /// The probability of any false verdict of a change that the comparison allows.
    var alpha: Double { paired?.rules.test.alpha ?? options.alphaForRuns }
    /// What sides that took turns came to; nil for runs that were made one after the other.
    package let paired: PairedEvidence?
    /// What callgrind counted of phases that regressed, in addition.
    package var counted: [CountedPhase: InstructionChange] = [:]

    /// Compares two sides. `noise` is the recorded noise of the machine.
    ///
    /// - Throws: ``RunError`` with the code ``RunError/Code-swift.enum/results`` for runs that are not comparable.
    public init(
        base: [RecordedRun], new: [RecordedRun], options: ComparisonOptions = ComparisonOptions(),
        noise: NoiseRecord? = nil
    ) throws(RunError) {
        let asked = options
        // Ratios to another driver are those of runs, not of turns.
        if [.automatic, .absolute].contains(options.relation), let turns = try RecordedTurns(base: base, new: new) {
            let options = turns.options(options)
            try self.init(
                base: base, new: new, options: options, asked: asked, noise: nil, paired: turns.evidence(options),
                moreNotes: turns.notes)
        } else {
            try self.init(base: base, new: new, options: options, asked: asked, noise: noise, paired: nil)
        }
    }

    /// Compares two sides that took turns.
    public init(_ outcome: PairedOutcome, options: ComparisonOptions) throws(RunError) {
        try self.init(
            base: [outcome.run(of: .base)], new: [outcome.run(of: .new)], options: options, asked: nil, noise: nil,
            paired: outcome.figures, moreNotes: outcome.notes)
    }

    /// - Parameter asked: What must hold something; nil if that was checked before the sides took turns.
    private init(
        base: [RecordedRun], new: [RecordedRun], options: ComparisonOptions, asked: ComparisonOptions?,
        noise: NoiseRecord?, paired: PairedEvidence?, moreNotes: [String] = []
    ) throws(RunError) {
        let context = try ComparisonContext(base: base, new: new, options: options, checksNames: asked != nil)
        let judge = Judge(context, noise: noise, paired: paired)
        self.paired = paired
        self.base = context.base
        self.new = context.new
        self.options = options
        baseline = context.baseline
        judgements = judge.judgements
        testCount = paired?.rules.test.figures ?? judge.testCount
        if let asked { try Self.refuseIdle(asked, judge.judgements) }
        notes =
            context.notes + judge.notes + moreNotes
            + options.accepted.notes(judge.judgements.map { ($0.key, $0.verdict) })
    }

    /// Refuses a metric that no phase has, and a threshold that no judged figure is held to: it would pass for a limit
    /// that is kept.
    private static func refuseIdle(_ options: ComparisonOptions, _ judgements: [Judgement]) throws(RunError) {
        let judged = Set(judgements.filter { $0.verdict != .notJudged }.map(\.metric.name))
        if judged.isEmpty { return }
        let shown = Set(judgements.map(\.metric.name))
        if let name = options.moreMetrics.subtracting(shown).min() {
            throw RunError(.results, "the results have no \(name) to judge; leave out --metric \(name)")
        }
        guard let name = ComparisonThresholds.unheld(options.thresholds, judged) else { return }
        throw RunError(
            .results,
            "no \(name) is judged, so nothing is held to its threshold; give --metric \(name), or leave the threshold out"
        )
    }

    /// What repetitions that lie apart can show; nil for sides that took turns, and if no time was judged.
    package var sensitivity: Sensitivity? { paired == nil ? Sensitivity(judgements) : nil }

    /// Whether what is inconclusive must not pass.
    public var isStrict: Bool { options.isStrict }

    /// What it comes to.
    public var outcome: Outcome {
        if !new.failures.isEmpty { return .failed }
        if has(.regressed) { return .regressed }
        if has(.insufficientData) || !judgesAnything { return .insufficientData }
        return has(.inconclusive) ? .inconclusive : .passed
    }

    /// Whether any figure has a verdict: a comparison of nothing must not pass.
    var judgesAnything: Bool { judgements.contains { $0.verdict != .notJudged } }

    private func has(_ verdict: Verdict) -> Bool { judgements.contains { $0.verdict == verdict } }

    package func count(_ verdict: Verdict) -> Int { judgements.filter { $0.verdict == verdict }.count }
}

import BenchHarness

/// The instructions of one phase by one driver, of one build or of two.
struct InstructionFigure: Sendable {
    let driver: String
    let phase: Phase
    /// The instructions of the build that is judged.
    var new = InstructionCounts()
    /// The instructions of the build to start from; nil if only one build was counted.
    var base: InstructionCounts?

    /// New over base; nil if one of them is missing.
    var ratio: Double? {
        guard let before = base?.median, let after = new.median, before > 0 else { return nil }
        return Double(after) / Double(before)
    }

    /// Returns the verdict: a change counts if it is larger than `threshold`, a share of the base, and larger than
    /// both ranges of the repetitions together. What the base cannot do is not judged; what only the new build cannot
    /// do any more must not pass.
    func verdict(threshold: Double) -> Verdict {
        guard let base, let before = base.median else { return .notJudged }
        guard let after = new.median else { return .insufficientData }
        let change = after - before
        let limit = threshold * Double(before)
        let range = Double(base.range + new.range)
        if Double(change.magnitude) > max(limit, range) { return change > 0 ? .regressed : .improved }
        return range > limit ? .inconclusive : .unchanged
    }

    /// The functions that grew most, the largest growth first; none if a count is missing.
    var grownFunctions: [FunctionGrowth] {
        guard let base = base?.typical, let new = new.typical else { return [] }
        return FunctionGrowth.largest(from: base.functions, to: new.functions)
    }

    /// The repetitions that failed, with what results call their side.
    var failures: [InstructionCounts.Repetition] {
        ((base?.repetitions ?? []) + new.repetitions).filter { $0.status == .failed || $0.status == .interrupted }
    }
}

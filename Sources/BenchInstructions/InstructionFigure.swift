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

    /// Returns the verdict; see ``InstructionCounts/verdict(from:threshold:)``.
    func verdict(threshold: Double) -> Verdict {
        base.map { new.verdict(from: $0, threshold: threshold) } ?? .notJudged
    }

    /// The functions that grew most, the largest growth first; none if a count is missing.
    var grownFunctions: [FunctionGrowth] { base.map(new.grownFunctions) ?? [] }

    /// The repetitions that failed, with what results call their side.
    var failures: [InstructionCounts.Repetition] {
        ((base?.repetitions ?? []) + new.repetitions).filter { $0.status == .failed || $0.status == .interrupted }
    }
}

import BenchHarness

/// The answer of a search in words.
struct BisectText {
    let run: BisectRun
    let phase: String
    let answer: BisectRun.Answer
    let trials: [BisectRun.Trial]

    var code: ExitCode {
        if case .found(let suspects, _, _, _) = answer, suspects.count == 1 { return .success }
        return .insufficientData
    }

    var text: String { (answerLines + trialLines).joined(separator: "\n") + "\n" }

    private var answerLines: [String] {
        let bad = run.line[run.line.count - 1]
        switch answer {
        case .noRegression(let comparison):
            return ["no regression of \(phase) between \(run.good) and \(bad):"] + figures(comparison)
        case .undecided(let comparison):
            return [
                "inconclusive: \(phase) may be slower at \(bad) than at \(run.good), or not; "
                    + "a larger --budget or --threshold decides it:"
            ] + figures(comparison)
        case .found(let suspects, let before, let change, let explanation):
            return lines(suspects, before, change) + explanation.split(separator: "\n").map { "  \($0)" }
        }
    }

    private func figures(_ comparison: Comparison) -> [String] {
        let figures = comparison.judgedFigures.map { "  \($0.name): \($0.change), \($0.verdict.rawValue)" }
        return figures.isEmpty ? ["  nothing was judged"] : figures
    }

    private func lines(_ suspects: [Commit], _ before: Commit, _ change: BisectRun.Change) -> [String] {
        let last = suspects[suspects.count - 1]
        var lines = ["\(phase) became slower in \(last)"]
        if suspects.count > 1 {
            lines = ["\(phase) became slower in one of \(suspects.count) commits:"] + suspects.map { "  \($0)" }
        }
        lines.append("from \(before) to \(last.short):")
        lines += change.figures.map { "  \($0.name): \($0.change), \($0.verdict.rawValue)" }
        if !change.isRegression {
            lines.append(
                "  This step alone is not shown to be beyond the threshold: earlier commits slowed the phase as well.")
        }
        return lines
    }

    /// What was tried, in the order of the commits.
    private var trialLines: [String] {
        let order = run.line.map(\.hash)
        let sorted = trials.sorted {
            order.firstIndex(of: $0.commit.hash) ?? 0 < order.firstIndex(of: $1.commit.hash) ?? 0
        }
        guard !sorted.isEmpty else { return [] }
        return ["", "against \(run.good):"] + sorted.map { "  \($0.finding) \($0.commit): \($0.text)" }
    }
}

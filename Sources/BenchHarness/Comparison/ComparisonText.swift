/// A comparison in words and tables, for a terminal or a pull request.
public struct ComparisonText {
    private let comparison: Comparison
    /// Whether the text includes figures that are not judged.
    private let showsAll: Bool

    /// Prepares the text; `showsAll` lists every figure, judged or not.
    public init(_ comparison: Comparison, showsAll: Bool = false) {
        self.comparison = comparison
        self.showsAll = showsAll
    }

    /// Returns the text for a terminal, in a table that fits into `width`.
    public func text(isColoured: Bool, width: Int? = nil) -> String {
        var parts = [sides.map { $0.withoutControls + "\n" }.joined()]
        if !shown.isEmpty { parts.append(table(shown).text(isColoured: isColoured, width: width)) }
        if !explanation.isEmpty { parts.append(explanation) }
        let remarks = reasons + remedies + comparison.notes.map { "note: \($0)" } + failures
        if !remarks.isEmpty { parts.append(remarks.map { $0.withoutControls + "\n" }.joined()) }
        let last = [verdictStyle.paint(conclusion, isColoured: isColoured), tally, comparison.sensitivity?.text]
        parts.append(last.compactMap(\.self).map { $0 + "\n" }.joined())
        return parts.joined(separator: "\n")
    }

    /// What moved in each phase that regressed, for a terminal; empty if that is not known.
    public var explanation: String { comparison.explanations.map(\.text).joined(separator: "\n") }

    /// The text for a pull request: the verdict first, then what changed and why, then all figures folded away.
    public var markdown: String {
        let changed = shown.filter { [.regressed, .accepted, .improved].contains($0.verdict) }
        let first = ["**\(conclusion)**", tally, comparison.sensitivity?.text].compactMap(\.self)
        var parts = [first.joined(separator: "  \n") + "\n", sides.map { "- \($0.escapedForMarkdown)\n" }.joined()]
        if !changed.isEmpty { parts.append(table(changed).markdown) }
        parts += comparison.explanations.map(\.markdown)
        let remarks = reasons + remedies + comparison.notes + failures
        if !remarks.isEmpty { parts.append(remarks.map { "- \($0.escapedForMarkdown)\n" }.joined()) }
        if !shown.isEmpty {
            let summary = "<summary>All \(shown.count) figures</summary>"
            parts.append("<details>\(summary)\n\n\(table(shown).markdown)\n</details>\n")
        }
        return parts.joined(separator: "\n")
    }
}

// MARK: - Parts

extension ComparisonText {
    /// The figures to show: those judged, the duration anyway, and counters only if they changed; with `showsAll`, all
    /// figures.
    package var shown: [Judgement] {
        comparison.judgements.filter { judgement in
            if showsAll { return true }
            if judgement.verdict == .notJudged {
                return SizedName(judgement.key.phase).isOnAllCores || isDurationToShow(judgement)
            }
            return !isUnchangedCounter(judgement)
        }
    }

    private func isUnchangedCounter(_ judgement: Judgement) -> Bool {
        judgement.metric.isExact && judgement.verdict == .unchanged && judgement.reason.isEmpty
    }

    /// Whether a time that is not judged is of interest beside the CPU time, which is.
    private func isDurationToShow(_ judgement: Judgement) -> Bool {
        judgement.metric.name == Metric.duration.name && judgement.key.driver != comparison.baseline
            && judgement.ratio != nil
    }

    private func table(_ judgements: [Judgement]) -> TextTable {
        var table = TextTable([
            .name("phase"), .name("driver"), .left("metric"), .right("base", dropped: 4), .right("new", dropped: 5),
            .right("change", dropped: 6),
            .right("\(Figure.percent(ComparisonOptions.confidence)) interval", dropped: 3), .right("p", dropped: 1),
            .right("limit", dropped: 2), .left("verdict"),
        ])
        var phase: String?
        for judgement in judgements {
            let isFirst = judgement.key.phase != phase
            phase = judgement.key.phase
            table.append(
                TextTable.Row(
                    cells: cells(judgement, isFirst: isFirst), style: judgement.verdict.style, startsGroup: isFirst))
        }
        return table
    }

    private func cells(_ judgement: Judgement, isFirst: Bool) -> [String] {
        [
            isFirst ? judgement.key.phase : "", judgement.key.driver, judgement.metric.name,
            value(judgement, judgement.base), value(judgement, judgement.new),
            judgement.ratio.map(Figure.change) ?? "–", judgement.intervalText ?? "–",
            judgement.pText ?? "–",
            judgement.limitText ?? "–", judgement.verdict.rawValue,
        ]
    }

    private func value(_ judgement: Judgement, _ summary: SampleSummary?) -> String {
        summary.map { judgement.text($0.median) } ?? "–"
    }

    private var verdictStyle: TextTable.Style {
        switch comparison.outcome {
        case .failed, .regressed: .bad
        case .insufficientData, .inconclusive: .doubtful
        case .passed: .good
        }
    }
}

// MARK: - Words

extension ComparisonText {
    private var sides: [String] {
        [("base", comparison.base), ("new ", comparison.new)].map { name, side in
            "\(name): \(side.names), \(side.repetitions) \(comparison.paired == nil ? "repetitions" : "launches")"
        }
    }

    /// Each reason once, with the figures that it applies to.
    package var reasons: [String] {
        let reasoned = comparison.judgements.filter { judgement in
            !judgement.reason.isEmpty && judgement.verdict != .notJudged
        }
        return reasoned.map(\.reason).withoutRepeats.map { reason in
            let verdicts = reasoned.filter { $0.reason == reason }
            let names = verdicts.prefix(3).map { "\($0.key.phase) of \($0.key.driver): \($0.metric.name)" }
            let more = verdicts.count > 3 ? " and \(verdicts.count - 3) more" : ""
            return "\(verdicts[0].verdict.rawValue): \(reason) (\(names.joined(separator: ", "))\(more))"
        }
    }

    /// The failures of the new side, row by row.
    package var failures: [String] {
        comparison.new.failures.map {
            "failed: \($0.driver), \($0.phase), repetition \($0.repetition): \($0.error.isEmpty ? "wrong result" : $0.error)"
        }
    }

    /// The conclusion in one line.
    package var conclusion: String {
        switch comparison.outcome {
        case .failed:
            "failed: \(Figure.count(comparison.new.failures.count, "measurement")) of the new runs failed or went wrong"
        case .regressed: "regressed: \(figures(.regressed)) got worse"
        case .insufficientData where !comparison.judgesAnything: "insufficient data: there was nothing to judge"
        case .insufficientData: "insufficient data: \(figures(.insufficientData)) could not be judged"
        case .inconclusive:
            "\(openFigures); no regression found" + (whatWouldDecide.map { "; \($0)" } ?? "")
        case .passed where comparison.count(.accepted) > 0:
            "accepted: \(figures(.accepted)) got worse within \(comparison.count(.accepted) == 1 ? "its bound" : "their bounds"); no other regression"
        case .passed: "no regression"
        }
    }

    /// What would decide figures of runs that lie apart; launches that took turns say it one by one.
    private var whatWouldDecide: String? {
        // Those with a reason of their own take something else.
        let open = comparison.judgements.filter { !$0.remedy.isEmpty }
        return open.isEmpty ? nil : Sensitivity.whatWouldDecide(open)
    }

    private var openFigures: String {
        "inconclusive: \(figures(.inconclusive)) may have changed by more than the limit, or not"
    }

    /// What would decide the figures that are open beside a worse verdict, of which the conclusion speaks.
    private var remedies: [String] {
        guard comparison.outcome != .inconclusive, let whatWouldDecide else { return [] }
        return ["\(openFigures); \(whatWouldDecide)"]
    }

    private func figures(_ verdict: Verdict) -> String {
        Figure.count(comparison.count(verdict), "figure")
    }

    /// The number of listed figures with each verdict, the number of judged ones that are not listed, and the name of
    /// the test.
    package var tally: String {
        let shown = shown
        var counts = Verdict.allCases.compactMap { verdict in
            let count = shown.count { $0.verdict == verdict }
            return count > 0 ? "\(count) \(verdict.rawValue)" : nil
        }
        let hidden = showsAll ? 0 : comparison.judgements.count(where: isUnchangedCounter)
        if hidden > 0 { counts.append("\(Figure.count(hidden, "counter")) unchanged and not listed") }
        return [counts.joined(separator: ", "), method].filter { !$0.isEmpty }.joined(separator: "; ")
    }

    private var method: String {
        let alpha = Figure.probability(comparison.alpha)
        if let test = comparison.paired?.rules.test {
            return "the trimmed mean of up to \(test.launches) launches, alpha \(alpha) for all \(test.figures) figures"
        }
        let test = comparison.options.pairing == .paired ? "Wilcoxon's signed-rank test" : "Mann and Whitney's test"
        return "\(test) with Holm's correction for \(comparison.testCount) figures, alpha \(alpha)"
    }
}

extension Verdict {
    /// How a table shows it.
    package var style: TextTable.Style {
        switch self {
        case .regressed: .bad
        case .improved: .good
        case .unchanged: .plain
        case .accepted, .inconclusive, .insufficientData: .doubtful
        case .notJudged: .dim
        }
    }
}

import BenchHarness

/// A comparison of several runs: its outcome, the changes, and all figures with their verdicts.
struct ComparisonSection {
    let figures: ComparisonFigures

    private var comparison: Comparison { figures.comparison }
    var text: ComparisonText { ComparisonText(comparison) }

    var node: HTMLNode {
        .group([
            conclusion, .tag("p", ["class": "lead"], .text(text.tally + ".")), sensitivity, sides, failures,
            changes(.regressed, "Regressed"), explanations, changes(.accepted, "Accepted"),
            changes(.improved, "Improved"), glance, table, notes,
        ])
    }

    private var conclusion: HTMLNode {
        .tag(
            "p",
            [
                "class": "outcome \(VerdictStyle.name(comparison.outcome))",
                "data-outcome": comparison.outcome.rawValue,
            ], .text(text.conclusion + "."))
    }

    private var sensitivity: HTMLNode {
        guard let sensitivity = comparison.sensitivity else { return .group([]) }
        let text = sensitivity.text
        return .tag("p", ["class": "lead"], .text(text.asSentence))
    }

    /// The changes of each metric.
    var charts: [Chart] {
        figures.measuredMetrics.map { ForestChart(id: "comparison-\($0.name)", metric: $0, figures: figures).chart }
    }

    private var glance: HTMLNode {
        let charts = charts
        guard !charts.isEmpty else { return .group([]) }
        return .group([
            .tag("h3", [:], "Changes at a glance"),
            .tag("p", ["class": "lead"], .text(lead)), LegendList(styles: figures.measuredDrivers).node, charts.figures,
        ])
    }

    /// What the marks of the charts are.
    var lead: String {
        """
        Marks are \(figures.ratios), lines their \(Figure.percent(ComparisonOptions.confidence)) intervals. The band is the \
        limit: only what lies wholly beyond it can be a change. Changes have their numbers beside them.
        """
    }

    private var table: HTMLNode {
        guard !figures.shown.isEmpty else { return .group([]) }
        let count = figures.unlistedCount
        let same = count == 1 ? "An exact counter that is the same is" : "\(count) exact counters that are the same are"
        let rest = count == 0 ? "" : " \(same) left out."
        return .group([
            .tag("h3", [:], "All figures"),
            .tag(
                "p", ["class": "lead"],
                "Base and new are medians; p is what the test came to, corrected for all figures.\(rest)"),
            ComparisonTable(figures: figures).node,
        ])
    }
}

// MARK: - Lists

extension ComparisonSection {
    private var sides: HTMLNode {
        let facts = [("Base", comparison.base), ("New", comparison.new)].map { name, side in
            let count = side.repetitions
            let plural = figures.unit.hasSuffix("ch") ? "es" : "s"
            let text = "\(side.names), \(count) \(figures.unit)\(count == 1 ? "" : plural)"
            return HTMLNode.tag("div", [:], .tag("dt", [:], .text(name)), .tag("dd", [:], .text(text)))
        }
        return .tag("dl", [:], facts)
    }

    private func changes(_ verdict: Verdict, _ title: String) -> HTMLNode {
        let changes = figures.shown.filter { $0.verdict == verdict }
        guard !changes.isEmpty else { return .group([]) }
        return .group([
            .tag("h3", [:], .text(title)), .tag("ul", ["class": "findings"], changes.map(change)),
        ])
    }

    private func change(_ judgement: Judgement) -> HTMLNode {
        let values = [judgement.base, judgement.new].map { judgement.pageText($0) ?? ReportText.missing }
        let interval = judgement.intervalText.map { ", interval \($0)" } ?? ""
        let change = judgement.ratio.map { "\(Figure.change($0)), " } ?? ""
        let reason = judgement.reason.isEmpty ? "" : "; \(judgement.reason)"
        return .tag(
            "li", ["data-change": judgement.verdict.rawValue],
            .tag(
                "strong", ["class": VerdictStyle.name(judgement.verdict)],
                .text("\(figures.title(PhaseKey(judgement.key))) of \(judgement.key.driver)")),
            .text(": \(judgement.metric.name) \(change)from \(values[0]) to \(values[1])\(interval)\(reason)"))
    }

    private var explanations: HTMLNode {
        let explanations = comparison.explanations
        guard !explanations.isEmpty else { return .group([]) }
        return .group([
            .tag("h3", [:], "What moved with it"),
            .tag("ul", ["class": "findings"], explanations.map(explanation)),
        ])
    }

    private func explanation(_ explanation: PhaseExplanation) -> HTMLNode {
        .tag(
            "li", ["data-explains": explanation.key.phase],
            .tag(
                "strong", [:],
                .text("\(figures.title(PhaseKey(explanation.key))) of \(explanation.key.driver)")),
            .text(": \(explanation.findings.joined(separator: "; "))"))
    }

    private var failures: HTMLNode {
        let rows = text.failures
        guard !rows.isEmpty else { return .group([]) }
        return .tag("ul", ["class": "warning", "aria-label": "Failures"], rows.map { .tag("li", [:], .text($0)) })
    }

    private var notes: HTMLNode {
        let notes = text.reasons + comparison.notes
        guard !notes.isEmpty else { return .group([]) }
        return .group([
            .tag("h3", [:], "Notes"),
            .tag("ul", ["class": "findings notes"], notes.map { .tag("li", [:], .text($0)) }),
        ])
    }
}

/// The reason why results are not comparable, in place of a comparison.
struct NoComparisonSection {
    let error: RunError

    var node: HTMLNode {
        let isAboutOptions = error.description.contains("--")
        return .group([
            .tag("p", ["class": "warning", "data-outcome": "none"], .text("No comparison: \(error.description)")),
            isAboutOptions ? .tag("p", ["class": "note"], "The options are those of bench compare.") : .group([]),
        ])
    }
}

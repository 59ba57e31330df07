import BenchHarness

/// All figures of a comparison with their verdicts, phase by phase.
struct ComparisonTable {
    let figures: ComparisonFigures

    var node: HTMLNode {
        let interval = "\(Figure.percent(ComparisonOptions.confidence)) interval"
        let columns =
            ["phase", "driver", "metric"].map { PageTable.Column(title: $0, isFigure: false) }
            + ["base", "new", "change", interval, "p", "limit"].map { PageTable.Column(title: $0) }
            + [PageTable.Column(title: "verdict", isFigure: false)]
        return PageTable(
            label: "All figures compared", columns: columns, rows: figures.phases.flatMap(rows), stack: "compared"
        ).node
    }

    /// Returns the rows of a phase; the first one names the phase for all.
    private func rows(_ phase: ComparisonFigures.Phase) -> [[HTMLNode]] {
        phase.judgements.enumerated().map { index, judgement in
            let name = PageTable.name(phase.title, ofRows: phase.judgements.count)
            return (index == 0 ? [name] : []) + cells(judgement)
        }
    }

    private func cells(_ judgement: Judgement) -> [HTMLNode] {
        [PageTable.otherName(judgement.key.driver), PageTable.text(judgement.metric.name)]
            + values(judgement) + test(judgement)
            + [
                .tag(
                    "td", ["class": "verdict \(VerdictStyle.name(judgement.verdict))"] + judgement.verdictData,
                    .text(judgement.verdict.rawValue))
            ]
    }

    private func values(_ judgement: Judgement) -> [HTMLNode] {
        [("base", judgement.base), ("new", judgement.new)].map { side, summary in
            PageTable.figure(judgement.pageText(summary), judgement.data(side, summary?.median))
        }
    }

    private func test(_ judgement: Judgement) -> [HTMLNode] {
        [
            judgement.ratio.map(Figure.change), judgement.intervalText, judgement.pText,
            judgement.limitText,
        ].map { PageTable.figure($0, missing: "none") }
    }
}

/// The style of verdicts. Their names appear beside the colour.
enum VerdictStyle {
    static func name(_ verdict: Verdict) -> String {
        switch verdict {
        case .regressed: "bad"
        case .improved: "good"
        case .accepted, .inconclusive, .insufficientData: "doubtful"
        case .unchanged, .notJudged: "plain"
        }
    }

    static func name(_ outcome: Comparison.Outcome) -> String {
        switch outcome {
        case .failed, .regressed: "bad"
        case .insufficientData, .inconclusive: "doubtful"
        case .passed: "good"
        }
    }
}

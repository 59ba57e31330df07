/// A judged figure of a comparison, in words: for programs that decide by its verdict.
package struct JudgedFigure: Sendable {
    /// What the figure is of, such as `cpu of sqlite in fetch-sync`.
    package let name: String
    /// What the comparison says of it.
    package let verdict: Verdict
    /// The change and its interval, such as `+12.3 % (+11.0 % … +13.6 %)`.
    package let change: String

    fileprivate init(_ judgement: Judgement) {
        name = "\(judgement.metric.name) of \(judgement.key.driver) in \(judgement.key.phase)"
        verdict = judgement.verdict
        let interval = judgement.intervalText.map { " (\($0))" } ?? ""
        change = judgement.ratio.map { Figure.change($0) + interval } ?? "no ratio"
    }
}

extension Comparison {
    /// The figures that have a verdict.
    package var judgedFigures: [JudgedFigure] {
        judgements.filter { $0.verdict != .notJudged }.map(JudgedFigure.init)
    }

    /// The outcome in one line.
    package var conclusion: String { ComparisonText(self).conclusion }
}

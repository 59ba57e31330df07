extension PowerAnalysis {
    /// Returns the analysis as tables.
    public func text(isColoured: Bool) -> String {
        table.text(isColoured: isColoured) + """

            Simulated, not measured: \(figures) figures judged together\(divisor); noise \(noise); threshold of times \(Figure.percent(thresholdPercent / 100)).
            False alarm: a simulated comparison without a change that calls any figure regressed. Unchanged: the share of
            figures that such comparisons show to be so.
            \(shortage)
            """
    }

    private var divisor: String { relativeTo.map { " as ratios to \($0)" } ?? "" }

    private var table: TextTable {
        let slowdowns = curves.first?.points.map(\.slowdownPercent) ?? []
        var table = TextTable(
            [.right("repetitions"), .right("false alarms"), .right("unchanged")]
                + slowdowns.map { .right("caught at +\(Figure.percent($0 / 100))") })
        for curve in curves {
            let cells = ["\(curve.repetitions)", Figure.percent(curve.falseAlarms), Figure.percent(curve.unchanged)]
            let style: TextTable.Style = curve.suffices ? .plain : .doubtful
            table.append(
                TextTable.Row(cells: cells + curve.points.map { Figure.percent($0.caught) }, style: style))
        }
        return table
    }

    private var shortage: String {
        let short = curves.filter { !$0.suffices }.map { String($0.repetitions) }
        return short.isEmpty
            ? "" : "With \(short.joined(separator: ", ")) repetitions the verdict is \"insufficient data\".\n"
    }
}

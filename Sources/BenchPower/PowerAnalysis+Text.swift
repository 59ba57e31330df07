import BenchHarness

extension PowerAnalysis {
    /// Returns the analysis as a table that fits into `width`.
    public func text(isColoured: Bool, width: Int? = nil) -> String {
        table.text(isColoured: isColoured, width: width) + """

            Simulated, not measured: \(figures) figures judged together\(divisor); noise \(noise); \
            threshold of times \(Figure.percent(thresholdPercent / 100)).
            False alarm: a simulated comparison without a change that calls any figure regressed.
            Unchanged: the share of figures that such comparisons show to be so.
            \(shortage)
            """
    }

    private var divisor: String { relativeTo.map { " as ratios to \($0)" } ?? "" }

    private var table: TextTable {
        .power(
            ("repetitions", curves.map(\.repetitions)),
            without: [
                ("false alarms", curves.map { Figure.percent($0.falseAlarms) }),
                ("unchanged", curves.map { Figure.percent($0.unchanged) }),
            ],
            slowdowns: (curves.first?.points ?? []).indices.map { place in
                let points = curves.map { $0.points[place] }
                return (points[0].slowdownPercent, points.map { Figure.percent($0.caught) })
            })
    }

    private var shortage: String {
        let short = curves.filter { !$0.suffices }.map { String($0.repetitions) }
        return short.isEmpty
            ? "" : "With \(short.joined(separator: ", ")) repetitions the verdict is \"insufficient data\".\n"
    }
}

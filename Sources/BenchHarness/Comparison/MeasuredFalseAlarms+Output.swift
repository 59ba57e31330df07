import Foundation

extension MeasuredFalseAlarms {
    /// Returns the figures with verdicts of a change as a table, and the rate.
    public func text(isColoured: Bool, width: Int? = nil) -> String {
        let changed = figures.filter { $0.regressed + $0.improved > 0 }
        let table = changed.isEmpty ? "" : "\n" + table(changed).text(isColoured: isColoured, width: width)
        return title + table + "\n" + conclusion
    }

    private var title: String {
        let span = hours.map { " over \(Self.span($0))" } ?? ""
        return "\(scenario): \(Figure.count(runs, "run"))\(span), \(Figure.count(repetitions, "repetition")) each\n"
    }

    private static func span(_ hours: Double) -> String {
        hours < 1 ? String(format: "%.0f minutes", hours * 60) : String(format: "%.1f hours", hours)
    }

    private func table(_ changed: [FigureCounts]) -> TextTable {
        var table = TextTable([
            .name("phase"), .name("driver"), .left("metric"), .right("regressed"), .right("improved", dropped: 3),
            .right("inconclusive", dropped: 2), .right("unchanged", dropped: 1),
        ])
        for figure in changed {
            let counts = [figure.regressed, figure.improved, figure.inconclusive, figure.unchanged]
            table.append(
                TextTable.Row(
                    cells: [figure.phase, figure.driver, figure.metric] + counts.map { "\($0)" }, style: .doubtful))
        }
        return table
    }

    private var conclusion: String {
        guard let interval else {
            return "No comparison had enough data\(shortage.map { ": \($0)" } ?? ": there are fewer than two runs").\n"
        }
        let rate = Figure.percent(Double(alarms) / Double(comparisons))
        let bounds = "\(Figure.percent(interval.lowerBound)) to \(Figure.percent(interval.upperBound))"
        return """
            Measured, not simulated: \(alarms) of \(Figure.count(comparisons, "comparison")) raised a false alarm, \(rate) \
            (95 % interval \(bounds)).
            False alarm: a comparison of two runs of the same build, one after the other, that calls any figure regressed.
            \(improvements) called a figure improved.

            """
    }

    /// Returns the counts and the rate as a JSON object.
    public func json() throws -> String { String(decoding: try JSONFile.text(Document(self)), as: UTF8.self) }

    private struct Document: Encodable {
        let version = 1
        /// Not simulated.
        let method = "measured"
        let scenario: String
        let runs: Int
        let repetitions: Int
        let hours: Double?
        let comparisons: Int
        let falseAlarms: Int
        let falseAlarmsPercent: Double?
        let intervalPercent: [Double]?
        let falseImprovements: Int
        let figures: [FigureCounts]

        init(_ measured: MeasuredFalseAlarms) {
            (scenario, runs, repetitions) = (measured.scenario, measured.runs, measured.repetitions)
            (hours, comparisons) = (measured.hours, measured.comparisons)
            (falseAlarms, falseImprovements) = (measured.alarms, measured.improvements)
            falseAlarmsPercent = comparisons == 0 ? nil : 100 * Double(falseAlarms) / Double(comparisons)
            intervalPercent = measured.interval.map { [$0.lowerBound * 100, $0.upperBound * 100] }
            figures = measured.figures
        }
    }
}

import BenchHarness

/// The medians of the drivers in one phase as bars from 0, with a dot for every repetition, and the ratio to the
/// baseline. A line has the name, the bar and its figures, like the row of a table.
struct BarChart {
    private static let rowHeight = 23.0
    /// The most characters of a name, and the width of one in the widest of the fonts that pages use.
    private static let (nameLength, characterWidth) = (15, 7.4)
    /// The widths of the columns of figures.
    private static let (valueWidth, ratioWidth) = (74.0, 54.0)

    let id: String
    let caption: String
    let phase: PhaseFigures
    let styles: [DriverStyle]
    let metric: FigureColumn

    /// The chart; nil if no repetition has the figure.
    var chart: Chart? {
        guard let max = phase.max(metric) else { return nil }
        let scale = LinearScale(max: max, from: left, to: valueEnd - Self.valueWidth)
        let rows = phase.drivers.compactMap { figures in
            styles.first { $0.name == figures.driver }.map { (figures, $0) }
        }
        let bottom = Double(rows.count) * Self.rowHeight + 2
        let marks = rows.enumerated().map { index, row in
            self.row(row.0, row.1, top: Double(index) * Self.rowHeight, scale)
        }
        return Chart(
            id: id, caption: caption, description: description, height: bottom + 22,
            content: axis(scale, bottom) + marks)
    }

    /// The right end of the column of medians.
    private var valueEnd: Double {
        let hasRatios = phase.drivers.contains { ratioText($0.driver) != nil }
        return hasRatios ? Chart.width - Self.ratioWidth : Chart.width
    }

    /// The left end of the bars, the same in all charts of the run.
    private var left: Double {
        let longest = min(styles.map(\.name.count).max() ?? 0, Self.nameLength)
        return Double(longest) * Self.characterWidth + 10
    }

    private var description: String {
        let parts = phase.drivers.map { figures in
            let ratio = ratioText(figures.driver).map { " · \($0)" } ?? ""
            return "\(figures.driver) \(medianText(figures))\(ratio)"
        }
        return "Medians: " + parts.joined(separator: ", ") + ". The table of the phase has the figures."
    }

    private func medianText(_ figures: DriverFigures) -> String {
        figures.median(metric).map(metric.text) ?? ReportText.missing
    }

    /// Returns the ratio to the baseline; nil for the baseline itself.
    private func ratioText(_ driver: String) -> String? {
        driver == phase.baselineName ? nil : phase.ratioText(metric, driver)
    }

    private func axis(_ scale: LinearScale, _ bottom: Double) -> [HTMLNode] {
        let unit = AxisUnit(of: metric, max: scale.max)
        let lines = scale.ticks.map { tick in
            let x = scale.position(tick)
            return SVG.line(x, 0, x, bottom, class: tick == 0 ? "axis" : "grid")
        }
        let labels = scale.ticks.map { (scale.position($0), unit.text($0, step: scale.step)) }
        return lines + AxisLabels(ofSteps: labels, y: bottom + 15).nodes
    }

    private func row(_ figures: DriverFigures, _ style: DriverStyle, top: Double, _ scale: LinearScale) -> HTMLNode {
        let text = [
            SVG.name(figures.driver, 0, top + 15, limit: Self.nameLength),
            SVG.text(medianText(figures), valueEnd, top + 15, .end, class: "value"),
            ratioText(figures.driver).map { SVG.text($0, Chart.width, top + 15, .end) },
        ]
        let bar = figures.median(metric).map { self.bar($0, figures, top, scale) } ?? []
        let marks = RepetitionMarks(phase: phase, figures: figures, style: style, metric: metric)
            .node(y: top + 11, position: scale.position)
        return .tag("g", ["class": style.colorClass], text.compactMap { $0 } + bar + [marks])
    }

    private func bar(_ median: Double, _ figures: DriverFigures, _ top: Double, _ scale: LinearScale) -> [HTMLNode] {
        let end = scale.position(median)
        let data = ReportText.data(phase, figures.driver, metric, "median", median)
        return [
            SVG.rect(left, top + 4, end - left, 14, class: "bar", data),
            SVG.line(end, top + 2, end, top + 20, class: "median"),
        ]
    }
}

/// The medians of the drivers in one phase as bars from 0, with a dot for every repetition, and the ratio to the
/// baseline.
struct BarChart {
    private static let rowHeight = 50.0
    private static let (left, right) = (8.0, ChartFrame.width - 12)

    let id: String
    let caption: String
    let phase: PhaseFigures
    let styles: [DriverStyle]
    let metric: FigureColumn
    let unit: @Sendable (Double) -> AxisUnit

    /// The chart; nil if no repetition has the figure.
    var figure: HTMLNode? {
        guard let max = phase.max(metric) else { return nil }
        let scale = LinearScale(max: max, from: Self.left, to: Self.right)
        let rows = phase.drivers.compactMap { figures in
            styles.first { $0.name == figures.driver }.map { (figures, $0) }
        }
        let bottom = Double(rows.count) * Self.rowHeight + 4
        let marks = rows.enumerated().map { index, row in
            self.row(row.0, row.1, top: Double(index) * Self.rowHeight, scale)
        }
        let frame = ChartFrame(id: id, caption: caption, description: description, height: bottom + 22)
        return frame.figure(axis(scale, bottom) + marks)
    }

    private var description: String {
        let parts = phase.drivers.map { figures in
            "\(figures.driver) \(figures.median(metric).map(metric.text) ?? "–")\(ratioText(figures.driver))"
        }
        return "Medians: " + parts.joined(separator: ", ") + ". The table of the phase has the figures."
    }

    private func ratioText(_ driver: String) -> String {
        guard driver != phase.baselineName, let ratio = phase.ratioText(metric, driver) else { return "" }
        return " · \(ratio)"
    }

    private func axis(_ scale: LinearScale, _ bottom: Double) -> [HTMLNode] {
        let unit = unit(scale.max)
        return scale.ticks.map { tick in
            let x = scale.position(tick)
            let anchor: SVG.Anchor = tick == 0 ? .start : x > Self.right - 20 ? .end : .middle
            return .group([
                SVG.line(x, 0, x, bottom, class: tick == 0 ? "axis" : "grid"),
                SVG.text(
                    unit.text(tick, step: scale.step), anchor == .end ? Self.right + 8 : tick == 0 ? x - 2 : x,
                    bottom + 15, anchor, class: "tick"),
            ])
        }
    }

    private func row(_ figures: DriverFigures, _ style: DriverStyle, top: Double, _ scale: LinearScale) -> HTMLNode {
        let median = figures.median(metric)
        let text = (median.map(metric.text) ?? "–") + ratioText(figures.driver)
        let heading: [HTMLNode] = [
            style.mark(Self.left + 6, top + 11, attributes: ["class": "dot"]),
            SVG.name(figures.driver, Self.left + 16, top + 15, limit: 26),
            SVG.text(text, Self.right, top + 15, .end, class: "value"),
        ]
        let bar = median.map { self.bar($0, figures, top, scale) } ?? []
        let marks = RepetitionMarks(phase: phase, figures: figures, style: style, metric: metric)
            .node(y: top + 41, position: scale.position)
        return .tag("g", ["class": style.colorClass], heading + bar + [marks])
    }

    private func bar(_ median: Double, _ figures: DriverFigures, _ top: Double, _ scale: LinearScale) -> [HTMLNode] {
        let end = scale.position(median)
        let data = ReportText.data(phase, figures.driver, metric, "median", median)
        return [
            SVG.rect(Self.left, top + 21, end - Self.left, 12, class: "bar", data),
            SVG.line(end, top + 19, end, top + 35, class: "median"),
        ]
    }
}

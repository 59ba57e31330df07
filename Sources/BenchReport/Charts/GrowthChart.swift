import BenchHarness

/// The cost of a record at each size, with a line for each driver: a level line means growth in proportion to the
/// records.
struct GrowthChart {
    private static let lineHeight = 16.0

    let id: String
    let caption: String
    let figure: GrowthFigure
    let phase: GrowthSummary.Phase
    let styles: [DriverStyle]

    private var curves: [(style: DriverStyle, curve: GrowthCurve)] {
        styles.compactMap { style in
            let curve = phase.lines.first { $0.driver == style.name }?.curves.first { $0.figure == figure }
            return curve.flatMap { $0.points.isEmpty ? nil : (style, $0) }
        }
    }

    /// The chart; nil if the figure was measured at fewer than two sizes.
    var chart: Chart? {
        let curves = curves
        let plot = CurvePlot(
            curves.map { trace($0.style, $0.curve) }, isLogarithmic: true, label: { Figure.count(Int($0)) },
            unit: { figure == .time ? AxisUnit.duration(max: $0) : AxisUnit(symbol: "B", factor: 1) })
        let exponents = self.exponents(curves)
        return plot.map { plot in
            Chart(
                id: id, caption: caption, description: description(curves),
                height: CurvePlot.height + Double(exponents.count) * Self.lineHeight + 4,
                content: plot.nodes + exponents)
        }
    }

    /// The exponent of each curve, a line each below the plot.
    private func exponents(_ curves: [(style: DriverStyle, curve: GrowthCurve)]) -> [HTMLNode] {
        guard phase.isProportional else { return [] }
        let title = SVG.text(
            "exponent, 95 % interval", Chart.width, CurvePlot.height + Self.lineHeight, .end, class: "tick")
        let lines = curves.enumerated().map { index, line in
            let y = CurvePlot.height + Double(index + 2) * Self.lineHeight
            let verdict = line.curve.verdict.map { ", \($0.rawValue)" } ?? ""
            let text = line.curve.fit.map { "\($0.text)\(verdict)" } ?? "none: insufficient data"
            let isMissed = line.curve.verdict == .missed
            return HTMLNode.tag(
                "g", ["class": line.style.colorClass],
                [
                    line.style.mark(8, y - 4, radius: 3.2, attributes: ["class": "dot"]),
                    SVG.name(line.style.name, 18, y, limit: 15),
                    SVG.text(text, Chart.width, y, .end, class: isMissed ? "value bad" : "label"),
                ])
        }
        return [title] + lines
    }

    private func description(_ curves: [(style: DriverStyle, curve: GrowthCurve)]) -> String {
        let parts = curves.map { style, curve in
            "\(style.name) " + curve.points.map { figure.text($0.perRecord) }.joined(separator: ", ")
        }
        return "\(figure.rawValue.capitalized) per record over the number of records, on a logarithmic axis: "
            + parts.joined(separator: "; ") + ". The table has the exponents."
    }

    private func trace(_ style: DriverStyle, _ curve: GrowthCurve) -> CurvePlot.Trace {
        CurvePlot.Trace(
            style: style,
            marks: curve.points.map { point in
                CurvePlot.Mark(
                    value: Double(point.records), figure: point.perRecord,
                    repetitions: point.values.map { $0 / Double(point.records) },
                    counts: !curve.leftOut.contains(point.records),
                    title: "\(style.name), \(Figure.count(point.records)) records: \(figure.text(point.perRecord))",
                    data: data(style.name, point))
            })
    }

    private func data(_ driver: String, _ point: GrowthCurve.Point) -> HTMLAttributes {
        [
            "data-scenario": phase.key.scenario, "data-phase": phase.key.phase, "data-mode": phase.key.mode,
            "data-driver": driver, "data-records": String(point.records),
            "data-metric": figure.column.column, "data-stat": "median_per_record",
            "data-value": ReportText.raw(point.perRecord),
        ]
    }
}

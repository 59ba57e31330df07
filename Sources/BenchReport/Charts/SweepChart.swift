import BenchHarness

/// A figure of a phase over the values of a number, with a line for each driver.
struct SweepChart {
    let id: String
    let figure: FigureColumn
    let phase: SweepSummary.Phase
    let styles: [DriverStyle]

    private var curves: [(style: DriverStyle, curve: SweepSummary.Curve)] {
        styles.compactMap { style in
            let line = phase.lines.first { $0.driver == style.name }
            let curve = line?.curves.first { $0.figure.column == figure.column }
            return curve.flatMap { $0.points.isEmpty ? nil : (style, $0) }
        }
    }

    /// The chart; nil if the figure was measured with fewer than two values.
    var chart: Chart? {
        let curves = curves
        let plot = CurvePlot(
            curves.map { trace($0.style, $0.curve) }, isLogarithmic: phase.isLogarithmic, label: Self.text,
            unit: { AxisUnit(of: figure, max: $0) })
        let caption = "\(phase.key.phase): \(figure.label) over \(phase.setting)"
        return plot.map { plot in
            Chart(
                id: id, caption: caption, description: description(curves), height: CurvePlot.height,
                content: plot.nodes)
        }
    }

    private func description(_ curves: [(style: DriverStyle, curve: SweepSummary.Curve)]) -> String {
        let parts = curves.map { style, curve in
            "\(style.name) "
                + curve.points.map { "\(figure.text($0.median)) with \(Self.text($0.value))" }.joined(separator: ", ")
        }
        let axis = phase.isLogarithmic ? ", on a logarithmic axis" : ""
        return "The median of \(figure.label) over \(phase.setting)\(axis): " + parts.joined(separator: "; ") + "."
    }

    private func trace(_ style: DriverStyle, _ curve: SweepSummary.Curve) -> CurvePlot.Trace {
        CurvePlot.Trace(
            style: style,
            marks: curve.points.map { point in
                let setting = "\(phase.setting)=\(Self.text(point.value))"
                return CurvePlot.Mark(
                    value: point.value, figure: point.median, repetitions: point.figures,
                    title: "\(style.name), \(setting): \(figure.text(point.median))", data: data(style.name, point))
            })
    }

    private func data(_ driver: String, _ point: SweepSummary.Point) -> HTMLAttributes {
        [
            "data-scenario": phase.key.scenario, "data-phase": phase.key.phase, "data-mode": phase.key.mode,
            "data-driver": driver, "data-setting": phase.setting, "data-setting-value": ReportText.raw(point.value),
            "data-metric": figure.column, "data-stat": "median", "data-value": ReportText.raw(point.median),
        ]
    }

    /// Returns a value of the number as text.
    private static func text(_ value: Double) -> String { Int(exactly: value).map(Figure.count) ?? "\(value)" }
}

/// The cost of a record at each size, with a line for each driver: a level line means growth in proportion to the
/// records.
struct GrowthChart {
    private static let (left, right) = (56.0, ChartFrame.width - 24)
    private static let (top, bottom) = (10.0, 150.0)
    /// The smallest distance between two labelled sizes on the axis.
    private static let tickDistance = 64.0

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
    var node: HTMLNode? {
        let curves = curves
        let sizes = Set(curves.flatMap { $0.curve.points.map(\.records) }).sorted()
        guard sizes.count > 1, let max = curves.flatMap({ $0.curve.points.map(\.perRecord) }).max() else { return nil }
        let across = LogScale(Double(sizes[0])...Double(sizes[sizes.count - 1]), from: Self.left, to: Self.right)
        let up = LinearScale(max: max, from: Self.bottom, to: Self.top)
        let frame = ChartFrame(id: id, caption: caption, description: description(curves), height: Self.bottom + 22)
        return frame.figure(axes(sizes, across, up) + curves.map { trace($0.style, $0.curve, across, up) })
    }

    private func description(_ curves: [(style: DriverStyle, curve: GrowthCurve)]) -> String {
        let parts = curves.map { style, curve in
            "\(style.name) " + curve.points.map { figure.text($0.perRecord) }.joined(separator: ", ")
        }
        return "\(figure.rawValue.capitalized) per record over the number of records, on a logarithmic axis: "
            + parts.joined(separator: "; ") + ". The table has the exponents."
    }

    private func axes(_ sizes: [Int], _ across: LogScale, _ up: LinearScale) -> [HTMLNode] {
        let unit = figure == .time ? AxisUnit.duration(max: up.max) : AxisUnit(symbol: "B", factor: 1)
        let rows = up.ticks.map { tick -> HTMLNode in
            let y = up.position(tick)
            return .group([
                SVG.line(Self.left, y, Self.right, y, class: tick == 0 ? "axis" : "grid"),
                SVG.text(unit.text(tick, step: up.step), Self.left - 6, y + 4, .end, class: "tick"),
            ])
        }
        var last = Double.infinity
        let columns = sizes.reversed().map { size -> HTMLNode in
            let x = across.position(Double(size))
            let line = SVG.line(x, Self.top, x, Self.bottom, class: "grid")
            guard last - x >= Self.tickDistance else { return line }
            last = x
            return .group([line, SVG.text(Figure.count(size), x, Self.bottom + 15, .middle, class: "tick")])
        }
        return rows + columns
    }

    private func trace(
        _ style: DriverStyle, _ curve: GrowthCurve, _ across: LogScale, _ up: LinearScale
    ) -> HTMLNode {
        let places = curve.points.map { (across.position(Double($0.records)), up.position($0.perRecord)) }
        let path = places.map { "\(SVG.number($0.0)) \(SVG.number($0.1))" }.joined(separator: "L")
        let line = HTMLNode.tag(
            "path", ["class": "trace", "d": "M" + path, "stroke-dasharray": style.dashes])
        let marks = zip(curve.points, places).map { point, place in
            style.mark(
                place.0, place.1, radius: 3.2, attributes: ["class": "dot"] + data(style.name, point),
                title: "\(style.name), \(Figure.count(point.records)) records: \(figure.text(point.perRecord))")
        }
        return .tag("g", ["class": style.colorClass], [line] + marks)
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

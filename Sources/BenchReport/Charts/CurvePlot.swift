import BenchHarness

/// Lines of figures over the values of a number, one for each driver: the inner part of a chart.
struct CurvePlot {
    /// One point of a line.
    struct Mark {
        let value: Double
        let figure: Double
        /// The figure in each repetition.
        let repetitions: [Double]
        /// Whether the figure is large enough to count; the marks of others are hollow.
        var counts = true
        /// The tooltip.
        let title: String
        let data: HTMLAttributes
    }

    /// The line of one driver.
    struct Trace {
        let style: DriverStyle
        let marks: [Mark]
    }

    private static let (left, right) = (56.0, Chart.width - 24)
    private static let (top, bottom) = (10.0, 150.0)
    /// The height of a chart with these lines.
    static let height = bottom + 22

    private let traces: [Trace]
    private let values: [Double]
    private let label: (Double) -> String
    private let unit: (Double) -> AxisUnit
    private let up: LinearScale
    private let across: (Double) -> Double

    /// Creates a plot; nil if there are fewer than two values.
    ///
    /// - Parameters:
    ///   - label: Returns a value of the horizontal axis as text.
    ///   - unit: Returns the unit of the vertical axis for its largest figure.
    init?(
        _ traces: [Trace], isLogarithmic: Bool, label: @escaping (Double) -> String,
        unit: @escaping (Double) -> AxisUnit
    ) {
        let marks = traces.flatMap(\.marks)
        values = Set(marks.map(\.value)).sorted()
        guard values.count > 1, let max = marks.flatMap({ [$0.figure] + $0.repetitions }).max()
        else { return nil }
        (self.traces, self.label, self.unit) = (traces, label, unit)
        up = LinearScale(max: max, from: Self.bottom, to: Self.top)
        let last = values[values.count - 1]
        if isLogarithmic {
            let scale = LogScale(values[0]...last, from: Self.left, to: Self.right)
            across = { scale.position($0) }
        } else {
            let scale = LinearScale(max: last, from: Self.left, to: Self.right)
            across = { scale.position($0) }
        }
    }

    var nodes: [HTMLNode] { rows + columns + traces.map(node) }

    private var rows: [HTMLNode] {
        let unit = self.unit(up.max)
        return up.ticks.map { tick -> HTMLNode in
            let y = up.position(tick)
            return .group([
                SVG.line(Self.left, y, Self.right, y, class: tick == 0 ? "axis" : "grid"),
                SVG.text(unit.text(tick, step: up.step), Self.left - 6, y + 4, .end, class: "tick"),
            ])
        }
    }

    private var columns: [HTMLNode] {
        let places = values.map { (x: across($0), text: label($0)) }
        let lines = places.map { SVG.line($0.x, Self.top, $0.x, Self.bottom, class: "grid") }
        // The ends say how far the values reach.
        let labels = [places[places.count - 1], places[0]] + places.dropFirst().dropLast().reversed()
        return lines + AxisLabels(labels, y: Self.bottom + 15).nodes
    }

    private func node(_ trace: Trace) -> HTMLNode {
        let places = trace.marks.map { (across($0.value), up.position($0.figure)) }
        let path = places.map { "\(SVG.number($0.0)) \(SVG.number($0.1))" }.joined(separator: "L")
        let line = HTMLNode.tag(
            "path", ["class": "trace", "d": "M" + path, "stroke-dasharray": trace.style.dashes])
        let marks = zip(trace.marks, places).map { mark, place in
            trace.style.mark(
                place.0, place.1, radius: 3.2, attributes: ["class": mark.counts ? "dot" : "dot hollow"] + mark.data,
                title: mark.title)
        }
        return .tag("g", ["class": trace.style.colorClass], [line] + trace.marks.flatMap(repetitions) + marks)
    }

    private func repetitions(_ mark: Mark) -> [HTMLNode] {
        mark.repetitions.map { SVG.dot(across(mark.value), up.position($0)) }
    }
}

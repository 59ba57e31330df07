import BenchHarness

/// The context's queue of one driver during fetches: its longest block in each phase, beside the duration of the phase
/// and the time of a frame on a display.
struct QueueChart {
    /// The time of a frame on a display of 60 Hz, in nanoseconds.
    static let frame = 1e9 / 60

    private static let rowHeight = 50.0
    private static let top = 20.0
    private static let (left, right) = (8.0, Chart.width - 16)

    let id: String
    let driver: DriverStyle
    let run: RunFigures
    let phases: [PhaseFigures]
    /// The range of times in nanoseconds, equal for all drivers, so that their charts are comparable.
    let domain: ClosedRange<Double>

    /// Returns the range of times that charts of `phases` need; nil if no stall was measured.
    static func domain(_ phases: [PhaseFigures]) -> ClosedRange<Double>? {
        let figures = phases.flatMap(\.drivers)
        let stalls = figures.compactMap { $0.summary(.stall) }
        let ends = figures.compactMap { $0.summary(.duration)?.max } + stalls.map(\.max) + [2 * frame]
        guard let low = stalls.map(\.min).min(), let high = ends.max() else { return nil }
        return max(min(low / 2, frame / 10), 1_000)...high * 1.1
    }

    /// The chart; nil if the driver's stalls were not measured.
    var chart: Chart? {
        let rows = phases.filter { $0[driver.name]?.median(.stall) != nil }
        guard !rows.isEmpty else { return nil }
        let scale = LogScale(domain, from: Self.left, to: Self.right)
        let bottom = Self.top + Double(rows.count) * Self.rowHeight + 4
        let marks = rows.enumerated().map { index, phase in
            row(phase, Self.top + Double(index) * Self.rowHeight, scale)
        }
        return Chart(
            id: id, caption: driver.name, description: description(rows), height: bottom + 22,
            content: axis(scale, bottom) + marks)
    }

    private func description(_ rows: [PhaseFigures]) -> String {
        let parts = rows.map { phase in "\(run.title(of: phase)): \(text(phase))" }
        return "Longest time that the queue is blocked, on a logarithmic axis. " + parts.joined(separator: "; ") + "."
    }

    private func text(_ phase: PhaseFigures) -> String {
        guard let stall = phase[driver.name]?.median(.stall) else { return ReportText.missing }
        guard let duration = phase[driver.name]?.median(.duration) else { return "blocked \(Figure.duration(stall))" }
        // The queue is blocked until the completion has returned, slightly after the clock stops.
        if stall >= 0.99 * duration { return "blocked all \(Figure.duration(stall))" }
        return "blocked \(Figure.duration(stall)) of \(Figure.duration(duration))"
    }

    private func axis(_ scale: LogScale, _ bottom: Double) -> [HTMLNode] {
        let labels = scale.ticks.map { (scale.position($0), LogScale.duration($0)) }
        let x = scale.position(Self.frame)
        return AxisLabels(labels, y: bottom + 15).nodes + [
            SVG.line(x, 3, x, Self.top - 4, class: "frame"),
            SVG.text("one frame at 60 Hz, 16.7 ms", x + 5, 12, class: "tick"),
        ]
    }

    /// Returns the lines of the ticks and of the frame beside the bar of a row, so that none runs through its text.
    private func lines(_ scale: LogScale, _ top: Double) -> [HTMLNode] {
        (scale.ticks.map { ($0, "grid") } + [(Self.frame, "frame")]).map { time, style in
            let x = scale.position(time)
            return SVG.line(x, top + 19, x, top + 47, class: style)
        }
    }

    private func row(_ phase: PhaseFigures, _ top: Double, _ scale: LogScale) -> HTMLNode {
        guard let figures = phase[driver.name] else { return .group([]) }
        let heading: [HTMLNode] = [
            SVG.name(run.title(of: phase), Self.left, top + 15, limit: 17),
            SVG.text(text(phase), Self.right, top + 15, .end, class: "value"),
        ]
        return .tag("g", ["class": driver.colorClass], heading + lines(scale, top) + bars(phase, figures, top, scale))
    }

    private func bars(_ phase: PhaseFigures, _ figures: DriverFigures, _ top: Double, _ scale: LogScale) -> [HTMLNode] {
        var bars: [HTMLNode] = []
        if let duration = figures.median(.duration) {
            let data = ReportText.data(phase, driver.name, .duration, "median", duration)
            bars.append(SVG.rect(Self.left, top + 21, scale.position(duration) - Self.left, 12, class: "free", data))
        }
        if let stall = figures.median(.stall) {
            let data = ReportText.data(phase, driver.name, .stall, "median", stall)
            bars.append(SVG.rect(Self.left, top + 21, scale.position(stall) - Self.left, 12, class: "blocked", data))
        }
        let marks = RepetitionMarks(phase: phase, figures: figures, style: driver, metric: .stall)
        return bars + [marks.node(y: top + 40, position: scale.position)]
    }
}

import BenchHarness

/// Every phase on one axis of ratios to the baseline: a driver left of the line takes less than the baseline, one right
/// of it more.
struct RatioChart {
    private static let rowHeight = 26.0
    private static let (left, right) = (126.0, Chart.width - 14)
    private static let top = 18.0

    let id: String
    let caption: String
    let run: RunFigures
    let metric: FigureColumn

    /// The phases whose medians can be held against each other: less is better.
    private var phases: [PhaseFigures] {
        run.phases.filter { phase in
            switch metric.column {
            case FigureColumn.duration.column: !phase.isLoad && phase.isTimedByDuration
            case FigureColumn.latencyP99.column: phase.isLoad && phase.searches.isEmpty
            default: phase.searches.isEmpty
            }
        }
    }

    private var drivers: [DriverStyle] { run.drivers.filter { $0.name != run.baseline } }

    /// The chart; nil if there is no other driver to compare with the baseline.
    var chart: Chart? {
        let ratios = phases.flatMap { phase in drivers.compactMap { phase.ratio(metric, $0.name) } }
        // A ratio of 0 has no position on a logarithmic axis.
        let positive = ratios.filter { $0 > 0 }
        guard let low = positive.min(), let high = positive.max() else { return nil }
        let scale = LogScale(min(low / 1.15, 0.5)...max(high * 1.15, 2), from: Self.left, to: Self.right)
        let bottom = Self.top + Double(phases.count) * Self.rowHeight + 4
        let grid = RatioGrid(scale: scale, ticks: scale.ticks, top: Self.top, bottom: bottom)
        let rows = phases.enumerated().map { index, phase in
            row(phase, Self.top + (Double(index) + 0.5) * Self.rowHeight, scale)
        }
        return Chart(
            id: id, caption: caption, description: description, height: bottom + 22, content: grid.nodes + rows)
    }

    private var description: String {
        let parts = phases.map { phase in
            let ratios = drivers.map { driver in
                "\(driver.name) \(phase.ratioText(metric, driver.name) ?? ReportText.missing)"
            }
            return "\(run.title(of: phase)): \(ratios.joined(separator: ", "))"
        }
        return "Ratios of medians to those of \(run.baseline ?? "the baseline"). " + parts.joined(separator: "; ") + "."
    }

    private func row(_ phase: PhaseFigures, _ y: Double, _ scale: LogScale) -> HTMLNode {
        let marks = drivers.enumerated().compactMap { index, style -> HTMLNode? in
            guard let ratio = phase.ratio(metric, style.name), ratio > 0 else { return nil }
            let shift = drivers.count > 1 ? (Double(index) / Double(drivers.count - 1) - 0.5) * 8 : 0
            return .tag("g", ["class": style.colorClass], mark(style, phase, ratio, y + shift, scale))
        }
        let name = SVG.name(run.title(of: phase), 0, y + 4, limit: 17)
        return .group([SVG.line(Self.left, y, Self.right, y, class: "guide"), name] + marks)
    }

    private func mark(
        _ style: DriverStyle, _ phase: PhaseFigures, _ ratio: Double, _ y: Double, _ scale: LogScale
    ) -> HTMLNode {
        style.mark(
            scale.position(ratio), y,
            attributes: ["class": "dot"] + ReportText.data(phase, style.name, metric, "ratio", ratio),
            title:
                "\(style.name), \(run.title(of: phase)): \(phase.ratioText(metric, style.name) ?? ReportText.missing)")
    }
}

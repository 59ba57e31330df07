import BenchHarness
import Foundation

/// The response times of a load over the rate at which operations are to start, on logarithmic axes: the median and the
/// 99th percentile of each driver, and the highest rate that kept the limits.
struct RateChart {
    private static let (left, right) = (52.0, Chart.width - 14)
    /// The height of the plot, and of the label of a highest rate, of which each has a line of its own above the plot.
    private static let (plotHeight, labelHeight) = (216.0, 14.0)
    /// The percentiles, with the class of their marks: those of the lower one are hollow.
    private static let percentiles: [(metric: FigureColumn, marks: String)] = [
        (.latencyP99, "dot"), (.latencyP50, "dot hollow"),
    ]

    let id: String
    let caption: String
    let phase: PhaseFigures
    let curves: [RateCurve]

    /// The curves with a highest rate.
    private var found: [(curve: RateCurve, rate: Double)] {
        curves.compactMap { curve in curve.found.rate.map { (curve, $0) } }
    }

    private var top: Double { 8 + Double(found.count) * Self.labelHeight }
    private var bottom: Double { top + Self.plotHeight }

    /// The chart; nil if no trial has response times.
    var chart: Chart? {
        let points = curves.flatMap(\.points)
        let ofTrials = points.flatMap(\.trials).compactMap(FigureColumn.latencyP99.value)
        let medians = Self.percentiles.flatMap { percentile in points.compactMap { $0.median(percentile.metric) } }
        let times = (medians + ofTrials).filter { $0 > 0 && $0.isFinite }
        let rates = points.map(\.rate)
        guard let low = times.min(), let high = times.max(), let slow = rates.min(), let fast = rates.max() else {
            return nil
        }
        let across = LogScale(slow / 1.1...fast * 1.1, from: Self.left, to: Self.right)
        let up = LogScale(low / 1.2...high * 1.2, from: bottom, to: top)
        let traces = curves.flatMap { curve in Self.percentiles.map { trace(curve, $0.metric, $0.marks, across, up) } }
        return Chart(
            id: id, caption: caption, description: description, height: bottom + 38,
            content: axes(across, up) + foundRates(across) + curves.flatMap { trials($0, across, up) } + traces)
    }

    private var description: String {
        let parts = curves.map { curve in
            let ends = [curve.points.first, curve.points.last].compactMap { $0 }.map { point in
                "\(FigureColumn.latencyP99.text(point.median(.latencyP99) ?? 0)) at \(Figure.rate(point.rate))"
            }
            return
                "\(curve.style.name) p99 \(ends.joined(separator: ", ")); highest rate that kept the limits: \(curve.found.text)"
        }
        return "Response times over the rate, both axes logarithmic: " + parts.joined(separator: ". ")
            + ". The table beside it has the figures."
    }

    private func axes(_ across: LogScale, _ up: LogScale) -> [HTMLNode] {
        let rows = up.ticks.map { tick -> HTMLNode in
            let y = up.position(tick)
            return .group([
                SVG.line(Self.left, y, Self.right, y, class: "grid"),
                SVG.text(LogScale.duration(tick), Self.left - 6, y + 4, .end, class: "tick"),
            ])
        }
        let tens = across.ticks.filter { log10($0) == log10($0).rounded() }
        let labels = (tens + across.ticks.filter { !tens.contains($0) }).map { (across.position($0), Figure.rate($0)) }
        let columns =
            across.ticks.map { tick in
                SVG.line(across.position(tick), top, across.position(tick), bottom, class: "grid")
            } + AxisLabels(labels, y: bottom + 15).nodes
        let axis = SVG.line(Self.left, bottom, Self.right, bottom, class: "axis")
        let title = SVG.text("intended rate", (Self.left + Self.right) / 2, bottom + 32, .middle, class: "tick")
        return rows + columns + [axis, title]
    }

    /// Returns a dot for the 99th percentile of every trial, hollow if the trial missed a limit.
    private func trials(_ curve: RateCurve, _ across: LogScale, _ up: LogScale) -> [HTMLNode] {
        let dots = curve.points.flatMap { point in
            point.trials.compactMap { trial in
                FigureColumn.latencyP99.value(trial).flatMap { $0 > 0 && $0.isFinite ? $0 : nil }.map { value in
                    SVG.dot(
                        across.position(point.rate), up.position(value),
                        class: trial.missedLimits == nil ? "single" : "single hollow")
                }
            }
        }
        return [.tag("g", ["class": curve.style.colorClass], dots)]
    }

    /// Returns a line at the rate that the search found for each driver, and its label above the plot.
    private func foundRates(_ across: LogScale) -> [HTMLNode] {
        found.enumerated().map { index, found in
            let style = found.curve.style
            let (x, y) = (across.position(found.rate), Self.labelHeight * (Double(index) + 0.5) + 2)
            let isRight = x > (Self.left + Self.right) / 2
            let data: HTMLAttributes = ["class": style.colorClass] + ReportText.data(phase, style.name, found.rate)
            return .tag(
                "g", data,
                [
                    SVG.line(x, top, x, bottom, class: "found"),
                    style.mark(x, y - 4, radius: 3.2, attributes: ["class": "dot"]),
                    SVG.text(
                        "\(style.name.shortened(to: 16)) \(found.curve.found.text)", isRight ? x - 8 : x + 8, y,
                        isRight ? .end : .start,
                        class: "tick"),
                ])
        }
    }

    private func trace(
        _ curve: RateCurve, _ metric: FigureColumn, _ marks: String, _ across: LogScale, _ up: LogScale
    ) -> HTMLNode {
        let points = curve.points.compactMap { point in
            point.median(metric).flatMap { $0 > 0 ? (point, $0) : nil }
        }
        let path = points.map { "\(SVG.number(across.position($0.rate))) \(SVG.number(up.position($1)))" }
        let line = HTMLNode.tag(
            "path",
            ["class": "trace", "d": "M" + path.joined(separator: "L"), "stroke-dasharray": curve.style.dashes])
        let dots = points.map { point, value in
            curve.style.mark(
                across.position(point.rate), up.position(value), radius: 3.2,
                attributes: ["class": marks] + RateSection.data(phase, curve.style.name, point.rate, metric, value),
                title: "\(curve.style.name), \(metric.label) at \(Figure.rate(point.rate)): \(metric.text(value))")
        }
        return .tag("g", ["class": curve.style.colorClass], points.isEmpty ? [] : [line] + dots)
    }
}

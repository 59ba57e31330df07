import BenchHarness
import Foundation

/// The latencies of a phase's operations by percentile, as HdrHistogram's plotter draws them: the further right, the
/// fewer operations take that long or longer.
struct SpectrumChart {
    private static let (left, right) = (52.0, Chart.width - 14)
    private static let (top, bottom) = (10.0, 220.0)

    let id: String
    let caption: String
    let phase: PhaseFigures
    let traces: [(style: DriverStyle, spectrum: LatencySpectrum)]

    /// The chart; nil if there are no latencies above 0.
    var chart: Chart? {
        let points = traces.flatMap(\.spectrum.points)
        let latencies = points.map(\.nanoseconds).filter { $0 > 0 }
        guard let low = latencies.min(), let high = latencies.max(), let tail = points.map(\.tail).max() else {
            return nil
        }
        let across = LogScale(1...max(tail, 10), from: Self.left, to: Self.right)
        let up = LogScale(low / 1.2...high * 1.2, from: Self.bottom, to: Self.top)
        return Chart(
            id: id, caption: caption, description: description, height: Self.bottom + 38,
            content: axes(across, up) + traces.map { trace($0.style, $0.spectrum, across, up) })
    }

    private var description: String {
        let parts = traces.map { style, spectrum in
            "\(style.name) up to \(Figure.duration(spectrum.points.map(\.nanoseconds).max() ?? 0))"
        }
        return "Latency by percentile, both axes logarithmic: " + parts.joined(separator: ", ")
            + ". The table beside it has the percentiles."
    }

    private func axes(_ across: LogScale, _ up: LogScale) -> [HTMLNode] {
        let rows = up.ticks.map { tick -> HTMLNode in
            let y = up.position(tick)
            return .group([
                SVG.line(Self.left, y, Self.right, y, class: "grid"),
                SVG.text(LogScale.duration(tick), Self.left - 6, y + 4, .end, class: "tick"),
            ])
        }
        let labels = Self.percentiles(upTo: across.high).map { percentile, tail in
            (x: across.position(tail), text: percentile)
        }
        let columns =
            labels.map { SVG.line($0.x, Self.top, $0.x, Self.bottom, class: "grid") }
            + AxisLabels(labels, y: Self.bottom + 15).nodes
        let axis = SVG.line(Self.left, Self.bottom, Self.right, Self.bottom, class: "axis")
        let title = SVG.text("percentile", (Self.left + Self.right) / 2, Self.bottom + 32, .middle, class: "tick")
        return rows + columns + [axis, title]
    }

    /// Returns the percentiles to label on an axis.
    private static func percentiles(upTo tail: Double) -> [(String, Double)] {
        let all = [
            ("0", 1), ("50", 2), ("90", 10), ("99", 100), ("99.9", 1e3), ("99.99", 1e4), ("99.999", 1e5),
            ("6 nines", 1e6),
        ]
        return all.filter { $0.1 <= tail }
    }

    private func trace(
        _ style: DriverStyle, _ spectrum: LatencySpectrum, _ across: LogScale, _ up: LogScale
    ) -> HTMLNode {
        let places = Self.thinned(
            spectrum.points.map { (across.position($0.tail), up.position($0.nanoseconds)) })
        let path = places.map { "\(SVG.number($0.0)) \(SVG.number($0.1))" }.joined(separator: "L")
        let line = HTMLNode.tag(
            "path",
            [
                "class": "trace", "d": "M" + path, "stroke-dasharray": style.dashes, "data-phase": phase.name,
                "data-driver": style.name, "data-source": spectrum.source.rawValue,
                "data-points": String(spectrum.points.count),
            ])
        return .tag("g", ["class": style.colorClass], [line] + marks(style, spectrum, across, up))
    }

    /// Returns marks that distinguish the drivers: at every percentile of the CSV, or at a few of a file's hundreds.
    private func marks(
        _ style: DriverStyle, _ spectrum: LatencySpectrum, _ across: LogScale, _ up: LogScale
    ) -> [HTMLNode] {
        let stride = max(1, spectrum.points.count / 6)
        return spectrum.points.enumerated().filter { $0.offset % stride == 0 || $0.offset == spectrum.points.count - 1 }
            .map { _, point in
                style.mark(
                    across.position(point.tail), up.position(point.nanoseconds), radius: 3.2,
                    attributes: ["class": "dot", "data-value": ReportText.raw(point.nanoseconds)],
                    title: "\(style.name): \(Figure.duration(point.nanoseconds))")
            }
    }

    /// Returns the points without those on the same pixel as the previous one.
    private static func thinned(_ places: [(Double, Double)]) -> [(Double, Double)] {
        var kept: [(Double, Double)] = []
        for (index, place) in places.enumerated() {
            let isEnd = index == places.count - 1
            if let last = kept.last, !isEnd, abs(last.0 - place.0) < 0.5, abs(last.1 - place.1) < 0.5 { continue }
            kept.append(place)
        }
        return kept
    }
}

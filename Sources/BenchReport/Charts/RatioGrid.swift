import BenchHarness
import Foundation

/// The grid of an axis of ratios: a line for each tick, and a stronger one at the ratio 1.
struct RatioGrid {
    let scale: LogScale
    let ticks: [Double]
    let top: Double
    let bottom: Double

    var nodes: [HTMLNode] {
        let one = scale.position(1)
        let lines = ticks.map { SVG.line(scale.position($0), top, scale.position($0), bottom, class: "grid") }
        let inOrder = ticks.sorted { abs(log($0)) < abs(log($1)) }
        let labels = inOrder.map { (scale.position($0), String(format: "%g×", $0)) }
        return lines + AxisLabels(labels, y: bottom + 15).nodes + [
            SVG.line(one, top - 4, one, bottom, class: "axis"),
            SVG.text("← less", one - 8, 10, .end, class: "tick"), SVG.text("more →", one + 8, 10, class: "tick"),
        ]
    }
}

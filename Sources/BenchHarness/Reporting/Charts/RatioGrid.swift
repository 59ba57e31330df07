import Foundation

/// The grid of an axis of ratios: a line for each tick, and a stronger one at the ratio 1.
struct RatioGrid {
    let scale: LogScale
    let ticks: [Double]
    let top: Double
    let bottom: Double

    var nodes: [HTMLNode] {
        let one = scale.position(1)
        return ticks.map(node) + [
            SVG.line(one, top - 4, one, bottom, class: "axis"),
            SVG.text("← less", one - 8, 10, .end, class: "tick"), SVG.text("more →", one + 8, 10, class: "tick"),
        ]
    }

    private func node(_ tick: Double) -> HTMLNode {
        let x = scale.position(tick)
        return .group([
            SVG.line(x, top, x, bottom, class: "grid"),
            SVG.text(String(format: "%g×", tick), x, bottom + 15, .middle, class: "tick"),
        ])
    }
}

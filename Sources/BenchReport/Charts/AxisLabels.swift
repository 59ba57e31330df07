import BenchHarness

/// The numbers along a horizontal axis. One that would touch another, which comes before it in the list, is left out.
struct AxisLabels {
    /// The width of a character at the size of these labels, in the widest of the fonts that pages use.
    private static let characterWidth = 6.7
    private static let gap = 6.0

    let y: Double
    /// The most important first.
    let labels: [(x: Double, text: String)]

    /// Creates the labels of ticks from the first to the last. Where there is not room for all, every other one goes.
    init(ofSteps labels: [(x: Double, text: String)], y: Double) {
        let strides = [4, 2, 1].flatMap { stride in labels.indices.filter { $0 % stride == 0 } }
        self.init(strides.map { labels[$0] }, y: y)
    }

    init(_ labels: [(x: Double, text: String)], y: Double) {
        (self.labels, self.y) = (labels, y)
    }

    var nodes: [HTMLNode] {
        var taken: [ClosedRange<Double>] = []
        return labels.compactMap { x, text in
            let width = Double(text.count) * Self.characterWidth
            let start = min(max(x - width / 2, 0), max(Chart.width - width, 0))
            guard taken.allSatisfy({ start > $0.upperBound || start + width < $0.lowerBound }) else { return nil }
            taken.append(start - Self.gap...start + width + Self.gap)
            return SVG.text(text, start + width / 2, y, .middle, class: "tick")
        }
    }
}

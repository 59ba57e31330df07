import BenchHarness

/// Charts of a report as a file of its own: an SVG with a title, a legend and its cautions. It needs nothing else, and
/// follows the scheme of what shows it, light or dark.
struct Picture: Sendable {
    private static let margin = 24.0
    private static let gap = (across: 44.0, down: 18.0)
    private static let captionHeight = 22.0
    /// The width of a character of a size of 1, in the widest of the fonts.
    private static let characterWidth = 0.6
    /// The factor of a chart that stands alone.
    private static let scaleOfOne = 1.5

    /// What the name of the file ends with.
    let name: String
    let title: String
    let subtitle: String
    /// The drivers to explain; none where each mark has its name beside it.
    var legend: [DriverStyle] = []
    /// The drivers that the charts show.
    let styles: [DriverStyle]
    let charts: [Chart]
    /// What a reader must know of the figures.
    var notes: [String] = []

    /// The file.
    var svg: String {
        let head = head
        let grid = grid(from: head.height)
        let foot = lines(notes, size: 11.5, class: "note", from: grid.height + 6)
        let height = notes.isEmpty ? grid.height : foot.height
        return HTMLNode.tag(
            "svg",
            [
                "xmlns": "http://www.w3.org/2000/svg", "width": SVG.number(width), "height": SVG.number(height),
                "viewBox": "0 0 \(SVG.number(width)) \(SVG.number(height))", "role": "img",
                "aria-labelledby": "title desc",
            ],
            [
                .tag("title", ["id": "title"], .text(title)), .tag("desc", ["id": "desc"], .text(description)),
                .stylesheet(ReportPalette.pictureCSS(styles) + ReportStyle.marks + Self.css),
                SVG.rect(0, 0, width, height, class: "ground"),
            ] + head.nodes + grid.nodes + foot.nodes
        ).html
    }

    private var description: String {
        ([subtitle] + charts.map { "\($0.caption): \($0.description)" }).joined(separator: " ")
    }

    private static let css = """
        svg { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif; }
        .ground { fill: var(--ground); }
        svg .title { font-size: 20px; font-weight: 650; }
        svg .subtitle { font-size: 12.5px; fill: var(--muted); }
        svg .caption { font-size: 12.5px; font-weight: 650; }
        svg .note { font-size: 11.5px; fill: var(--alert); }

        """
}

// MARK: - Layout

extension Picture {
    private var columns: Int { min(charts.count, 2) }
    private var scale: Double { columns == 1 ? Self.scaleOfOne : 1 }
    private var panelWidth: Double { Chart.width * scale }
    private var width: Double {
        2 * Self.margin + Double(columns) * panelWidth + Double(columns - 1) * Self.gap.across
    }

    /// The title, what the figures are, and the legend.
    private var head: (nodes: [HTMLNode], height: Double) {
        let title = lines([title], size: 20, class: "title", from: 16)
        let subtitle = lines([subtitle], size: 12.5, class: "subtitle", from: title.height + 2)
        let legend = legendNodes(from: subtitle.height + 8)
        return (title.nodes + subtitle.nodes + legend.nodes, legend.height + 10)
    }

    private func legendNodes(from top: Double) -> (nodes: [HTMLNode], height: Double) {
        guard !legend.isEmpty else { return ([], top) }
        var (x, y) = (Self.margin, top + 14)
        let nodes = legend.map { style -> HTMLNode in
            let name = style.name.shortened(to: 36)
            let length = 40 + Double(name.count) * 12 * Self.characterWidth
            if x > Self.margin, x + length > width - Self.margin { (x, y) = (Self.margin, y + 20) }
            defer { x += length + 18 }
            return .tag(
                "g", ["class": style.colorClass],
                style.sample(x, y - 4) + [SVG.name(style.name, x + 36, y, limit: 36)])
        }
        return (nodes, y + 6)
    }

    /// The charts in rows, each as high as its highest chart.
    private func grid(from top: Double) -> (nodes: [HTMLNode], height: Double) {
        var y = top
        let nodes = stride(from: 0, to: charts.count, by: columns).flatMap { start -> [HTMLNode] in
            let row = charts[start..<min(start + columns, charts.count)]
            defer { y += Self.captionHeight + (row.map(\.height).max() ?? 0) * scale + Self.gap.down }
            return row.enumerated().map { index, chart in
                panel(chart, Self.margin + Double(index) * (panelWidth + Self.gap.across), y)
            }
        }
        return (nodes, y)
    }

    private func panel(_ chart: Chart, _ x: Double, _ y: Double) -> HTMLNode {
        // Captions are bold.
        let limit = Int(panelWidth / (12.5 * 1.12 * Self.characterWidth))
        let place = "translate(\(SVG.number(x)) \(SVG.number(y + Self.captionHeight))) scale(\(SVG.number(scale)))"
        return .group([
            SVG.name(chart.caption, x, y + 12, limit: limit, class: "caption"),
            .tag("g", ["transform": place], chart.content),
        ])
    }

    /// Returns paragraphs as lines that fit into the picture.
    private func lines(
        _ texts: [String], size: Double, class name: String, from top: Double
    ) -> (nodes: [HTMLNode], height: Double) {
        let limit = Int((width - 2 * Self.margin) / (size * Self.characterWidth))
        let height = (size * 1.4).rounded()
        let lines = texts.flatMap { text in
            // A word that is wider than the picture would be cut off.
            text.split(separator: " ").map { String($0).shortened(to: limit) }.joined(separator: " ")
                .wrapped(to: limit, hanging: 0).split(separator: "\n").map(String.init)
        }
        let nodes = lines.enumerated().map { index, line in
            SVG.text(line, Self.margin, top + Double(index + 1) * height - 3, class: name)
        }
        return (nodes, top + Double(lines.count) * height + 4)
    }
}

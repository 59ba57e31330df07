import BenchHarness

/// A chart with its caption, and a description for readers who do not see it. Pages and pictures show the same.
struct Chart: Sendable {
    /// The width that all charts are drawn at. A phone shows one at this width; a wide screen shows several side by
    /// side.
    static let width = 360.0

    /// The identifier, unique on the page.
    let id: String
    let caption: String
    let description: String
    let height: Double
    let content: [HTMLNode]

    /// The chart on a page.
    var figure: HTMLNode {
        .tag(
            "figure", ["class": "chart"], .tag("figcaption", [:], .text(caption)),
            .tag(
                "svg",
                [
                    "viewBox": "0 0 \(SVG.number(Self.width)) \(SVG.number(height))", "role": "img",
                    "aria-labelledby": "\(id)-title \(id)-desc",
                ],
                .tag("title", ["id": "\(id)-title"], .text(caption)),
                .tag("desc", ["id": "\(id)-desc"], .text(description)), .group(content)))
    }
}

extension [Chart] {
    /// The charts on a page, as many side by side as it has room for; nothing without charts.
    var figures: HTMLNode {
        isEmpty ? .group([]) : .tag("div", ["class": "charts"], map(\.figure))
    }
}

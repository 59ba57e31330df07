import Foundation

/// The basic shapes of charts.
enum SVG {
    /// The alignment of a text to its position.
    enum Anchor: String {
        case start
        case middle
        case end
    }

    /// Returns a coordinate as text: a hundredth of a pixel is precise enough.
    static func number(_ value: Double) -> String {
        let text = String(format: "%.2f", value)
        guard text.hasSuffix("0") else { return text }
        let short = text.hasSuffix(".00") ? text.dropLast(3) : text.dropLast()
        return short == "-0" ? "0" : String(short)
    }

    static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, class name: String) -> HTMLNode {
        .tag(
            "line", ["class": name, "x1": number(x1), "y1": number(y1), "x2": number(x2), "y2": number(y2)])
    }

    static func rect(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, class name: String, _ more: HTMLAttributes = [:]
    ) -> HTMLNode {
        let place: HTMLAttributes = [
            "class": name, "x": number(x), "y": number(y), "width": number(max(width, 0)), "height": number(height),
        ]
        return .tag("rect", place + more)
    }

    static func text(
        _ text: String, _ x: Double, _ y: Double, _ anchor: Anchor = .start, class name: String = "label"
    ) -> HTMLNode {
        .tag("text", ["class": name, "x": number(x), "y": number(y), "text-anchor": anchor.rawValue], .text(text))
    }

    /// Returns a name, shortened to `limit`; a tooltip shows all of it.
    static func name(_ name: String, _ x: Double, _ y: Double, limit: Int) -> HTMLNode {
        guard name.count > limit else { return text(name, x, y) }
        return .tag(
            "text", ["class": "label", "x": number(x), "y": number(y)], .tag("title", [:], .text(name)),
            .text(name.prefix(limit - 1) + "…"))
    }
}

/// A chart with its caption, and a description for readers who do not see it.
struct ChartFrame {
    /// The width that all charts are drawn at. A phone shows one at this width; a wide screen shows several side by
    /// side.
    static let width = 360.0

    /// The identifier, unique on the page.
    let id: String
    let caption: String
    let description: String
    let height: Double

    func figure(_ content: [HTMLNode]) -> HTMLNode {
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

import BenchHarness
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

    /// Returns the dot of a single repetition, smaller than the marks of medians.
    static func dot(_ x: Double, _ y: Double, class name: String = "single") -> HTMLNode {
        .tag("circle", ["class": name, "cx": number(x), "cy": number(y), "r": "1.7"])
    }

    static func text(
        _ text: String, _ x: Double, _ y: Double, _ anchor: Anchor = .start, class name: String = "label"
    ) -> HTMLNode {
        .tag("text", ["class": name, "x": number(x), "y": number(y), "text-anchor": anchor.rawValue], .text(text))
    }

    /// Returns a name, shortened to `limit`; a tooltip shows all of it.
    static func name(_ name: String, _ x: Double, _ y: Double, limit: Int, class style: String = "label") -> HTMLNode {
        guard name.count > limit else { return text(name, x, y, class: style) }
        return .tag(
            "text", ["class": style, "x": number(x), "y": number(y)], .tag("title", [:], .text(name)),
            .text(name.shortened(to: limit)))
    }
}

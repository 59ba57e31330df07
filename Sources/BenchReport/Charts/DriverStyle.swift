import BenchHarness

/// The style of a driver: the same on every page and picture, and distinguished by shape and dash as well as by colour.
struct DriverStyle: Sendable, Hashable {
    /// The shapes of marks: only those that a reader does not confuse.
    enum Shape: Int, CaseIterable, Sendable {
        case circle
        case square
        case triangle
        case diamond
        case cross
        case wedge
    }

    let name: String
    /// The number of the colour in `DriverPalette`.
    let slot: Int

    /// Returns the styles of drivers, whose colours `DriverPalette` numbers.
    static func all(_ names: [String]) -> [DriverStyle] {
        zip(names, DriverPalette.slots(names)).map { DriverStyle(name: $0, slot: $1) }
    }

    /// The colour.
    var color: DriverPalette.Color { DriverPalette.color(slot) }
    /// The class that sets the colour.
    var colorClass: String { color.name }
    var shape: Shape { Shape.allCases[slot % Shape.allCases.count] }
    /// The dashes of a line, for `stroke-dasharray`; nil for a solid one.
    var dashes: String? { [nil, "7 3", "2 3", "9 3 2 3"][slot % 4] }

    /// Returns a mark at a position.
    func mark(_ x: Double, _ y: Double, radius: Double = 4, attributes: HTMLAttributes = [:], title: String? = nil)
        -> HTMLNode
    {
        .tag("path", ["d": path(x, y, radius)] + attributes, title.map { [.tag("title", [:], .text($0))] } ?? [])
    }

    /// Returns an outline; all have about the same area.
    private func path(_ x: Double, _ y: Double, _ r: Double) -> String {
        func polygon(_ points: (Double, Double)...) -> String {
            "M" + points.map { "\(SVG.number(x + $0.0 * r)) \(SVG.number(y + $0.1 * r))" }.joined(separator: "L") + "Z"
        }
        switch shape {
        case .circle:
            let radius = SVG.number(r)
            return "M\(SVG.number(x - r)) \(SVG.number(y))a\(radius) \(radius) 0 1 0 \(SVG.number(2 * r)) 0"
                + "a\(radius) \(radius) 0 1 0 \(SVG.number(-2 * r)) 0Z"
        case .square: return polygon((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9))
        case .triangle: return polygon((0, -1.2), (1.15, 0.85), (-1.15, 0.85))
        case .diamond: return polygon((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0))
        case .cross:
            return polygon(
                (-0.4, -1.2), (0.4, -1.2), (0.4, -0.4), (1.2, -0.4), (1.2, 0.4), (0.4, 0.4), (0.4, 1.2), (-0.4, 1.2),
                (-0.4, 0.4), (-1.2, 0.4), (-1.2, -0.4), (-0.4, -0.4))
        case .wedge: return polygon((0, 1.2), (1.15, -0.85), (-1.15, -0.85))
        }
    }

    /// A sample of the driver's mark and line, for a legend or a table.
    var swatch: HTMLNode {
        .tag(
            "svg", ["class": "swatch \(colorClass)", "viewBox": "0 0 28 12", "aria-hidden": "true"], sample(0, 6))
    }

    /// Returns the driver's mark on a line that begins at a position.
    func sample(_ x: Double, _ y: Double) -> [HTMLNode] {
        [
            SVG.line(x, y, x + 28, y, class: "trace").adding(["stroke-dasharray": dashes]),
            mark(x + 14, y, attributes: ["class": "dot"]),
        ]
    }
}

import BenchHarness
import Foundation

/// Maps values from 0 upward to positions, linearly.
struct LinearScale: Sendable {
    let max: Double
    let start: Double
    let end: Double

    /// - Parameter max: The largest value; the scale ends with it.
    init(max: Double, from start: Double, to end: Double) {
        self.max = max > 0 && max.isFinite ? max : 1
        self.start = start
        self.end = end
    }

    func position(_ value: Double) -> Double {
        start + (end - start) * Swift.min(Swift.max(value / max, 0), 1)
    }

    /// The distance between ticks: 1, 2 or 5 times a power of ten, so that there are at most five steps.
    var step: Double {
        let magnitude = pow(10, floor(log10(max / 5)))
        return ([1, 2, 5, 10].first { max / ($0 * magnitude) <= 5 } ?? 10) * magnitude
    }

    /// Round values from 0 to the end.
    var ticks: [Double] {
        (0...Int((max / step).nextUp)).map { Double($0) * step }
    }
}

/// Formats the values at the ticks of a linear axis, all in one unit and with the decimals that the step needs.
struct AxisUnit: Sendable {
    let symbol: String
    let factor: Double

    static func duration(max: Double) -> AxisUnit {
        switch max {
        case ..<1e3: AxisUnit(symbol: "ns", factor: 1)
        case ..<1e6: AxisUnit(symbol: "µs", factor: 1e3)
        case ..<1e9: AxisUnit(symbol: "ms", factor: 1e6)
        default: AxisUnit(symbol: "s", factor: 1e9)
        }
    }

    static func bytes(max _: Double) -> AxisUnit { AxisUnit(symbol: "MB", factor: 1e6) }

    func text(_ value: Double, step: Double) -> String {
        guard value != 0 else { return "0" }
        let decimals = Swift.max(0, Int(ceil(-log10(step / factor) - 1e-9)))
        return String(format: "%.\(decimals)f \(symbol)", value / factor)
    }
}

extension AxisUnit {
    /// The unit of an axis of a figure.
    init(of figure: FigureColumn, max: Double) {
        switch figure.unit {
        case .nanoseconds: self = .duration(max: max)
        case .bytes: self = .bytes(max: max)
        case .perSecond where max >= 1e5: self.init(symbol: "k/s", factor: 1e3)
        case .perSecond: self.init(symbol: "/s", factor: 1)
        case .count: self.init(symbol: "", factor: 1)
        }
    }
}

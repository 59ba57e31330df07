import BenchHarness
import Foundation

/// A logarithmic axis of ratios around 1, fine enough to show a few percent.
struct RatioAxis: Sendable {
    private static let mostSteps = 5.0
    /// Ratios outside this range are drawn at the end of the axis.
    private static let extremes = (low: 1e-12, high: 1e12)

    let scale: LogScale

    /// Creates an axis that covers each of `ratios` and 1.
    init(_ ratios: [Double], from start: Double, to end: Double) {
        let usable = ratios.filter { $0 > 0 && $0.isFinite }.map { min(max($0, Self.extremes.low), Self.extremes.high) }
        let (low, high) = (min(usable.min() ?? 1, 1 / 1.05), max(usable.max() ?? 1, 1.05))
        let margin = pow(high / low, 0.04)
        scale = LogScale(low / margin...high * margin, from: start, to: end)
    }

    /// Two to six ratios, including 1: equal steps on a short axis, equal factors on a long one.
    var ticks: [Double] {
        scale.high / scale.low < 4 ? steps : powers
    }

    private var steps: [Double] {
        let step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5].first { (scale.high - scale.low) / $0 <= Self.mostSteps } ?? 1
        return (Int(ceil(scale.low / step))...Int(floor(scale.high / step))).map { Double($0) * step }
    }

    private var powers: [Double] {
        let length = log10(scale.high / scale.low)
        let step = [log10(2), log10(5)].first { length / $0 <= Self.mostSteps } ?? ceil(length / Self.mostSteps)
        let exponents = Int(ceil(log10(scale.low) / step))...Int(floor(log10(scale.high) / step))
        return exponents.map { pow(10, Double($0) * step) }
    }
}

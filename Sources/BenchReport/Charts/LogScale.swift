import BenchHarness
import Foundation

/// Maps positive values to positions, so that equal ratios are equal distances.
struct LogScale: Sendable {
    let low: Double
    let high: Double
    let start: Double
    let end: Double

    init(_ domain: ClosedRange<Double>, from start: Double, to end: Double) {
        low = max(domain.lowerBound, .leastNormalMagnitude)
        high = max(domain.upperBound, low * 1.01)
        self.start = start
        self.end = end
    }

    func position(_ value: Double) -> Double {
        guard value > low else { return start }
        return start + (end - start) * min(log(value / low) / log(high / low), 1)
    }

    /// The powers of ten in the range, and 2 and 5 times them if that makes no more than seven ticks.
    var ticks: [Double] {
        let fine = values(at: [1, 2, 5])
        if fine.count <= 7 { return fine }
        let decades = values(at: [1])
        let stride = (decades.count + 6) / 7
        return decades.enumerated().filter { $0.offset % stride == 0 }.map(\.element)
    }

    private func values(at multiples: [Double]) -> [Double] {
        let decades = Int(floor(log10(low)))...Int(ceil(log10(high)))
        return decades.flatMap { decade in multiples.map { $0 * pow(10, Double(decade)) } }
            .filter { $0 >= low * 0.999 && $0 <= high * 1.001 }
    }

    /// Returns the tick as a duration in nanoseconds, without trailing zeros.
    static func duration(_ nanoseconds: Double) -> String {
        let unit = AxisUnit.duration(max: nanoseconds * 1.000_001)
        return String(format: "%.4g \(unit.symbol)", nanoseconds / unit.factor)
    }
}

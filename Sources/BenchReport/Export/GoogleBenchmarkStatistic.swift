import BenchHarness

/// An aggregate of google/benchmark, with its formulas (src/statistics.cc).
struct GoogleBenchmarkStatistic: Sendable {
    let name: String
    let unit: String
    private let compute: @Sendable ([Double]) -> Double

    static let all = [
        Self(name: "mean", unit: "time", compute: mean), Self(name: "median", unit: "time", compute: median),
        Self(name: "stddev", unit: "time", compute: deviation),
        Self(name: "cv", unit: "percentage", compute: variation),
    ]

    /// Returns the aggregate of values; nil if there are none, or if it exceeds what a Double holds.
    func of(_ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let value = compute(values)
        return value.isFinite ? value : nil
    }

    private static func mean(_ values: [Double]) -> Double {
        values.reduce(0, +) * (1 / Double(values.count))
    }

    private static func median(_ values: [Double]) -> Double {
        guard values.count > 2 else { return mean(values) }
        let sorted = values.sorted()
        let middle = values.count / 2
        return values.count % 2 == 1 ? sorted[middle] : (sorted[middle] + sorted[middle - 1]) / 2
    }

    /// Returns the sample's standard deviation, from the mean of squares.
    private static func deviation(_ values: [Double]) -> Double {
        guard values.count > 1 else { return 0 }
        let count = Double(values.count)
        let meanOfSquares = values.reduce(0) { $0 + $1 * $1 } * (1 / count)
        let mean = mean(values)
        return max(count / (count - 1) * (meanOfSquares - mean * mean), 0).squareRoot()
    }

    private static func variation(_ values: [Double]) -> Double {
        let mean = mean(values)
        return mean == 0 ? 0 : deviation(values) / mean
    }
}

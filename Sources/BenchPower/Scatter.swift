import BenchHarness
import Foundation

/// How values scatter around their mean.
struct Scatter {
    let mean: Double
    /// The differences from the mean. The mean of n values lies too near to them: sqrt(n / (n - 1)) corrects for that.
    let residuals: [Double]

    /// - Precondition: there are at least two values.
    init(_ values: [Double]) {
        let mean = values.mean
        let scale = (Double(values.count) / Double(values.count - 1)).squareRoot()
        self.mean = mean
        residuals = values.map { ($0 - mean) * scale }
    }
}

extension [Double] {
    /// The arithmetic mean; 0 of none.
    var mean: Double { reduce(0, +) / Double(Swift.max(count, 1)) }

    /// The mean of values that come in no fixed order, on which a sum depends in its last digit.
    var meanInAnyOrder: Double { sorted().mean }
}

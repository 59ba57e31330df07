import Foundation

/// The growth of a figure with a size: the b in y = a·x^b, by least squares on the logarithms, in which the law is a
/// line.
///
/// The interval is that of the slope in normal linear regression, by Student's t with two degrees of freedom fewer than
/// values (Draper and Smith, "Applied Regression Analysis", 3rd edition 1998, section 1.4). If the true growth is not a
/// power, the bend counts as scatter and widens the interval.
package struct PowerLaw: Sendable, Equatable {
    package let exponent: Double
    /// The confidence interval of the exponent.
    package let interval: ClosedRange<Double>

    /// The smallest number of sizes that distinguishes a bend from scatter.
    static let leastSizes = 3

    /// Fits the law; nil with fewer than three different sizes, or with a size or value that is not positive and
    /// finite.
    ///
    /// - Parameter points: A size and a value for each measurement; sizes may repeat.
    init?(_ points: [(size: Double, value: Double)], confidence: Double = 0.95) {
        guard Set(points.map(\.size)).count >= Self.leastSizes,
            points.allSatisfy({ $0.size > 0 && $0.size.isFinite && $0.value > 0 && $0.value.isFinite })
        else { return nil }
        let x = Self.centred(points.map { log($0.size) })
        let y = Self.centred(points.map { log($0.value) })
        let spread = x.reduce(0) { $0 + $1 * $1 }
        let slope = zip(x, y).reduce(0) { $0 + $1.0 * $1.1 } / spread
        let residue = zip(x, y).reduce(0) { sum, point in
            let distance = point.1 - slope * point.0
            return sum + distance * distance
        }
        let degrees = points.count - 2
        let error = (residue / Double(degrees) / spread).squareRoot()
        let reach = error * StudentDistribution.distance(holding: confidence, degreesOfFreedom: degrees)
        exponent = slope
        interval = slope - reach...slope + reach
    }

    private static func centred(_ values: [Double]) -> [Double] {
        let mean = values.reduce(0, +) / Double(values.count)
        return values.map { $0 - mean }
    }
}

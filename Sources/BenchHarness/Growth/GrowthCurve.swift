import Foundation

/// The growth of one figure of one driver in one phase with the number of records.
package struct GrowthCurve: Sendable {
    /// The measurements at one size.
    package struct Point: Sendable {
        package let records: Int
        /// One value for each valid repetition.
        package let values: [Double]
        let median: Double
        package var perRecord: Double { median / Double(records) }
    }

    /// The exponent between the medians of two neighbouring sizes.
    package struct Step: Sendable, Equatable, Encodable {
        let from: Int
        let to: Int
        package let exponent: Double
    }

    package let figure: GrowthFigure
    /// The points in ascending order of size; sizes without a measurement have none.
    package let points: [Point]
    /// The points that the fit uses.
    let fitted: [Point]
    /// The fit; nil if there are too few sizes.
    package let fit: PowerLaw?
    /// The verdict; nil if the scenario sets no limit.
    package let verdict: GrowthVerdict?

    /// - Parameters:
    ///   - rows: The valid rows, by size.
    ///   - isProportional: Whether the work grows with the records.
    init(_ figure: GrowthFigure, _ rows: [Int: [ResultRow]], maxExponent: Double?, isProportional: Bool) {
        self.figure = figure
        points = rows.sorted { $0.key < $1.key }.compactMap { records, rows in
            let values = rows.compactMap(figure.column.value)
            return SampleSummary(values).map { Point(records: records, values: values, median: $0.median) }
        }
        // Leaves out all sizes up to the largest one at which the figure is too small to reflect the work.
        let unresolved = points.lastIndex { $0.values.contains { $0 < figure.resolution } }
        fitted = Array(points[(unresolved.map { $0 + 1 } ?? 0)...])
        let fit = PowerLaw(fitted.flatMap { point in point.values.map { (Double(point.records), $0) } })
        self.fit = isProportional ? fit : nil
        verdict = maxExponent.map { isProportional ? GrowthVerdict(fit, maxExponent: $0) : .notJudged }
    }

    /// The sizes at which the figure is too small to reflect the work.
    package var leftOut: [Int] { points.dropLast(fitted.count).map(\.records) }

    /// The exponents between neighbouring sizes: they show where a curve bends.
    var steps: [Step] {
        zip(fitted, fitted.dropFirst()).map { low, high in
            let exponent = log(high.median / low.median) / log(Double(high.records) / Double(low.records))
            return Step(from: low.records, to: high.records, exponent: exponent)
        }
    }

    package var steepest: Step? { steps.max { $0.exponent < $1.exponent } }
}

import Foundation

/// How one figure of one driver in one phase grows with the number of records.
struct GrowthCurve: Sendable {
    /// What was measured at one size.
    struct Point: Sendable {
        let records: Int
        /// One for each repetition that counts.
        let values: [Double]
        let median: Double
        var perRecord: Double { median / Double(records) }
    }

    /// The exponent between two neighbouring sizes, of the medians.
    struct Step: Sendable, Equatable, Encodable {
        let from: Int
        let to: Int
        let exponent: Double
    }

    let figure: GrowthFigure
    /// By size, ascending; sizes at which nothing was measured are not there.
    let points: [Point]
    /// Those that count for the exponent.
    let fitted: [Point]
    /// Nil where there are too few sizes.
    let fit: PowerLaw?
    /// Nil where nothing is demanded.
    let verdict: GrowthVerdict?

    /// - Parameters:
    ///   - rows: Those that count, by size.
    ///   - isProportional: Whether the work grows with the records.
    init(_ figure: GrowthFigure, _ rows: [Int: [ResultRow]], maxExponent: Double?, isProportional: Bool) {
        self.figure = figure
        points = rows.sorted { $0.key < $1.key }.compactMap { records, rows in
            let values = rows.compactMap(figure.column.value)
            return SampleSummary(values).map { Point(records: records, values: values, median: $0.median) }
        }
        // Above the largest size at which the figure is too small to tell of the work.
        let unresolved = points.lastIndex { $0.values.contains { $0 < figure.resolution } }
        fitted = Array(points[(unresolved.map { $0 + 1 } ?? 0)...])
        let fit = PowerLaw(fitted.flatMap { point in point.values.map { (Double(point.records), $0) } })
        self.fit = isProportional ? fit : nil
        verdict = maxExponent.map { isProportional ? GrowthVerdict(fit, maxExponent: $0) : .notJudged }
    }

    /// Sizes at which the figure is too small to tell of the work.
    var leftOut: [Int] { points.dropLast(fitted.count).map(\.records) }

    /// The exponents between neighbouring sizes: where a curve bends, they tell where.
    var steps: [Step] {
        zip(fitted, fitted.dropFirst()).map { low, high in
            let exponent = log(high.median / low.median) / log(Double(high.records) / Double(low.records))
            return Step(from: low.records, to: high.records, exponent: exponent)
        }
    }

    var steepest: Step? { steps.max { $0.exponent < $1.exponent } }
}

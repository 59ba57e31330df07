import Foundation

/// The noise of recorded runs: the factor by which each figure of each repetition differs from its mean.
///
/// With several runs, the mean is that of all runs, so that the noise includes differences between runs.
struct RecordedNoise: Sendable {
    /// A recorded figure and its scatter.
    struct Cell: Sendable {
        var key: ComparisonKey
        var metric: Metric
        var median: Double
        /// The factors of each run.
        var factors: [[Double]]
    }

    let cells: [Cell]
    let runCount: Int

    /// Takes the figures that `options` select.
    init(_ runs: [RecordedRun], _ options: ComparisonOptions) throws(RunError) {
        let sides = runs.map { ComparisonSide([$0]) }
        var cells: [Cell] = []
        for key in sides[0].keys where options.includes(key) {
            let evidence = sides.flatMap { $0.evidence(key) }
            let times = JudgedTimes(evidence, evidence)
            for metric in Metric.all where !metric.isExact && metric.isJudgedByDefault && times.judges(metric) {
                if let cell = Self.cell(sides, key, metric) { cells.append(cell) }
            }
        }
        guard !cells.isEmpty else {
            throw RunError(
                .results,
                "\(runs[0].name): no figure has two verified repetitions; expected at least two, to show the noise")
        }
        self.cells = cells
        runCount = runs.count
    }

    /// Creates noise of a known size: log-normally distributed factors for every figure of `runs`.
    init(_ runs: [RecordedRun], _ options: ComparisonOptions, percent: Double) throws(RunError) {
        let recorded = try Self(runs, options)
        let deviation = percent / 100
        // Quantiles replace random draws: the resampled values have exactly the requested distribution.
        let factors = (0..<2_000).map { exp(deviation * NormalDistribution.quantile((Double($0) + 0.5) / 2_000)) }
        cells = recorded.cells.map { cell in
            var cell = cell
            cell.factors = [factors]
            return cell
        }
        runCount = 1
    }

    private static func cell(_ sides: [ComparisonSide], _ key: ComparisonKey, _ metric: Metric) -> Cell? {
        let values = sides.map { $0.observations(metric, key, relativeTo: nil).map(\.value).filter { $0 > 0 } }
        guard values.allSatisfy({ $0.count > 1 }), let median = SampleSummary(values.flatMap(\.self))?.median
        else { return nil }
        return Cell(key: key, metric: metric, median: median, factors: factors(values))
    }

    /// Returns the factors of values. The mean of n values lies too near to them: sqrt(n / (n - 1)) corrects for that.
    private static func factors(_ values: [[Double]]) -> [[Double]] {
        let logarithms = values.map { $0.map { log($0) } }
        let all = logarithms.flatMap(\.self)
        let mean = all.reduce(0, +) / Double(all.count)
        return logarithms.map { run in
            let scale = (Double(run.count) / Double(run.count - 1)).squareRoot()
            let own = run.reduce(0, +) / Double(run.count)
            return run.map { exp(own - mean + ($0 - own) * scale) }
        }
    }
}

import Foundation

/// The noise of recorded runs: by what factor each figure of each repetition lay off its usual value.
///
/// With several runs each repetition is held against the mean of all, so that what differs between runs is in it too.
struct RecordedNoise: Sendable {
    /// A figure that was recorded, and how it scattered.
    struct Cell: Sendable {
        var key: ComparisonKey
        var metric: Metric
        var median: Double
        /// Factors, for each run.
        var factors: [[Double]]
    }

    let cells: [Cell]
    let runCount: Int

    /// Takes the figures that `options` have judged.
    init(_ runs: [RecordedRun], _ options: ComparisonOptions) throws(RunError) {
        let sides = runs.map { ComparisonSide([$0]) }
        var cells: [Cell] = []
        for key in sides[0].keys where options.includes(key) {
            for metric in Metric.all where !metric.isExact && metric.isJudgedByDefault {
                if let cell = Self.cell(sides, key, metric) { cells.append(cell) }
            }
        }
        guard !cells.isEmpty else {
            throw RunError(
                .results, "\(runs[0].name): no figure has two verified repetitions, so there is no noise to learn from")
        }
        self.cells = cells
        runCount = runs.count
    }

    /// Noise of a known size: factors of a log-normal distribution, for every figure of `runs`.
    init(_ runs: [RecordedRun], _ options: ComparisonOptions, percent: Double) throws(RunError) {
        let recorded = try Self(runs, options)
        let deviation = percent / 100
        // Quantiles in place of draws: what is resampled has exactly the distribution that was asked for.
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

    /// A mean learnt from n values lies too near to them: sqrt(n / (n - 1)) makes up for it.
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

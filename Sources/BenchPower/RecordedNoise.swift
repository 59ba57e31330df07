import BenchHarness
import Foundation

/// The noise of recorded runs: the factor by which each figure of each repetition differs from its mean.
///
/// With several runs, the mean is that of all runs, so that the noise includes differences between runs. Relative to a
/// driver, a figure is the ratio to that driver's in the same repetition.
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
    /// The driver whose figures divide those of the others; nil for figures as they are.
    let baseline: String?

    /// Takes the figures that `options` select.
    init(_ runs: [RecordedRun], _ options: ComparisonOptions) throws(RunError) {
        let sides = runs.map { ComparisonSide([$0]) }
        let baseline = try Self.baseline(sides, options)
        var cells: [Cell] = []
        for key in sides[0].keys where options.includes(key) && key.driver != baseline {
            let evidence = sides.flatMap { $0.evidence(key) }
            let times = JudgedTimes(evidence, evidence)
            for metric in Metric.all where !metric.isExact && times.judges(metric) {
                if let cell = Self.cell(sides, key, metric, baseline) { cells.append(cell) }
            }
        }
        guard !cells.isEmpty else {
            throw RunError(
                .results,
                "\(runs[0].name): no figure has the two verified repetitions that show its noise; run with "
                    + "--repetitions 2 or more")
        }
        self.cells = cells
        self.baseline = baseline
        runCount = runs.count
    }

    private static func baseline(
        _ sides: [ComparisonSide], _ options: ComparisonOptions
    ) throws(RunError) -> String? {
        guard case .relative(let driver) = options.relation else { return nil }
        for side in sides where !side.drivers.contains(driver) {
            throw side.lack(of: driver)
        }
        return driver
    }

    /// Creates noise of a known size: log-normally distributed factors for every figure of `runs`.
    init(_ runs: [RecordedRun], _ options: ComparisonOptions, percent: Double) throws(RunError) {
        let recorded = try Self(runs, options)
        let deviation = percent / 100
        let factors = NormalDistribution.evenQuantiles.map { exp(deviation * $0) }
        cells = recorded.cells.map { cell in
            var cell = cell
            cell.factors = [factors]
            return cell
        }
        runCount = 1
        baseline = recorded.baseline
    }

    private static func cell(
        _ sides: [ComparisonSide], _ key: ComparisonKey, _ metric: Metric, _ baseline: String?
    ) -> Cell? {
        let values = sides.map { $0.observations(metric, key, relativeTo: baseline).map(\.value).filter { $0 > 0 } }
        // The size does not matter to ratios, but that of CPU time relative to the duration does.
        let sizes = sides.flatMap { $0.observations(metric, key, relativeTo: nil).map(\.value) }
        guard values.allSatisfy({ $0.count > 1 }), let median = SampleSummary(sizes)?.median, median > 0
        else { return nil }
        return Cell(key: key, metric: metric, median: median, factors: factors(values))
    }

    private static func factors(_ values: [[Double]]) -> [[Double]] {
        let logarithms = values.map { $0.map { log($0) } }
        let mean = logarithms.flatMap(\.self).mean
        return logarithms.map { run in
            let scatter = Scatter(run)
            return scatter.residuals.map { exp(scatter.mean - mean + $0) }
        }
    }
}

import BenchHarness
import Foundation

/// How the launches of sides that took turns differ: from each other, and from run to run.
struct LaunchNoise: Sendable {
    /// A judged figure of one phase.
    struct Cell: Sendable {
        let place: TurnsFile.Place
        let metric: String
        let threshold: Double
        /// The logarithms of new over base, launch by launch, less their mean; a list for each run.
        var runs: [[Double]]
        /// The difference of each run's mean from that of all runs.
        var drifts: [Double]
    }

    let cells: [Cell]

    /// Takes the figures that `bench ab` judged in these runs, with the thresholds of their scenario if it is known.
    init(_ files: [TurnsFile], _ options: ComparisonOptions, scenario: Scenario? = nil) throws(RunError) {
        let rules = PairedEvidence.Rules(
            test: SequentialTest(launches: 2, figures: 1, alpha: ComparisonOptions.alphaOfTurns),
            thresholds: ComparisonThresholds(
                overrides: options.thresholds, scenario: scenario, defaults: PairedFigure.thresholds))
        let evidence = PairedEvidence(rules: rules)
        let places = files.flatMap { $0.launches.keys }.withoutRepeats
            .filter { options.includes($0.key) }.sorted { ($0.driver, $0.phase) < ($1.driver, $1.phase) }
        var cells: [Cell] = []
        for place in places {
            for figure in place.pinning.figures(ofLoad: false) {
                let runs = files.compactMap { file in Self.logRatios(file, place, figure, rules) }
                    .filter { $0.count >= SequentialTest.fewest }
                guard !runs.isEmpty else { continue }
                let threshold = evidence.threshold(place.key, place.pinning, figure)
                cells.append(Cell(place: place, metric: figure.metric, threshold: threshold, runs))
            }
        }
        guard !cells.isEmpty else {
            throw RunError(
                .results,
                "no phase has the \(SequentialTest.fewest) launches that show its noise; record more with a longer "
                    + "--budget of bench ab")
        }
        self.cells = cells
    }

    /// Replaces what was recorded by normal noise of a known deviation, in percent.
    func replaced(percent: Double) -> LaunchNoise {
        let launches = NormalDistribution.evenQuantiles.map { $0 * percent / 100 }
        return LaunchNoise(
            cells: cells.map { cell in
                var cell = cell
                cell.runs = [launches]
                cell.drifts = [0]
                return cell
            })
    }

    private init(cells: [Cell]) { self.cells = cells }

    /// The standard deviation between launches, the median of all figures, as a share.
    var deviation: Double {
        let deviations = cells.map { cell in
            let all = cell.runs.flatMap(\.self)
            return (all.reduce(0) { $0 + $1 * $1 } / Double(all.count)).squareRoot()
        }
        return SampleSummary(deviations)?.median ?? 0
    }

    private static func logRatios(
        _ file: TurnsFile, _ place: TurnsFile.Place, _ figure: PairedFigure, _ rules: PairedEvidence.Rules
    ) -> [Double]? {
        guard let launches = file.launches[place] else { return nil }
        var evidence = PairedEvidence(rules: rules)
        evidence.add(place.key, phase: 0, place.pinning, launches)
        guard let series = evidence.series(place.key, figure.metric), series.isJudged else { return nil }
        return series.logRatios
    }
}

extension LaunchNoise.Cell {
    fileprivate init(place: TurnsFile.Place, metric: String, threshold: Double, _ recorded: [[Double]]) {
        (self.place, self.metric, self.threshold) = (place, metric, threshold)
        let scatter = recorded.map(Scatter.init)
        let mean = scatter.map(\.mean).mean
        // A single run does not tell a change from a drift.
        drifts = scatter.map { $0.mean - mean }
        runs = scatter.map(\.residuals)
    }
}

extension TurnsFile.Place {
    /// The key in comparisons; the file knows no scenario and no mode.
    var key: ComparisonKey { ComparisonKey(scenario: "", driver: driver, phase: phase, mode: "") }
}

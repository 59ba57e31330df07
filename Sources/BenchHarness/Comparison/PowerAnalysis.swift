import Dispatch
import Foundation

/// The rate of false alarms of a comparison, and how often it catches a slowdown of a given size. The analysis
/// simulates many comparisons with the noise of recorded runs; the code that judges real comparisons judges these too.
public struct PowerAnalysis: Sendable, Encodable {
    /// The settings of the simulation.
    public struct Settings: Sendable {
        /// Repetitions on each side.
        public var repetitions = [5, 7, 10, 15]
        /// Slowdowns of one phase of one driver, in percent.
        public var slowdownsPercent = [1.0, 2, 3, 4, 5, 6, 8, 10, 15]
        /// The number of comparisons without a change, for each number of repetitions.
        public var comparisons = 2_000
        /// The number of comparisons with a slowdown, for each size of slowdown.
        public var comparisonsPerSlowdown = 500
        /// The standard deviation of synthetic noise, in percent; nil takes the recorded noise.
        public var noisePercent: Double?
        /// Seeds the simulation.
        public var seed: UInt64 = 1

        /// Creates settings with the defaults.
        public init() {}
    }

    struct Point: Sendable, Encodable {
        var slowdownPercent: Double
        /// The share of comparisons that called the slowed figure regressed.
        var caught: Double
    }

    struct Curve: Sendable, Encodable {
        var repetitions: Int
        var comparisons: Int
        /// The share of comparisons without a change that called any figure regressed.
        var falseAlarms: Double
        /// The share of comparisons without a change that called any figure improved.
        var falseImprovements: Double
        /// Whether this many repetitions are enough for a verdict.
        var suffices: Bool
        var points: [Point]
    }

    let version = 1
    let figures: Int
    let noise: String
    let thresholdPercent: Double
    let curves: [Curve]

    /// Runs the simulation.
    ///
    /// - Complexity: O(comparisons · figures) for each number of repetitions and each slowdown; all cores are used.
    public init(_ runs: [RecordedRun], options: ComparisonOptions, settings: Settings) throws(RunError) {
        let source =
            if let percent = settings.noisePercent {
                try RecordedNoise(runs, options, percent: percent)
            } else {
                try RecordedNoise(runs, options)
            }
        figures = source.cells.count
        noise = settings.noisePercent.map { "\(Figure.percent($0 / 100)), log-normal" } ?? "as recorded"
        let duration = Metric.all[0]
        thresholdPercent = (options.thresholds[duration.name] ?? duration.threshold) * 100
        var curves: [Curve] = []
        for repetitions in settings.repetitions {
            let simulation = Simulation(source, options, repetitions: repetitions, seed: settings.seed)
            let alarms = try simulation.share(of: settings.comparisons) { $0.isAlarm }
            let improvements = try simulation.share(of: settings.comparisons) { $0.isFalseImprovement }
            var points: [Point] = []
            for percent in settings.slowdownsPercent {
                let caught = try simulation.share(of: settings.comparisonsPerSlowdown, slowdown: percent / 100) {
                    $0.isCaught
                }
                points.append(Point(slowdownPercent: percent, caught: caught))
            }
            let smallest = MannWhitney.smallestP(repetitions, repetitions) * Double(source.cells.count)
            curves.append(
                Curve(
                    repetitions: repetitions, comparisons: settings.comparisons, falseAlarms: alarms,
                    falseImprovements: improvements,
                    suffices: smallest < options.alpha, points: points))
        }
        self.curves = curves
    }

    /// Returns the analysis as a JSON object.
    public func json() throws -> String { String(decoding: try JSONFile.text(self), as: UTF8.self) }

    /// Returns the analysis as tables.
    public func text(isColoured: Bool) -> String {
        let slowdowns = curves.first?.points.map(\.slowdownPercent) ?? []
        var table = TextTable(
            [.right("repetitions"), .right("false alarms")]
                + slowdowns.map { .right("caught at +\(Figure.percent($0 / 100))") })
        for curve in curves {
            let cells = ["\(curve.repetitions)", Figure.percent(curve.falseAlarms)]
            let style: TextTable.Style = curve.suffices ? .plain : .doubtful
            table.append(
                TextTable.Row(cells: cells + curve.points.map { Figure.percent($0.caught) }, style: style))
        }
        let short = curves.filter { !$0.suffices }.map { String($0.repetitions) }
        let shortage =
            short.isEmpty
            ? "" : "With \(short.joined(separator: ", ")) repetitions the verdict is \"insufficient data\".\n"
        return table.text(isColoured: isColoured) + """

            \(figures) figures judged together; noise \(noise); threshold of the duration \(Figure.percent(thresholdPercent / 100)).
            False alarm: a comparison without a change that calls any figure regressed.
            \(shortage)
            """
    }
}

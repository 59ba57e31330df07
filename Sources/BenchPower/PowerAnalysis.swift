import BenchHarness

/// The rate of false alarms of a comparison, and how often it catches a slowdown of a given size. The analysis
/// simulates many comparisons with the noise of recorded runs; the code that judges real comparisons judges these too.
public struct PowerAnalysis: Sendable, Encodable {
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
        /// The share of figures that comparisons without a change called unchanged.
        var unchanged: Double
        /// Whether this many repetitions are enough for a verdict.
        var suffices: Bool
        var points: [Point]
    }

    let version = 1
    /// Where ``MeasuredFalseAlarms`` says that it measured.
    let method = "simulated"
    let figures: Int
    let noise: String
    let thresholdPercent: Double
    let relativeTo: String?
    let curves: [Curve]

    private static let slowdowns = [1.0, 2, 3, 4, 5, 6, 8, 10, 15]

    /// Runs the simulation. With a divisor in `options`, it draws the ratios of the recorded repetitions.
    ///
    /// - Complexity: O(comparisons · figures) for each number of repetitions and each slowdown; all cores are used.
    public init(_ runs: [RecordedRun], options: ComparisonOptions, settings: PowerSettings) throws(RunError) {
        try runs.checkCountOnce()
        let source =
            if let percent = settings.noisePercent {
                try RecordedNoise(runs, options, percent: percent)
            } else {
                try RecordedNoise(runs, options)
            }
        figures = source.cells.count
        noise = Self.words(settings, runs: source.runCount)
        let time = Metric.duration
        thresholdPercent = (options.thresholds[time.name] ?? time.threshold) * 100
        relativeTo = source.baseline
        var curves: [Curve] = []
        for repetitions in settings.repetitions {
            let simulation = Simulation(source, options, repetitions: repetitions, seed: settings.seed)
            curves.append(
                try Self.curve(simulation, repetitions, source.cells.count, options.alphaForRuns, settings))
        }
        self.curves = curves
    }

    private static func curve(
        _ simulation: Simulation, _ repetitions: Int, _ figures: Int, _ alpha: Double, _ settings: PowerSettings
    ) throws(RunError) -> Curve {
        let without = try simulation.results(of: settings.comparisons)
        var points: [Point] = []
        for percent in settings.slowdownsPercent(orElse: slowdowns) {
            let with = try simulation.results(of: settings.comparisonsPerSlowdown, slowdown: percent / 100)
            points.append(Point(slowdownPercent: percent, caught: with.share(\.isCaught)))
        }
        return Curve(
            repetitions: repetitions, comparisons: settings.comparisons, falseAlarms: without.share(\.isAlarm),
            falseImprovements: without.share(\.isFalseImprovement),
            unchanged: without.map(\.unchanged).meanInAnyOrder,
            suffices: MannWhitney.smallestP(repetitions, repetitions) * Double(figures) < alpha, points: points)
    }

    private static func words(_ settings: PowerSettings, runs: Int) -> String {
        if let percent = settings.noisePercent { return "\(Figure.percent(percent / 100)), log-normal" }
        return runs > 1 ? "as recorded, with the differences between \(runs) runs" : "as recorded"
    }

    /// Returns the analysis as a JSON object.
    public func json() throws -> String { String(decoding: try JSONFile.text(self), as: UTF8.self) }
}

extension Sequence {
    /// The share of elements for which a condition holds; 0 of none.
    func share(_ isHit: (Element) -> Bool) -> Double {
        var (hits, count) = (0, 0)
        for element in self {
            count += 1
            if isHit(element) { hits += 1 }
        }
        return Double(hits) / Double(Swift.max(count, 1))
    }
}

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
    /// - Parameters:
    ///   - runs: The recorded runs.
    ///   - options: The thresholds, and the drivers and phases to simulate.
    ///   - settings: The repetitions and the sizes of slowdowns.
    ///   - onProgress: Receives how many comparisons are done, and how many there are. Any thread calls it.
    /// - Throws: A ``/BenchHarness/RunError`` if the runs do not show their noise.
    /// - Complexity: O(comparisons · figures) for each number of repetitions and each slowdown; all cores are used.
    public init(
        _ runs: [RecordedRun], options: ComparisonOptions, settings: PowerSettings,
        onProgress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
    ) throws(RunError) {
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
        // Where no comparison can have a verdict, there is nothing to simulate.
        let suffices = { [figures] (repetitions: Int) in
            MannWhitney.smallestP(repetitions, repetitions) * Double(figures) < options.alphaForRuns
        }
        let count = SimulationCount(
            settings, curves: settings.repetitions.count(where: suffices), slowdowns: Self.slowdowns, onProgress)
        var curves: [Curve] = []
        for repetitions in settings.repetitions {
            guard suffices(repetitions) else {
                curves.append(Curve(withoutVerdicts: repetitions, settings.slowdownsPercent(orElse: Self.slowdowns)))
                continue
            }
            let simulation = Simulation(source, options, repetitions: repetitions, seed: settings.seed)
            curves.append(
                try Self.curve(simulation, repetitions, settings, count))
        }
        self.curves = curves
    }

    private static func curve(
        _ simulation: Simulation, _ repetitions: Int, _ settings: PowerSettings, _ count: SimulationCount
    ) throws(RunError) -> Curve {
        let without = try simulation.results(of: settings.comparisons, count)
        var points: [Point] = []
        for percent in settings.slowdownsPercent(orElse: slowdowns) {
            let with = try simulation.results(
                of: settings.comparisonsPerSlowdown, slowdown: percent / 100, count)
            points.append(Point(slowdownPercent: percent, caught: with.share(\.isCaught)))
        }
        return Curve(
            repetitions: repetitions, comparisons: settings.comparisons, falseAlarms: without.share(\.isAlarm),
            falseImprovements: without.share(\.isFalseImprovement),
            unchanged: without.map(\.unchanged).meanInAnyOrder,
            suffices: true, points: points)
    }

    private static func words(_ settings: PowerSettings, runs: Int) -> String {
        if let percent = settings.noisePercent { return "\(Figure.percent(percent / 100)), log-normal" }
        return runs > 1 ? "as recorded, with the differences between \(runs) runs" : "as recorded"
    }

    /// Returns the analysis as a JSON object.
    public func json() throws -> String { String(decoding: try JSONFile.text(self), as: UTF8.self) }
}

extension PowerAnalysis.Curve {
    /// That of comparisons of which every figure has too little data.
    fileprivate init(withoutVerdicts repetitions: Int, _ slowdownsPercent: [Double]) {
        self.init(
            repetitions: repetitions, comparisons: 0, falseAlarms: 0, falseImprovements: 0, unchanged: 0,
            suffices: false, points: slowdownsPercent.map { PowerAnalysis.Point(slowdownPercent: $0, caught: 0) })
    }
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

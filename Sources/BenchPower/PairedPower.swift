import BenchHarness
import Foundation

/// What `bench ab` catches, and within how many launches: simulations with the noise of recorded turns. The code that
/// judges real launches judges these too.
public struct PairedPower: Sendable, Encodable {
    struct Point: Sendable, Encodable {
        var slowdownPercent: Double
        /// The share of runs that called the slowed figure regressed.
        var caught: Double
        /// The mean number of launches until it had a verdict.
        var launches: Double
        /// The time of these launches; nil if that of one is unknown.
        var minutes: Double?
    }

    struct Curve: Sendable, Encodable {
        /// The most launches that there could be.
        var launches: Int
        var runs: Int
        /// The share of runs without a change that reported one.
        var falseAlarms: Double
        /// The share of figures without a change that were shown to be unchanged.
        var unchanged: Double
        /// The mean number of launches until a figure without a change had a verdict.
        var launchesUnchanged: Double
        var points: [Point]
    }

    let version = 1
    /// The published rate of false alarms is that of the study of the gate, which is measured.
    let method = "simulated"
    let figures: Int
    let noise: String
    let alpha: Double
    let curves: [Curve]

    private static let slowdowns = [1.5, 3, 5, 10]

    /// Runs the simulation.
    ///
    /// - Parameters:
    ///   - turns: CSVs of turns, of one run of `bench ab` or several. Several show how runs differ.
    ///   - options: The thresholds, and the drivers and phases to simulate.
    ///   - settings: The launches and the sizes of slowdowns.
    ///   - onProgress: Receives how many runs are done, and how many there are. Any thread calls it.
    /// - Throws: A ``/BenchHarness/RunError`` if the files hold no turns.
    public init(
        turns: [URL], options: ComparisonOptions, settings: PowerSettings,
        onProgress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
    ) throws(RunError) {
        var files: [TurnsFile] = []
        for url in turns { files.append(try TurnsFile(contentsOf: url)) }
        var sides: [RecordedRun] = []
        for url in turns { sides.append(try Self.side(beside: url)) }
        try sides.checkCountOnce()
        let manifests = sides.compactMap(\.manifest)
        let recorded = try LaunchNoise(files, options, scenario: manifests.first?.scenario)
        let source = settings.noisePercent.map(recorded.replaced) ?? recorded
        let alpha = options.alphaForTurns
        self.alpha = alpha
        let between =
            files.count > 1 && settings.noisePercent == nil ? ", and the differences between \(files.count) runs" : ""
        noise = "\(Figure.percent(source.deviation)) between launches\(between)"
        let minutes = SampleSummary(manifests.compactMap { $0.turns?.secondsPerLaunch.map { $0 / 60 } })?.median
        let simulations = Self.launches(settings, manifests).map { launches in
            PairedSimulation(source, launches: launches, alpha: alpha, seed: settings.seed)
        }
        figures = simulations.first?.test.figures ?? 0
        let count = SimulationCount(settings, curves: simulations.count, slowdowns: Self.slowdowns, onProgress)
        curves = simulations.map { Self.curve($0, $0.test.launches, minutes, settings, count) }
    }

    /// Returns one of the two sides whose turns a file has, which tells of the run; without it, a run of which nothing
    /// but the file of turns is known.
    private static func side(beside turns: URL) throws(RunError) -> RecordedRun {
        let side = turns.deletingLastPathComponent().appendingPathComponent("base.csv")
        return FileManager.default.fileExists(atPath: side.path)
            ? try RecordedRun(contentsOf: side) : RecordedRun(url: turns, rows: [], manifest: nil)
    }

    private static func launches(_ settings: PowerSettings, _ manifests: [Manifest]) -> [Int] {
        if !settings.launches.isEmpty { return settings.launches }
        let recorded = manifests.compactMap { $0.turns?.launches }.max() ?? PairedRequest.defaultLaunches
        return [24, recorded].withoutRepeats.sorted()
    }

    private static func curve(
        _ simulation: PairedSimulation, _ launches: Int, _ minutes: Double?, _ settings: PowerSettings,
        _ count: SimulationCount
    ) -> Curve {
        let without = simulation.results(of: settings.comparisons, count)
        let points = settings.slowdownsPercent(orElse: slowdowns).map { percent in
            let with = simulation.results(
                of: settings.comparisonsPerSlowdown, slowdown: percent / 100, count)
            let mean = with.map { Double($0.launches) }.meanInAnyOrder
            return Point(
                slowdownPercent: percent, caught: with.share(\.isCaught), launches: mean,
                minutes: minutes.map { $0 * mean })
        }
        return Curve(
            launches: launches, runs: settings.comparisons, falseAlarms: without.share(\.isAlarm),
            unchanged: without.map(\.unchanged).meanInAnyOrder,
            launchesUnchanged: without.map { Double($0.launches) }.meanInAnyOrder,
            points: points)
    }

    /// Returns the analysis as a JSON object.
    public func json() throws -> String { String(decoding: try JSONFile.text(self), as: UTF8.self) }

    /// Returns the analysis as a table that fits into `width`.
    public func text(isColoured: Bool, width: Int? = nil) -> String {
        table.text(isColoured: isColoured, width: width) + """

            Simulated, not measured: \(figures) figures; noise \(noise); alpha \(Figure.probability(alpha)) for all figures of a run.
            False alarm: a simulated run without a change that reports any.
            Unchanged: the share of figures that such runs show to be so.
            Beside each share stands the mean number of launches until the verdict.
            The minutes are those of the slowed phase alone.

            """
    }

    private var table: TextTable {
        .power(
            ("launches", curves.map(\.launches)),
            without: [
                ("false alarms", curves.map { Figure.percent($0.falseAlarms) }),
                ("unchanged", curves.map { Self.share($0.unchanged, in: $0.launchesUnchanged) }),
            ],
            slowdowns: (curves.first?.points ?? []).indices.map { place in
                let points = curves.map { $0.points[place] }
                return (points[0].slowdownPercent, points.map(Self.caught))
            })
    }

    private static func caught(_ point: Point) -> String {
        let minutes = point.minutes.map { String(format: ", %.1f min", $0) } ?? ""
        return share(point.caught, in: point.launches) + minutes
    }

    private static func share(_ share: Double, in launches: Double) -> String {
        "\(Figure.percent(share)) in \(String(format: "%.1f", launches))"
    }
}

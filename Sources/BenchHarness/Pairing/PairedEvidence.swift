import Foundation

/// The figures of two sides that took turns, launch by launch.
struct PairedEvidence: Sendable {
    /// How figures are judged.
    struct Rules: Sendable {
        let test: SequentialTest
        let thresholds: ComparisonThresholds
    }

    /// One figure of one phase.
    struct Series: Sendable {
        /// The logarithms of new over base, one for each launch.
        var logRatios: [Double] = []
        /// Whether it is judged, or shown only.
        var isJudged = true
        var verdict: Verdict?
        /// How many launches would do, where there is no verdict.
        var launchesNeeded: Int?
        /// What a launch took on average.
        var secondsOfLaunch = 0.0
    }

    let rules: Rules
    private var series: [ComparisonKey: [String: Series]] = [:]

    init(rules: Rules) {
        self.rules = rules
    }

    func series(_ key: ComparisonKey, _ metric: String) -> Series? { series[key]?[metric] }

    /// Whether every figure that is judged has a verdict.
    func isDecided(_ key: ComparisonKey) -> Bool {
        guard let figures = series[key] else { return false }
        return figures.values.allSatisfy { $0.verdict != nil || !$0.isJudged }
    }

    /// Takes in a phase of several launches.
    mutating func add(_ key: ComparisonKey, _ launches: [(launch: Launch, phase: Int)]) {
        guard !launches.isEmpty else { return }
        for figure in PairedFigure.all {
            var series = Series()
            series.logRatios = launches.compactMap { $0.launch.logRatio(ofPhase: $0.phase, figure.value) }
            series.isJudged = figure.metric != "duration" || Self.waitsInQuiet(launches)
            series.secondsOfLaunch = launches.reduce(0) { $0 + $1.launch.seconds } / Double(launches.count)
            let threshold = rules.thresholds.share(of: figure.metric, phase: key.phase) ?? figure.threshold
            series.verdict = rules.test.verdict(series.logRatios, threshold: threshold)
            if series.verdict == nil {
                series.launchesNeeded = rules.test.launchesNeeded(series.logRatios, threshold: threshold)
            }
            self.series[key, default: [:]][figure.metric] = series
        }
    }

    /// A phase that works all the time takes as long as its CPU time and what others took from it. One that waits for
    /// storage or for others has a time of its own, which means something when nothing else ran.
    private static func waitsInQuiet(_ launches: [(launch: Launch, phase: Int)]) -> Bool {
        let turns = launches.flatMap { $0.launch.quads[$0.phase] ?? [] }.flatMap(\.base)
        let work = turns.reduce(0.0) { $0 + Double($1.cpu) }
        let time = turns.reduce(0.0) { $0 + Double($1.duration) }
        return work < busyShare * time && launches.allSatisfy { $0.launch.pressure.map { $0 < quietPressure } ?? false }
    }

    private static let busyShare = 0.7
    /// The share of the time in which something on the machine waited for a core.
    private static let quietPressure = 0.05
}

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
        /// The share by which the figure may change.
        var threshold = 0.0
        /// Whether it is judged, or shown only.
        var isJudged = true
        /// Why it is not judged, if a reader might expect it to be.
        var disturbance: Disturbance?
        /// Whether further launches can make it judged.
        var mayBeJudgedLater = false
        var verdict: Verdict?
        /// How many launches would do, where there is no verdict.
        var launchesNeeded: Int?
        /// What a launch took on average.
        var secondsOfLaunch = 0.0

        var isDecided: Bool { isJudged ? verdict != nil : !mayBeJudgedLater }
    }

    let rules: Rules
    private var series: [ComparisonKey: [String: Series]] = [:]

    init(rules: Rules) {
        self.rules = rules
    }

    func series(_ key: ComparisonKey, _ metric: String) -> Series? { series[key]?[metric] }

    /// What is not judged although a reader might expect it to be, by the reason for that.
    var notJudged: [(reason: String, figures: [String])] {
        var groups: [Disturbance.Kind: (disturbances: [Disturbance], figures: [String])] = [:]
        for (key, own) in series {
            for (metric, series) in own {
                guard let disturbance = series.disturbance else { continue }
                groups[disturbance.kind, default: ([], [])].disturbances.append(disturbance)
                groups[disturbance.kind]?.figures.append("\(key.phase) of \(key.driver): \(metric)")
            }
        }
        return groups.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { ($1.disturbances.worst?.text ?? "", $1.figures.sorted()) }
    }

    /// Whether every figure that is judged has a verdict.
    func isDecided(_ key: ComparisonKey) -> Bool {
        guard let figures = series[key] else { return false }
        return figures.values.allSatisfy(\.isDecided)
    }

    /// Takes in the launches of a bout.
    mutating func add(_ bout: Bout, _ launches: [Launch]) {
        guard !launches.isEmpty else { return }
        for phase in bout.judgedPhases {
            for figure in bout.figures {
                series[bout.key(phase), default: [:]][figure.metric] = makeSeries(bout, phase, figure, launches)
            }
        }
    }

    private func makeSeries(_ bout: Bout, _ phase: Int, _ figure: PairedFigure, _ launches: [Launch]) -> Series {
        var series = Series()
        series.threshold = threshold(bout, phase, figure)
        var used = launches
        if bout.pinning == .all {
            used = Self.judgeOnAllCores(launches, &series)
        } else if figure.metric == "duration" {
            Self.judgeDuration(phase, launches, &series)
        }
        series.secondsOfLaunch = launches.reduce(0) { $0 + $1.seconds } / Double(launches.count)
        series.logRatios = used.compactMap { $0.logRatio(ofPhase: phase, figure.value) }
        series.verdict = rules.test.verdict(series.logRatios, threshold: series.threshold)
        if series.verdict == nil {
            series.launchesNeeded = rules.test.launchesNeeded(series.logRatios, threshold: series.threshold)
        }
        return series
    }

    private func threshold(_ bout: Bout, _ phase: Int, _ figure: PairedFigure) -> Double {
        let share = rules.thresholds.share(of: figure.metric, phase: bout.key(phase).phase) ?? figure.threshold
        // What is said of durations in general is said of those on one core.
        return bout.pinning == .all ? max(share, figure.threshold) : share
    }

    /// A phase that works all the time takes as long as its CPU time and what others took from it. One that waits for
    /// storage or for others has a time of its own, which means something when nothing else ran.
    private static func judgeDuration(_ phase: Int, _ launches: [Launch], _ series: inout Series) {
        let turns = launches.flatMap { $0.quads[phase] ?? [] }.flatMap(\.base)
        let work = turns.reduce(0.0) { $0 + Double($1.cpu) }
        let time = turns.reduce(0.0) { $0 + Double($1.duration) }
        series.isJudged = false
        guard work < busyShare * time else { return }
        series.disturbance = launches.compactMap(\.surroundings.disturbance).worst
        series.isJudged = series.disturbance == nil
    }

    /// Judges by the launches in which the machine was quiet, if most of them are.
    ///
    /// - Returns: The launches to show, or to judge by.
    private static func judgeOnAllCores(_ launches: [Launch], _ series: inout Series) -> [Launch] {
        let quiet = launches.filter { $0.surroundings.disturbanceOfAllCores == nil }
        let isMostlyQuiet = quiet.count * 2 > launches.count
        series.isJudged = isMostlyQuiet && quiet.count >= SequentialTest.fewest
        if series.isJudged { return quiet }
        let isKnown = launches.allSatisfy { $0.surroundings.othersCores != nil }
        series.mayBeJudgedLater = isKnown && (isMostlyQuiet || launches.count < SequentialTest.fewest)
        series.disturbance =
            isMostlyQuiet
            ? Disturbance(kind: .fewLaunches) : launches.compactMap(\.surroundings.disturbanceOfAllCores).worst
        return launches
    }

    private static let busyShare = 0.7
}

import Foundation

/// The figures of two sides that took turns, launch by launch.
package struct PairedEvidence: Sendable {
    /// How figures are judged.
    package struct Rules: Sendable {
        package let test: SequentialTest
        package let thresholds: ComparisonThresholds
        var accepted = AcceptedSlowdowns()

        package init(
            test: SequentialTest, thresholds: ComparisonThresholds, accepted: AcceptedSlowdowns = AcceptedSlowdowns()
        ) {
            self.test = test
            self.thresholds = thresholds
            self.accepted = accepted
        }
    }

    /// One figure of one phase.
    package struct Series: Sendable {
        /// The logarithms of new over base, one for each launch.
        package var logRatios: [Double] = []
        /// The share by which the figure may change.
        var threshold = 0.0
        /// Whether it is judged, or shown only.
        package var isJudged = true
        /// Why it is not judged, if a reader might expect it to be.
        var disturbance: Disturbance?
        /// Whether further launches can make it judged.
        var mayBeJudgedLater = false
        var verdict: Verdict?
        /// How many launches would do, where there is no verdict.
        var launchesNeeded: Int?
        /// What a launch took; nil if that is not recorded.
        var secondsOfLaunch: Double?
        /// Why there were no turns; nil if there were some.
        var obstacle: String?
        /// The step of a clock that is too coarse to show a change of the threshold, in nanoseconds; nil for others.
        var coarseTick: Int?
        /// Whether such a clock shows no change, which no further launch tells from a small one.
        var isHidden = false

        /// The least change that launches which scatter like these are likely to tell, as a share; nil for too few.
        var leastChange: Double? {
            guard logRatios.count >= SequentialTest.fewest, let mean = TrimmedMean(logRatios) else { return nil }
            return exp(log(1 + threshold) + SequentialTest.errorsToDecide * mean.standardError) - 1
        }

        /// Whether no further launch is needed.
        var isDecided: Bool { isJudged ? verdict != nil || isHidden : !mayBeJudgedLater }
    }

    let rules: Rules
    /// What no launch was left for: it is open, and nothing that passes.
    private(set) var unlaunched: [ComparisonKey] = []
    /// What has regressed on one core, so that it needed no launch on all of them.
    private(set) var needless: [ComparisonKey] = []
    private var series: [ComparisonKey: [String: Series]] = [:]

    package init(rules: Rules) {
        self.rules = rules
    }

    package func series(_ key: ComparisonKey, _ metric: String) -> Series? { series[key]?[metric] }

    /// Every figure of a phase.
    func figures(_ key: ComparisonKey) -> [Series] { series[key].map { Array($0.values) } ?? [] }

    /// What is not judged although a reader might expect it to be, by the reason for that.
    var notJudged: [(reason: String, figures: [String])] {
        var groups: [Disturbance.Kind: (disturbances: [Disturbance], figures: [String])] = [:]
        for (key, own) in series {
            for (metric, series) in own {
                guard let disturbance = series.disturbance, !series.mayBeJudgedLater else { continue }
                groups[disturbance.kind, default: ([], [])].disturbances.append(disturbance)
                groups[disturbance.kind]?.figures.append("\(key.phase) of \(key.driver): \(metric)")
            }
        }
        return groups.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { ($1.disturbances.worst?.text ?? "", $1.figures.sorted()) }
    }

    /// Whether a phase has launches of its own, or was to have some.
    func isLaunched(_ key: ComparisonKey) -> Bool {
        series[key] != nil || unlaunched.contains(key) || needless.contains(key)
    }

    /// Whether every figure that is judged has a verdict.
    func isDecided(_ key: ComparisonKey) -> Bool {
        guard let figures = series[key] else { return false }
        return figures.values.allSatisfy(\.isDecided)
    }

    /// Whether a figure has become worse.
    func hasRegressed(_ key: ComparisonKey) -> Bool {
        series[key]?.values.contains { $0.isJudged && $0.verdict == .regressed } ?? false
    }

    /// Takes in which phases on all cores had no launch, after those of one core. What could not be done on one core
    /// has nothing to show on several.
    mutating func noteUnlaunched(_ keys: [ComparisonKey]) {
        for key in keys {
            if hasRegressed(key.onOneCore) {
                needless.append(key)
            } else if series[key.onOneCore]?.values.contains(where: { !$0.logRatios.isEmpty }) == true {
                unlaunched.append(key)
            }
        }
    }

    /// Takes in the launches of a bout.
    mutating func add(_ bout: Bout, _ launches: [Launch]) {
        guard !launches.isEmpty else { return }
        for phase in bout.judgedPhases { add(bout.key(phase), phase: phase, bout.pinning, launches) }
    }

    /// Takes in a phase of launches, by its index in them. One in which a turn had a wrong result shows nothing.
    package mutating func add(_ key: ComparisonKey, phase: Int, _ pinning: Bout.Pinning, _ all: [Launch]) {
        let launches = all.filter(\.isRight)
        // A build from before there were response times of turns sends none.
        let haveResponses = Side.allCases.allSatisfy { side in
            launches.contains { $0.quads(ofPhase: phase, showing: .duration).contains { $0.hasResponses(side) } }
        }
        let seesServer = launches.contains { $0.turns(ofPhase: phase, showing: .server).contains { $0.server != nil } }
        for figure in pinning.figures(ofLoad: haveResponses, seesServer: seesServer) {
            let accepted = rules.accepted.share(key)
            var series = judgedSeries(key, phase: phase, pinning, figure, launches)
            if figure.metric == PairedFigure.cpu.metric {
                series.doubtBy(launches.flatMap { $0.turns(ofPhase: phase, showing: figure) }, accepted)
            }
            if series.verdict == nil {
                series.launchesNeeded = rules.test.launchesNeeded(
                    series.logRatios, threshold: series.threshold, accepted: accepted)
            }
            self.series[key, default: [:]][figure.metric] = series
        }
    }

    /// Returns the series of a figure, with its verdict if it has one. A duration is judged by launches on a quiet
    /// machine: once it has a verdict by these, a machine that is busy later does not take it back.
    private func judgedSeries(
        _ key: ComparisonKey, phase: Int, _ pinning: Bout.Pinning, _ figure: PairedFigure, _ launches: [Launch]
    ) -> Series {
        let whole = judge(key, phase: phase, pinning, figure, launches)
        guard figure.isByClock, !whole.isJudged, pinning == .all || Self.waits(phase, launches) else { return whole }
        let looks = SequentialTest.looks(of: launches.count - 1)
        return looks.lazy.map { judge(key, phase: phase, pinning, figure, Array(launches.prefix($0))) }
            .first { $0.isJudged && $0.verdict != nil } ?? whole
    }

    private func judge(
        _ key: ComparisonKey, phase: Int, _ pinning: Bout.Pinning, _ figure: PairedFigure, _ launches: [Launch]
    ) -> Series {
        var series = makeSeries(phase, pinning, figure, launches)
        series.threshold = threshold(key, pinning, figure)
        series.verdict =
            rules.test.decision(
                series.logRatios, threshold: series.threshold, accepted: rules.accepted.share(key),
                takesFew: !figure.isByClock)?.verdict
        return series
    }

    private func makeSeries(
        _ phase: Int, _ pinning: Bout.Pinning, _ figure: PairedFigure, _ launches: [Launch]
    ) -> Series {
        var series = Series()
        var used = launches
        if figure.isByClock {
            if pinning == .all || Self.waits(phase, launches) {
                used = Self.judgeByQuiet(launches, &series)
            } else {
                series.isJudged = false
            }
        }
        series.obstacle =
            launches.isEmpty
            ? "no launch has a right result on both sides" : launches.lazy.compactMap(\.obstacle).first
        series.secondsOfLaunch = SampleSummary(launches.compactMap(\.seconds))?.median
        series.logRatios = used.compactMap { $0.logRatio(ofPhase: phase, figure) }
        if series.obstacle == nil, series.logRatios.isEmpty, !used.isEmpty, PairedFigure.isResponse(figure.metric) {
            series.obstacle = "dropped or failed operations leave it without a bound"
        }
        return series
    }

    package func threshold(_ key: ComparisonKey, _ pinning: Bout.Pinning, _ figure: PairedFigure) -> Double {
        let share = rules.thresholds.share(of: figure.metric, phase: key.phase) ?? figure.threshold
        // What is said of durations in general is said of those on one core.
        return pinning == .all ? max(share, figure.threshold) : share
    }

    /// A phase that works all the time takes as long as its CPU time and what others took from it. One that waits for
    /// storage or for others has a time of its own, which means something when nothing else ran. A new side that has
    /// begun to wait shows it in nothing else.
    static func waits(_ phase: Int, _ launches: [Launch]) -> Bool {
        let quads = launches.flatMap { $0.quads(ofPhase: phase, showing: .duration) }
        return JudgedTimes.waits(base: quads.flatMap(\.base).busyShare, new: quads.flatMap(\.new).busyShare)
    }

    /// Judges by the launches in which the machine was quiet, if most of them are.
    ///
    /// - Returns: The launches to show, or to judge by.
    private static func judgeByQuiet(_ launches: [Launch], _ series: inout Series) -> [Launch] {
        guard !launches.isEmpty else { return [] }
        let quiet = launches.filter { $0.surroundings.disturbance == nil }
        let isMostlyQuiet = quiet.count * 2 > launches.count
        series.isJudged = isMostlyQuiet && quiet.count >= SequentialTest.fewest
        if series.isJudged { return quiet }
        let isKnown = launches.allSatisfy { $0.surroundings.othersCores != nil }
        series.mayBeJudgedLater = isKnown && (isMostlyQuiet || launches.count < SequentialTest.fewest)
        series.disturbance =
            isMostlyQuiet
            ? Disturbance(kind: .fewLaunches) : launches.compactMap(\.surroundings.disturbance).worst
        return launches
    }
}

extension PairedEvidence.Series {
    /// Takes back that nothing changed if the clock of CPU time could not have shown it: changes within its step are
    /// no changes of what it counts.
    fileprivate mutating func doubtBy(_ turns: [Turn], _ accepted: Double?) {
        let limit = verdict == .accepted ? max(threshold, accepted ?? 0) : threshold
        guard let tick = turns.tick, let time = SampleSummary(turns.map { Double($0.cpu) })?.median,
            Double(tick) > limit * time
        else { return }
        coarseTick = tick
        guard verdict == .unchanged || verdict == .accepted else { return }
        (verdict, isHidden) = (nil, true)
    }
}

extension Quad {
    /// Whether the turns of a side show response times.
    fileprivate func hasResponses(_ side: Side) -> Bool { turns(of: side).contains { $0.responses?.p50 != nil } }
}

extension [Turn] {
    /// The least step of a clock that counts in steps, as in some sandboxes.
    private static let coarse = 100_000

    /// The step in which the clock of CPU time counts, in nanoseconds; nil for a fine one.
    var tick: Int? {
        var step = 0
        for turn in self {
            var other = turn.cpu
            while other != 0 { (step, other) = (other, step % other) }
            if step != 0, step < Self.coarse { return nil }
        }
        return step == 0 ? nil : step
    }

    /// CPU time over the time by the clock.
    var busyShare: Double {
        let work = reduce(0.0) { $0 + Double($1.cpu) }
        let time = reduce(0.0) { $0 + Double($1.duration) }
        return time > 0 ? work / time : 1
    }
}

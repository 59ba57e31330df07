import Foundation

/// Gives each figure its verdict.
struct Judge {
    private(set) var judgements: [Judgement] = []
    private(set) var notes: [String] = []
    /// The number of measured figures under test.
    private(set) var testCount = 0

    let context: ComparisonContext
    private let noise: NoiseRecord?
    let paired: PairedEvidence?

    /// - Parameter paired: What sides that took turns came to; nil for runs that were made one after the other.
    init(_ context: ComparisonContext, noise: NoiseRecord?, paired: PairedEvidence? = nil) {
        self.context = context
        self.noise = noise
        self.paired = paired
        for key in joinedKeys() {
            if let paired, paired.unlaunched.contains(key) {
                judgements.append(Judgement(unlaunched: key, paired))
                continue
            }
            let times = JudgedTimes(context.base.evidence(key), context.new.evidence(key))
            if times.speed == nil { noteRates(key) }
            for metric in Metric.all { add(key, metric, times) }
        }
        noteDrivers()
        correct()
        for index in judgements.indices where judgements[index].isTested { conclude(&judgements[index]) }
        if let change = MachineChange(context), change.p < alpha { notes.append(change.text) }
    }

    /// Returns the keys of both sides phase by phase, in the order of the base, for the drivers of the base: one that
    /// the new runs lack is missing, and one that only they have has nothing to be compared with.
    private func joinedKeys() -> [ComparisonKey] {
        let (base, new) = (context.base, context.new)
        let keys = (base.keys + new.keys + (paired?.unlaunched ?? [])).withoutRepeats
        return keys.map(\.phase).withoutRepeats
            .flatMap { phase in keys.filter { $0.phase == phase }.byDriver }
            .filter { base.drivers.contains($0.driver) && context.options.includes($0) }
    }

    private var alpha: Double { context.options.alphaForRuns }

    private mutating func noteRates(_ key: ComparisonKey) {
        notes.append("not judged: \(key.phase) of \(key.driver) ran at several rates, so its times cannot be compared")
    }

    private mutating func noteDrivers() {
        let (base, new) = (context.base.drivers, context.new.drivers)
        for driver in base.subtracting(new).sorted() {
            notes.append("\(driver) is in the base only; --driver D compares the drivers named")
        }
        for driver in new.subtracting(base).sorted() { notes.append("\(driver) is in the new runs only") }
    }
}

// MARK: - One figure

extension Judge {
    private mutating func add(_ key: ComparisonKey, _ metric: Metric, _ times: JudgedTimes) {
        let base = context.base.observations(metric, key, relativeTo: context.baseline)
        let new = context.new.observations(metric, key, relativeTo: context.baseline)
        let isWanted = isWanted(metric, key, times)
        guard !base.isEmpty || !new.isEmpty || (isWanted && metric.name == times.speed?.name) else { return }
        var judgement = Judgement(key, metric, threshold: context.thresholds.share(metric, phase: key.phase))
        judgement.isRelative = context.baseline != nil && !metric.isExact
        judgement.alpha = paired?.rules.test.alpha ?? alpha
        judgement.base = SampleSummary(base.map(\.value))
        judgement.new = SampleSummary(new.map(\.value))
        if let median = judgement.base?.median, median > 0 {
            judgement.ratio = judgement.new.map { $0.median / median }
        }
        if let series = paired?.series(key, metric.name) {
            judgement.threshold = series.threshold
            judge(&judgement, paired: series)
        } else {
            judge(&judgement, base, new, times)
        }
        judgements.append(judgement)
    }

    private func isWanted(_ metric: Metric, _ key: ComparisonKey, _ times: JudgedTimes) -> Bool {
        let options = context.options
        if key.driver == context.baseline, !metric.isExact { return false }
        // Workers that share a core wait for each other: response times are those of all cores.
        if PairedFigure.isResponse(metric.name), paired?.isLaunched(key.onAllCores) == true { return false }
        if options.moreMetrics.contains(metric.name) { return true }
        // What a launch's rehearsal records besides is that of one repetition at a small scale.
        if paired != nil, !metric.isExact { return false }
        return times.judges(metric) && !options.judgesOnlyNamed && (!metric.isExact || options.judgesCounters)
    }

    private func judge(
        _ judgement: inout Judgement, _ base: [ComparisonSide.Observation], _ new: [ComparisonSide.Observation],
        _ times: JudgedTimes
    ) {
        guard isWanted(judgement.metric, judgement.key, times) else {
            if judgement.key.driver == context.baseline { judgement.reason = "the baseline of the ratios" }
            return
        }
        if let reason = missingBounds(judgement.key, judgement.metric) {
            (judgement.verdict, judgement.reason) = (.insufficientData, reason)
            return
        }
        guard !base.isEmpty, !new.isEmpty else {
            judgement.verdict = .insufficientData
            judgement.reason = absence(judgement.key, isOfBase: base.isEmpty)
            return
        }
        if times.newHasOtherRates, judgement.metric.name == times.speed?.name {
            judgement.verdict = .insufficientData
            judgement.reason = "the new runs had other rates, so the times cannot be compared"
            return
        }
        if judgement.metric.isExact { count(&judgement) } else { test(&judgement, base, new) }
    }

    /// Returns why a percentile cannot be judged: without a bound in some repetitions, it is not that of the others.
    /// Nil if it can.
    private func missingBounds(_ key: ComparisonKey, _ metric: Metric) -> String? {
        guard FigureColumn.responsePercentiles.contains(where: { $0.column == metric.column }) else { return nil }
        let counts = [context.base, context.new].map { side in
            side.evidence(key).count { $0.hasUnanswered && $0.values[metric.index] == nil }
        }
        guard counts != [0, 0] else { return nil }
        return "dropped or failed operations leave it without a bound in \(counts[0]) repetitions of the base and "
            + "\(counts[1]) of the new runs"
    }

    /// Returns why a side has no value.
    private func absence(_ key: ComparisonKey, isOfBase: Bool) -> String {
        let (side, name) = isOfBase ? (context.base, "base") : (context.new, "new runs")
        guard side.drivers.contains(key.driver) else { return "the \(name) \(isOfBase ? "lacks" : "lack") the driver" }
        guard !side.evidence(key).isEmpty else { return "no verified repetition in the \(name)" }
        let divisor = context.baseline.map { " beside that of \($0)" } ?? ""
        return "no repetition in the \(name) has this figure\(divisor)"
    }

    private func test(
        _ judgement: inout Judgement, _ base: [ComparisonSide.Observation], _ new: [ComparisonSide.Observation]
    ) {
        judgement.noiseFloor = noise?.floor(
            judgement.key, judgement.metric, relativeTo: judgement.isRelative ? context.baseline : nil)
        let test = SampleTest(base, new, pairing: context.options.pairing)
        judgement.p = test.p
        judgement.smallestP = test.smallestP
        judgement.ratio = test.ratio ?? judgement.ratio
        judgement.interval = test.interval
        judgement.hasZeros = test.ratio == nil
        judgement.isTested = true
    }
}

// MARK: - Exact counters

extension Judge {
    private func count(_ judgement: inout Judgement) {
        guard let base = judgement.base, let new = judgement.new else { return }
        if let reason = inexactness(judgement) {
            judgement.reason = reason
            return
        }
        let room = 1 + judgement.threshold
        if base.min == new.min, base.median == new.median, base.max == new.max {
            judgement.verdict = .unchanged
        } else if new.max <= base.min * room, base.max <= new.min * room {
            judgement.verdict = .unchanged
            judgement.reason = "changed, within its threshold"
        } else if new.min > base.max * room {
            judgement.verdict = .regressed
            judgeAccepted(&judgement, base, new)
        } else if new.max * room < base.min {
            judgement.verdict = .improved
        } else {
            judgement.verdict = .inconclusive
            judgement.reason = "it varies from repetition to repetition"
        }
    }

    /// Returns why a counter is not exact here; nil if it is.
    private func inexactness(_ judgement: Judgement) -> String? {
        let rows = context.base.evidence(judgement.key) + context.new.evidence(judgement.key)
        if rows.contains(where: \.isConcurrent) {
            return "the counters of writers that take turns in no fixed order vary"
        }
        if rows.contains(where: \.isCancelled) { return "cancelled work does not stop at the same place each time" }
        guard judgement.metric.isLibrarys else { return nil }
        let versions = Set(
            (context.base.runs + context.new.runs).compactMap {
                $0.manifest?.property("sqlite_version", of: judgement.key.driver)
            })
        return versions.count < 2 ? nil : "SQLite \(versions.sorted().joined(separator: " and ")) count differently"
    }
}

// MARK: - All figures together

extension Judge {
    /// Applies Holm's correction to all tests.
    private mutating func correct() {
        let tested = judgements.indices.filter { judgements[$0].isTested }
        testCount = tested.count
        for (index, p) in zip(tested, Holm.adjusted(tested.map { judgements[$0].p ?? 1 })) {
            judgements[index].adjustedP = p
        }
    }

    private func conclude(_ judgement: inout Judgement) {
        guard judgement.smallestP * Double(testCount) < alpha else {
            judgement.verdict = .insufficientData
            judgement.reason = shortage(judgement, "to judge " + Figure.count(testCount, "figure"))
            return
        }
        if let verdict = verdictOnZero(judgement) {
            (judgement.verdict, judgement.reason) = (verdict, "it is zero throughout on one side")
            // A clock that ticks shows no time of what ends within a tick.
            if judgement.metric.isTime {
                judgement.verdict = .inconclusive
                judgement.reason += ", as the clock shows it: a change of less than its step looks the same"
            }
            return
        }
        guard let interval = judgement.worseningInterval, let p = judgement.adjustedP else {
            judgement.verdict = .inconclusive
            judgement.reason =
                judgement.hasZeros
                ? "values that are zero have no ratio" : shortage(judgement, "for an interval of the ratio")
            return
        }
        judgement.acceptedShare = acceptedShare(of: judgement)
        judgement.verdict = verdict(judgement, p, interval)
        giveReason(&judgement)
        if judgement.verdict == .inconclusive, interval.isWithin(judgement.limit) {
            judgement.reason = "within the recorded noise of \(Figure.percent(judgement.limit))"
        }
        if judgement.metric.isOfSpeed {
            judgement.smallestSlowdown = Sensitivity.smallestSlowdown(judgement, alpha: alpha, tests: testCount)
        }
        if let reason = doubt(about: judgement) { (judgement.verdict, judgement.reason) = (.inconclusive, reason) }
        if judgement.verdict == .inconclusive, judgement.reason.isEmpty, paired == nil {
            judgement.remedy = Sensitivity.whatWouldDecide([judgement])
        }
    }

    /// Returns the verdict on a figure that was tested, by its p and the interval of its worsening.
    private func verdict(_ judgement: Judgement, _ p: Double, _ interval: ClosedRange<Double>) -> Verdict {
        let limit = 1 + judgement.limit
        if p < alpha, interval.lowerBound > 1 + judgement.worstLimit { return .regressed }
        if p < alpha, interval.upperBound < 1 / limit { return .improved }
        if interval.isWithin(judgement.threshold) { return .unchanged }
        guard let accepted = judgement.acceptedShare else { return .inconclusive }
        return interval.isWithin(judgement.threshold, worse: accepted) ? .accepted : .inconclusive
    }

    /// Returns the verdict on a figure that is zero throughout on one side and never on the other, which no share of
    /// zero describes; nil for any other figure.
    private func verdictOnZero(_ judgement: Judgement) -> Verdict? {
        guard judgement.hasZeros, let p = judgement.adjustedP, p < alpha, let base = judgement.base,
            let new = judgement.new
        else { return nil }
        let rises = base.max == 0 && new.min > 0
        guard rises || (new.max == 0 && base.min > 0) else { return nil }
        return rises == judgement.metric.isHigherBetter ? .improved : .regressed
    }

    /// Returns which data is too scarce, for which purpose, and how much is enough.
    private func shortage(_ judgement: Judgement, _ purpose: String) -> String {
        let counts = [judgement.base?.count ?? 0, judgement.new?.count ?? 0]
        let isPaired = context.options.pairing == .paired
        let have = isPaired ? "\(counts.min() ?? 0) pairs" : "\(counts[0]) against \(counts[1]) repetitions"
        let fix = countNeeded(isPaired).map { "; \($0) \(isPaired ? "pairs" : "of each") are enough" } ?? ""
        return "\(have) are too few \(purpose)\(fix)"
    }

    /// Returns how many repetitions both the test and the interval need: one of them alone gives no verdict.
    private func countNeeded(_ isPaired: Bool) -> Int? {
        let needed = isPaired ? SignedRank.countNeeded : MannWhitney.countNeeded
        // The interval leaves out as much as one test at that level.
        let forInterval = needed(1, 1 - ComparisonOptions.confidence) ?? 0
        return needed(testCount, alpha).map { max($0, forInterval) }
    }
}

extension ClosedRange<Double> {
    /// Whether an interval of a ratio lies within a share, or another one to the side that is worse.
    fileprivate func isWithin(_ share: Double, worse: Double? = nil) -> Bool {
        lowerBound >= 1 / (1 + share) && upperBound <= 1 + (worse ?? share)
    }
}

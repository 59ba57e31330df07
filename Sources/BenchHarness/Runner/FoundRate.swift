/// One trial of a rate.
public struct RateTrial: Sendable {
    /// The trial's row of the CSV.
    public let row: ResultRow
    /// The limits that it missed, in words; empty if it kept them.
    public let missedLimits: [String]

    /// Judges a trial that was to take some seconds. A growing queue of operations is a limit of its own: at a rate
    /// that the store cannot sustain, any other limit would be missed eventually.
    init(row: ResultRow, seconds: Double) {
        self.row = row
        let rest = Double(row.durationNanoseconds ?? 0) / 1e9 - seconds
        let hasQueue = rest > 0.05 * seconds + 0.1
        let reached = Figure.count(Int(row.throughput ?? 0))
        missedLimits =
            (row.missedLimits.map { [$0] } ?? []) + (hasQueue ? ["operations queued up: \(reached)/s were done"] : [])
    }

    /// Whether it shows that the rate can be kept.
    var isKept: Bool { missedLimits.isEmpty && row.isEvidence }
}

/// The result of the search for one driver and load.
public struct FoundRate: Sendable {
    /// The driver's name.
    public let driver: String
    /// The load's name.
    public let phase: String
    /// The highest rate that kept the limits in most trials, in operations per second; nil if there is none.
    public let rate: Double?
    /// Whether this rate also kept the limits in a trial at the end of the search; false if the search was stopped.
    public let isConfirmed: Bool
    /// The lowest rate that missed a limit; nil if every rate kept them, or if the search was stopped.
    public let missedRate: Double?
    /// The reason why the driver does not support this load; nil if it does.
    public var unsupportedReason: String?
    /// All trials, in their order. Contaminated ones count as the others do.
    public let trials: [RateTrial]

    /// The rows of all trials.
    public var rows: [ResultRow] { trials.map(\.row) }

    /// The limits that the missed rate missed last, in words.
    public var missedLimits: [String] {
        trials.last { $0.row.ratePerSecond == missedRate && !$0.missedLimits.isEmpty }?.missedLimits ?? []
    }

    /// The trials of each rate, the lowest first: the curve of the response times over the throughput.
    var curve: [(rate: Double, trials: [RateTrial])] {
        let rates = Set(trials.compactMap(\.row.ratePerSecond)).sorted()
        return rates.map { rate in (rate, trials.filter { $0.row.ratePerSecond == rate }) }
    }

    /// The trials of the highest rate; nil if there is none. The manifest has the rate in full, and the CSV rounds it.
    package var best: (rate: Double, trials: [RateTrial])? {
        rate.flatMap { rate in curve.first { abs($0.rate - rate) < 0.001 } }
    }
}

extension FoundRate {
    /// The highest rate for people.
    package var text: String {
        if unsupportedReason != nil { return "unsupported" }
        guard let rate else { return "none" }
        return Figure.rate(rate) + (isConfirmed ? "" : ", not confirmed")
    }

    /// Returns the searches that a run recorded: their trials are rows of a load at several rates.
    static func recorded(in rows: [ResultRow], _ facts: [Manifest.FoundRateFacts] = []) -> [FoundRate] {
        let trials = rows.filter { $0.ratePerSecond != nil }
        let searches = Dictionary(grouping: trials) { [$0.phase, $0.driver] }
        return trials.map { [$0.phase, $0.driver] }.withoutRepeats.compactMap { name in
            FoundRate(searches[name] ?? [], facts.first { [$0.phase, $0.driver] == name })
        }
    }

    /// Creates the result of a search from its trials, and from what the manifest has of it; nil for a load at one
    /// rate.
    private init?(_ rows: [ResultRow], _ facts: Manifest.FoundRateFacts?) {
        guard let first = rows.first, facts != nil || Set(rows.compactMap(\.ratePerSecond)).count > 1 else {
            return nil
        }
        // A trial that kept its rate took as long as it was to take.
        let shortest = rows.compactMap(\.durationNanoseconds).min() ?? 0
        let trials = rows.map { RateTrial(row: $0, seconds: Double(shortest) / 1e9) }
        let votes = Dictionary(grouping: trials) { $0.row.ratePerSecond ?? 0 }
            .mapValues { (kept: $0.count(where: \.isKept), missed: $0.count { !$0.isKept }) }
        let missed = votes.filter { $0.value.missed >= $0.value.kept }.map(\.key)
        let kept = votes.filter { $0.value.kept > $0.value.missed }.map(\.key)
        rate = facts.map(\.ratePerSecond) ?? kept.max()
        // Two trials that agree decide, and a third one confirms.
        isConfirmed = facts?.isConfirmed ?? rate.map { votes[$0]?.kept ?? 0 > 2 } ?? false
        missedRate = missed.filter { [rate] in $0 > rate ?? 0 }.min()
        (driver, phase, unsupportedReason, self.trials) = (first.driver, first.phase, nil, trials)
    }
}

extension [RateTrial] {
    /// Returns a figure of the trials together; nil if none has it, infinite without a bound.
    func overall(_ figure: FigureColumn) -> Double? { figure.overall(map(\.row)) }
}

/// One trial of a rate.
public struct RateTrial: Sendable {
    /// The trial's row of the CSV.
    public let row: ResultRow
    /// The limits that it missed, in words; empty if it kept them.
    public let missedLimits: [String]
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
}

extension [RateTrial] {
    /// Returns a figure of the trials together; nil if none has it, infinite without a bound.
    func overall(_ figure: FigureColumn) -> Double? { figure.overall(map(\.row)) }
}

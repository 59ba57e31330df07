/// How two sides are to be compared.
public struct ComparisonOptions: Sendable {
    /// What times and memory are divided by before they are compared.
    public enum Relation: Sendable, Equatable {
        /// By the baseline's when the machines differ, by nothing otherwise.
        case automatic
        /// By nothing.
        case absolute
        /// By those of this driver, in the same run and repetition.
        case relative(to: String)
    }

    /// How the repetitions of the two sides belong together.
    public enum Pairing: Sendable, Equatable {
        /// Not at all: they are two samples.
        case independent
        /// By their number: each was run right before or after the other.
        case paired
    }

    /// What figures are divided by.
    public var relation = Relation.automatic
    /// Whether repetitions come in pairs.
    public var pairing = Pairing.independent
    /// Shares by which metrics may get worse, by their names: they come before the scenario's and the metrics' own.
    public var thresholds: [String: Double] = [:]
    /// Metrics to judge besides those judged by default.
    public var moreMetrics: Set<String> = []
    /// Whether nothing is judged but ``moreMetrics``.
    public var judgesOnlyNamed = false
    /// Phases to compare; empty means all. One that is done at several sizes is meant with each of them, or, named as
    /// the results name it, at one.
    public var phases: Set<String> = []
    /// Drivers to compare; empty means all.
    public var drivers: Set<String> = []
    /// Whether runs of different scenarios may be compared.
    public var allowsDifferentScenarios = false
    /// Whether an inconclusive figure is as bad as one without enough data.
    public var isStrict = false
    /// Whether exact counters are judged.
    public var judgesCounters = true
    /// The probability that any of all verdicts of a change is wrong when nothing has changed.
    public var alpha = 0.05

    /// With which probability an interval holds the true ratio.
    static let confidence = 0.95

    /// Creates options with the defaults.
    public init() {}

    /// Whether a phase of a driver is among those to compare.
    func includes(_ key: ComparisonKey) -> Bool {
        (drivers.isEmpty || drivers.contains(key.driver)) && includes(phase: key.phase)
    }

    /// Whether a phase is among those to compare, by its name in the results.
    func includes(phase: String) -> Bool {
        phases.isEmpty || phases.contains(phase) || phases.contains(SizedName(phase).phase)
    }
}

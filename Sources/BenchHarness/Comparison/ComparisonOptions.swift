/// Settings of a comparison of two sides.
public struct ComparisonOptions: Sendable {
    /// The divisor of times and memory.
    public enum Relation: Sendable, Equatable {
        /// The baseline's figures if the machines differ; no divisor otherwise.
        case automatic
        /// No divisor.
        case absolute
        /// The figures of this driver in the same run and repetition.
        case relative(to: String)
    }

    /// How the repetitions of the two sides pair up.
    public enum Pairing: Sendable, Equatable {
        /// They do not pair up: they are two independent samples.
        case independent
        /// They pair up by number: each ran right before or after the other.
        case paired
    }

    /// The divisor of times and memory.
    public var relation = Relation.automatic
    /// Whether repetitions come in pairs.
    public var pairing = Pairing.independent
    /// The share by which each metric may get worse, by the metric's name. These thresholds precede the scenario's and
    /// the metrics' own.
    public var thresholds: [String: Double] = [:]
    /// Metrics to judge in addition to the default ones.
    public var moreMetrics: Set<String> = []
    /// Whether the comparison judges ``moreMetrics`` only.
    public var judgesOnlyNamed = false
    /// Phases to compare; empty means all. The plain name of a phase that runs at several sizes means all sizes; its
    /// name in the results means one.
    public var phases: Set<String> = []
    /// Drivers to compare; empty means all.
    public var drivers: Set<String> = []
    /// Slowdowns that are no regression: of CPU time, durations and latencies, and of exact counters.
    public var accepted = AcceptedSlowdowns()
    /// Whether runs of different scenarios may be compared.
    public var allowsDifferentScenarios = false
    /// Whether an inconclusive figure is as bad as one without enough data.
    public var isStrict = false
    /// Whether exact counters are judged.
    public var judgesCounters = true
    /// The probability of at least one wrong verdict of a change among all verdicts, when nothing has changed; nil
    /// takes the one for the kind of comparison.
    public var alpha: Double?

    /// ``alpha`` of runs that were made one after the other.
    static let alphaOfRuns = 0.05
    /// ``alpha`` of sides that took turns.
    package static let alphaOfTurns = 0.002
    /// The probability that an interval holds the true ratio.
    package static let confidence = 0.95

    /// Creates options with the defaults.
    public init() {}

    /// ``alpha``, or that of runs that were made one after the other.
    package var alphaForRuns: Double { alpha ?? Self.alphaOfRuns }
    /// ``alpha``, or that of sides that took turns.
    package var alphaForTurns: Double { alpha ?? Self.alphaOfTurns }

    /// Whether a phase of a driver is among those to compare.
    package func includes(_ key: ComparisonKey) -> Bool {
        (drivers.isEmpty || drivers.contains(key.driver)) && includes(phase: key.phase)
    }

    /// Whether a phase is among those to compare, by its name in the results.
    func includes(phase: String) -> Bool {
        phases.isEmpty || phases.contains(phase) || phases.contains(SizedName(phase).phase)
    }
}

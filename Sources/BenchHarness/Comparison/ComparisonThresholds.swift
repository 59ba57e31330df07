/// The share by which a figure may get worse before the change counts. Thresholds from four places apply in this order:
/// the command line, the scenario's phase, the scenario as a whole, the metric's own default. In each place, a
/// threshold of the duration holds as well for what is judged in its place, unless that has its own there: CPU time,
/// the throughput of loads and their response times.
package struct ComparisonThresholds: Sendable, Equatable {
    private let overrides: [String: Double]
    private let ofScenario: [String: Double]
    private let ofPhases: [String: [String: Double]]
    private let defaults: [String: Double]

    /// Creates thresholds; `overrides` are shares by the name of the metric.
    package init(overrides: [String: Double], scenario: Scenario?, defaults: [String: Double] = [:]) {
        self.overrides = overrides
        self.defaults = defaults
        ofScenario = Self.shares(scenario?.thresholdsPercent)
        let phases = (scenario?.phases ?? []).map { ($0.name, Self.shares($0.thresholdsPercent)) }
        ofPhases = Dictionary(phases, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the first of the metrics by name whose threshold nothing of what is judged is held to.
    package static func unheld(_ thresholds: [String: Double], _ judged: Set<String>) -> String? {
        thresholds.keys.sorted().first { name in
            // Which times are judged depends on the runs.
            let others: Set<String> =
                switch name {
                case Metric.duration.name: JudgedTimes.metrics
                case Metric.cpu.name: [Metric.duration.name]
                default: []
                }
            return judged.isDisjoint(with: others.union([name]))
        }
    }

    func share(_ metric: Metric, phase: String) -> Double {
        share(of: metric.name, phase: phase) ?? metric.threshold
    }

    /// What is said of a metric, by its name; nil when nothing is.
    func share(of metric: String, phase: String) -> Double? {
        let places = [overrides, ofPhases[SizedName(phase).phase] ?? [:], ofScenario, defaults]
        return places.lazy.compactMap { Self.share(of: metric, $0) }.first
    }

    private static func share(of metric: String, _ shares: [String: Double]) -> Double? {
        shares[metric] ?? (JudgedTimes.metrics.contains(metric) ? shares[Metric.duration.name] : nil)
    }

    private static func shares(_ percent: [String: Double]?) -> [String: Double] {
        (percent ?? [:]).mapValues { $0 / 100 }
    }
}

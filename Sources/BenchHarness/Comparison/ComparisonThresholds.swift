/// The share by which a figure may get worse before the change counts. Thresholds from four places apply in this order:
/// the command line, the scenario's phase, the scenario as a whole, the metric's own default.
struct ComparisonThresholds: Sendable, Equatable {
    private let overrides: [String: Double]
    private let ofScenario: [String: Double]
    private let ofPhases: [String: [String: Double]]

    /// Creates thresholds; `overrides` are shares by the name of the metric.
    init(overrides: [String: Double], scenario: Scenario?) {
        self.overrides = overrides
        ofScenario = Self.shares(scenario?.thresholdsPercent)
        let phases = (scenario?.phases ?? []).map { ($0.name, Self.shares($0.thresholdsPercent)) }
        ofPhases = Dictionary(phases, uniquingKeysWith: { first, _ in first })
    }

    func share(_ metric: Metric, phase: String) -> Double {
        overrides[metric.name] ?? ofPhases[SizedName(phase).phase]?[metric.name] ?? ofScenario[metric.name]
            ?? metric.threshold
    }

    private static func shares(_ percent: [String: Double]?) -> [String: Double] {
        (percent ?? [:]).mapValues { $0 / 100 }
    }
}

/// By how much a figure may get worse before that counts. What is said on the command line comes before what the phase
/// says in its scenario, that before what the scenario says for all phases, and that before the metric's own default.
struct ComparisonThresholds: Sendable, Equatable {
    private let overrides: [String: Double]
    private let ofScenario: [String: Double]
    private let ofPhases: [String: [String: Double]]

    /// `overrides` are shares by the name of the metric.
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

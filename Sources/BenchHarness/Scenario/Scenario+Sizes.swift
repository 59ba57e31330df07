/// How the figures of a scenario with several sizes may grow with the number of records.
public struct GrowthSpec: Sendable, Equatable, Codable {
    /// The largest b for which a figure may grow like the b-th power of the number of records: 1 is in proportion to
    /// it.
    public var maxExponent: Double

    /// Creates a demand.
    public init(maxExponent: Double) {
        self.maxExponent = maxExponent
    }
}

extension Scenario {
    /// The numbers of records at which everything is done, ascending; one where the scenario has but one.
    public var allSizes: [Int] { sizes ?? [records] }

    /// The scenario at one of its sizes. Its phases then bear that in their names, so that results tell sizes apart
    /// wherever they tell phases apart; one that has no sizes stays as it is.
    public func at(records: Int) -> Scenario {
        guard sizes != nil else { return self }
        var scenario = self
        (scenario.records, scenario.sizes, scenario.growth) = (records, nil, nil)
        for index in phases.indices {
            scenario.phases[index].name = SizedName(phase: phases[index].name, records: records).description
        }
        return scenario
    }

    /// The names of the phases as the results have them.
    public var resultNames: [String] { allSizes.flatMap { at(records: $0).phases.map(\.name) } }
}

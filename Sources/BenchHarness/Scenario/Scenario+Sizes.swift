/// The limits on the growth of figures with the number of records, for a scenario with several sizes.
public struct GrowthSpec: Sendable, Equatable, Codable {
    /// The largest b for which a figure may grow like the b-th power of the number of records: 1 is growth in
    /// proportion.
    public var maxExponent: Double

    /// Creates limits.
    public init(maxExponent: Double) {
        self.maxExponent = maxExponent
    }
}

extension Scenario {
    /// All numbers of records, ascending; one for a scenario with a single size.
    public var allSizes: [Int] { sizes ?? [records] }

    /// Returns the scenario at one of its sizes. The names of its phases then include the size, so that results
    /// distinguish sizes as they distinguish phases. A scenario with a single size stays as it is.
    public func at(records: Int) -> Scenario {
        guard sizes != nil else { return self }
        var scenario = self
        (scenario.sizes, scenario.growth) = (nil, nil)
        scenario.entities = entities.map { $0.at(records: records, of: self.records) }
        for index in phases.indices {
            scenario.phases[index].name = SizedName(phase: phases[index].name, records: records).description
        }
        return scenario
    }

    /// The names of the phases in the results.
    public var resultNames: [String] {
        stretches.flatMap { stretch in
            variants(of: stretch).flatMap { variant in
                allSizes.flatMap { at(variant: variant).at(records: $0).phases[stretch].map(\.name) }
            }
        }
    }
}

extension EntitySpec {
    /// Returns the entity in a store with `records` of `all` records of the first entity: the numbers of its records
    /// and of those that it leads to keep their proportion.
    func at(records: Int, of all: Int) -> EntitySpec {
        let share = Scaling(factor: Double(records) / Double(all), records: records, schema: Schema(self))
        return scaled(share.count)
    }
}

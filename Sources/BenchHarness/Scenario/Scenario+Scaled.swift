extension Scenario {
    /// Returns the scenario with `factor` times the records, at each of its sizes, and with all counts that depend on
    /// them scaled alike. Sizes that become equal are merged.
    ///
    /// A count of at least 1 stays at least 1. A merge keeps enough records to keep its saves apart: otherwise it gets
    /// fewer saves, then fewer writers. Variants keep the numbers of the file in their names.
    /// - Precondition: `factor` is positive and finite; a command checks its argument.
    public func scaled(by factor: Double) -> Scenario {
        precondition(factor > 0 && factor.isFinite, "a scenario is scaled by a finite number above 0, not by \(factor)")
        var scaled = self
        let counts = Scaling(factor: factor, records: records, entity: entity)
        scaled.records = counts.count(records)
        scaled.sizes = sizes?.map(counts.count).withoutRepeats
        if let owners = entity.owner?.records { scaled.entity.owner?.records = counts.count(owners) }
        let fewest = scaled.allSizes[0]
        let scale = Scaling(
            factor: factor, records: fewest, entity: scaled.entity.at(records: fewest, of: scaled.records))
        for index in phases.indices { scaled.phases[index].work = phases[index].work.content.scaled(scale) }
        scaled.variants = variants?.map {
            ScenarioVariant(settings: $0.settings, scenario: $0.scenario.scaled(by: factor))
        }
        return scaled
    }
}

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
        let counts = Scaling(factor: factor, records: records, schema: schema)
        scaled.sizes = sizes?.map(counts.count).withoutRepeats
        scaled.entities = entities.map { $0.scaled(counts.count) }
        let smallest = scaled.smallest
        for index in phases.indices {
            let view = smallest.focused(on: phases[index].entity)
            let scale = Scaling(
                factor: factor, records: view.records, schema: view.schema.focused(on: view.focus), seed: seed)
            scaled.phases[index].work = Phase.Work(phases[index].work.content.scaled(scale))
        }
        scaled.variants = variants?.map {
            ScenarioVariant(settings: $0.settings, scenario: $0.scenario.scaled(by: factor))
        }
        return scaled
    }

    /// The first phase that has records lead to some of an entity which has none, with the name of that entity; nil if
    /// there is no such phase. A small scale may leave no record of a subentity.
    public var changeWithoutTarget: (phase: String, entity: String)? {
        let smallest = smallest
        for phase in phases {
            let view = smallest.focused(on: phase.entity)
            let schema = view.schema.focused(on: view.focus)
            for member in phase.work.content.changedMembers {
                guard let relationship = schema.relationship(member),
                    schema.ordinals(relationship, seed: seed).isEmpty
                else { continue }
                return (phase.name, relationship.target ?? schema.entities[relationship.destination].name)
            }
        }
        return nil
    }

    /// The scenario with the fewest of its numbers of records.
    private var smallest: Scenario {
        var scenario = self
        scenario.entities = entities.map { $0.at(records: allSizes[0], of: records) }
        return scenario
    }
}

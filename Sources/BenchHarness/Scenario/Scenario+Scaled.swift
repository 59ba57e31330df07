extension Scenario {
    /// The same scenario with `factor` times the records, at each of its sizes, and with every count that is a share of
    /// them scaled alike. Sizes that become one are done once.
    ///
    /// What was at least 1 stays at least 1, and a merge keeps enough records for its saves not to meet: where it would
    /// not, it gets fewer saves, then fewer writers.
    /// - Precondition: `factor` is above 0 and finite; a command checks what it was given.
    public func scaled(by factor: Double) -> Scenario {
        precondition(factor > 0 && factor.isFinite, "a scenario is scaled by a finite number above 0, not by \(factor)")
        var scaled = self
        let counts = Scaling(factor: factor, records: records, entity: entity)
        scaled.records = counts.count(records)
        scaled.sizes = sizes?.map(counts.count).withoutRepeats
        if let owners = entity.owner?.records { scaled.entity.owner?.records = counts.count(owners) }
        let scale = Scaling(factor: factor, records: scaled.allSizes[0], entity: scaled.entity)
        for index in phases.indices { scaled.phases[index].work = phases[index].work.content.scaled(scale) }
        return scaled
    }
}

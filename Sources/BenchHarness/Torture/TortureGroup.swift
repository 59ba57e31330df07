/// Load phases that can share one store: they are about one entity, and one ledger can account for their effects.
package struct TortureGroup: Sendable, Equatable {
    /// The indices of the phases, in order.
    var phases: [Int]
    /// The way in which each of them settles conflicts.
    let policy: ConflictPolicy
    /// The changes of their saves; nil for mixes.
    let set: [AttributeChange]?

    /// The one store of a task without phases.
    package static let whole = TortureGroup(phases: [0], policy: .error, set: nil)

    /// Returns the groups of a scenario's phases that write with a ledger, without those that `driver` cannot do.
    static func all(of scenario: Scenario, for driver: (any StoreDriver)? = nil) -> [TortureGroup] {
        var groups: [TortureGroup] = []
        for (index, phase) in scenario.phases.enumerated() {
            guard let work = phase.work.as(LoadWork.self), work.isWriting else { continue }
            if let driver, phase.reasonUnsupported(by: driver, in: scenario.schema) != nil { continue }
            let group = TortureGroup(phases: [index], policy: work.policy, set: work.saves?.set)
            let known = groups.firstIndex { other in
                other.policy == group.policy && other.set == group.set
                    && scenario.haveSameEntity(scenario.phases[other.phases[0]], phase)
            }
            if let known {
                groups[known].phases.append(index)
            } else {
                groups.append(group)
            }
        }
        return groups
    }
}

extension LoadWork {
    /// Whether the phase changes the store.
    fileprivate var isWriting: Bool {
        switch source {
        case .saves(let spec): spec.insertsPerSave + spec.changesPerSave + spec.deletesPerSave > 0
        case .mix(let spec):
            [.update, .insert, .readModifyWrite, .delete].contains { spec.operations[$0, default: 0] > 0 }
        }
    }
}

/// Load phases that can work on one store: what they leave can be told from one ledger.
struct TortureGroup: Sendable, Equatable {
    /// Indices of phases, in order.
    var phases: [Int]
    /// How each of them settles conflicts.
    let policy: ConflictPolicy
    /// The changes that their saves make; nil when they are mixes.
    let set: [AttributeChange]?

    /// What changes related records is no phase.
    static let related = TortureGroup(phases: [0], policy: .error, set: nil)

    /// The groups of a scenario's phases that write by a ledger, those that `driver` cannot do left out.
    static func all(of scenario: Scenario, for driver: (any StoreDriver)? = nil) -> [TortureGroup] {
        var groups: [TortureGroup] = []
        for (index, phase) in scenario.phases.enumerated() {
            guard case .load(let work) = phase.work, work.isWriting else { continue }
            if let driver, phase.reasonUnsupported(by: driver, entity: scenario.entity) != nil { continue }
            let group = TortureGroup(phases: [index], policy: work.policy, set: work.saves?.set)
            if let known = groups.firstIndex(where: { $0.policy == group.policy && $0.set == group.set }) {
                groups[known].phases.append(index)
            } else {
                groups.append(group)
            }
        }
        return groups
    }
}

extension LoadWork {
    /// Whether it ever changes the store.
    fileprivate var isWriting: Bool {
        switch source {
        case .saves(let spec): spec.insertsPerSave + spec.changesPerSave + spec.deletesPerSave > 0
        case .mix(let spec):
            [.update, .insert, .readModifyWrite, .delete].contains { spec.operations[$0, default: 0] > 0 }
        }
    }
}

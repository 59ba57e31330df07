/// Finds the saves of a load that its watching context did not report as merged.
///
/// The columns of merged saves and of the delegate would otherwise be blank, or count only the fast saves.
struct UnreportedMerges {
    private let work: LoadWork
    private let entity: EntitySpec

    init(_ work: LoadWork, of entity: EntitySpec) {
        self.work = work
        self.entity = entity
    }

    /// Returns the missing reports in words; empty if there are none.
    func problems(_ figures: LoadFigures, _ ledgers: [Ledger]) -> [String] {
        guard work.isWatched, let spec = work.saves else { return [] }
        let total = figures.total
        let done = total.response.count - total.missing
        // A save that only changes records may find nothing to write, so it need not notify the context.
        let merged = spec.insertsPerSave > 0 ? done : min(done, 1)
        var problems: [String] = []
        if figures.monitor.merged.count < merged {
            problems.append("the driver reported \(figures.monitor.merged.count) merged saves; expected \(merged)")
        }
        let delegated = leastDelegated(spec, done: done, ledgers)
        if figures.monitor.delegate.count < delegated {
            problems.append(
                "the driver reported \(figures.monitor.delegate.count) saves that reached the delegate; expected "
                    + (delegated == done ? "\(delegated)" : "\(delegated) or more"))
        }
        return problems
    }

    /// Returns the number of saves that must have changed the controller's list. An insertion changes a list of all
    /// records. A list of some records changes at least once if a change of any of them has an effect for certain.
    private func leastDelegated(_ spec: SaveSpec, done: Int, _ ledgers: [Ledger]) -> Int {
        guard spec.mode == .controller else { return 0 }
        if spec.windowRecords == 0 { return spec.insertsPerSave > 0 ? done : 0 }
        if spec.window == .head { return spec.insertsPerSave > 0 && newRecordsComeFirst(spec.sort) ? min(done, 1) : 0 }
        guard work.policy == .error, spec.set.contains(where: alwaysHasEffect) else { return 0 }
        let isSeen = ledgers.contains { ledger in
            ledger.entries.contains { $0.key < spec.windowRecords && $0.value.changes > 0 }
        }
        return isSeen ? 1 : 0
    }

    /// Whether a new record comes before all that were seeded, so that a window at the head shows it.
    private func newRecordsComeFirst(_ sort: [SortSpec]) -> Bool {
        guard let first = sort.first, let index = entity.index(of: first.key),
            case .sequence(_, _, let step) = entity.attributes[index].generator, !entity.attributes[index].hasNulls,
            entity.attributes[index].type != .string
        else { return false }
        return first.ascending ? step < 0 : step > 0
    }

    /// Whether a change gives every record another value. Adding to a large double may not, and null stays null.
    private func alwaysHasEffect(_ change: AttributeChange) -> Bool {
        guard let index = entity.index(of: change.attribute),
            !entity.attributes[index].hasNulls
        else { return false }
        return switch (change.operation, entity.attributes[index].type) {
        case (.toggle, _): true
        case (.add(let amount), .int64): amount != 0
        default: false
        }
    }
}

/// A merge plan as a sorted list of the ranges of records that it touches.
struct ExpectedMerge: ExpectedStep {
    private struct Stretch {
        let ordinals: Range<Int>
        let isDeleted: Bool
    }

    private let stretches: [Stretch]
    private let update: ExpectedUpdate

    init(_ plan: MergePlan, generator: RecordGenerator) {
        let changed = plan.saves.map { Stretch(ordinals: $0.changes, isDeleted: false) }
        let deleted = plan.saves.map { Stretch(ordinals: $0.deletes, isDeleted: true) }
        stretches = (changed + deleted).filter { !$0.ordinals.isEmpty }
            .sorted { $0.ordinals.lowerBound < $1.ordinals.lowerBound }
        update = ExpectedUpdate(set: plan.set, filter: nil, generator: generator)
    }

    /// Changes or deletes the record if the plan does.
    func apply(to record: inout [FieldValue], _ ordinal: Int) -> ExpectedEffect {
        guard let stretch = stretch(around: ordinal) else { return .none }
        return stretch.isDeleted ? .deleted : update.apply(to: &record, ordinal)
    }

    private func stretch(around ordinal: Int) -> Stretch? {
        var candidates = stretches[...]
        while !candidates.isEmpty {
            let middle = (candidates.startIndex + candidates.endIndex) / 2
            let stretch = stretches[middle]
            if stretch.ordinals.contains(ordinal) { return stretch }
            candidates = ordinal < stretch.ordinals.lowerBound ? candidates[..<middle] : candidates[(middle + 1)...]
        }
        return nil
    }
}

extension ExpectedStore {
    /// Applies all saves of `plan`.
    public mutating func apply(_ plan: MergePlan) {
        append(ExpectedMerge(plan, generator: generator), inserting: plan.saves.map(\.inserts))
    }

    /// Returns the digest of what the merging context must hold after `plan`: the records that it changed and those
    /// that it inserted, in any order. Apply the plan first.
    public func mergedDigest(_ plan: MergePlan) -> RecordDigest {
        var digester = RecordDigester()
        for ordinals in plan.saves.flatMap({ [$0.changes, $0.inserts] }) {
            for ordinal in ordinals {
                if let record = record(ordinal) { digester.addRecord(record) }
            }
        }
        return digester.digest
    }
}

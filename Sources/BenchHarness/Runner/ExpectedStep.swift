/// Something that happened to the records of an ``ExpectedStore``.
enum ExpectedStep: Sendable {
    case update(ExpectedUpdate)
    case merge(ExpectedMerge)

    /// Does the step to one record; false when it deletes it.
    func apply(to record: inout [FieldValue], _ ordinal: Int) -> Bool {
        switch self {
        case .update(let update):
            update.apply(to: &record)
            return true
        case .merge(let merge):
            return merge.apply(to: &record, ordinal)
        }
    }
}

/// An update with its names looked up.
struct ExpectedUpdate: Sendable {
    private let changes: [(attribute: Int, operation: AttributeChange.Operation)]
    private let filter: RecordFilter?

    /// - Parameter generator: Makes the records, which says what their attributes are called.
    init(set: [AttributeChange], filter: FilterSpec?, generator: RecordGenerator) {
        let entity = generator.entity
        changes = set.map { change in
            guard let attribute = entity.index(of: change.attribute) else {
                preconditionFailure("a change names \(change.attribute), which is no attribute of \(entity.name)")
            }
            return (attribute, change.operation)
        }
        self.filter = filter.map { RecordFilter($0, entity: entity, owners: generator.owners) }
    }

    func apply(to record: inout [FieldValue]) {
        if let filter, !filter.matches({ [record] in record[$0] }) { return }
        // No change reads what another writes: each names an attribute of its own.
        for change in changes { record[change.attribute] = record[change.attribute].after(change.operation) }
    }
}

/// A merge plan as a sorted list of the stretches of records that it touches.
struct ExpectedMerge: Sendable {
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

    /// Changes the record if the plan does; false when it deletes it.
    func apply(to record: inout [FieldValue], _ ordinal: Int) -> Bool {
        guard let stretch = stretch(around: ordinal) else { return true }
        if !stretch.isDeleted { update.apply(to: &record) }
        return !stretch.isDeleted
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

extension FieldValue {
    /// The value after a change. Null stays null under every operation but assignment, as in SQL.
    public func after(_ operation: AttributeChange.Operation) -> FieldValue {
        switch (operation, self) {
        case (.assign(let value), _): value
        case (_, .null): .null
        case (.toggle, .bool(let value)): .bool(!value)
        case (.add(let amount), .int64(let value)): .int64(value &+ Int64(amount))
        case (.add(let amount), .double(let value)): .double(value + amount)
        case (.add(let amount), .date(let value)): .date(value + amount)
        default: preconditionFailure("\(operation) does not fit the value \(self)")
        }
    }
}

/// An update with resolved names.
struct ExpectedUpdate: ExpectedStep {
    private let changes: [(attribute: Int, operation: AttributeChange.Operation)]
    private let filter: RecordFilter?

    /// - Parameters:
    ///   - generator: Makes the records; its entity has the names of their attributes.
    ///   - targets: The records that the entity's relationships lead to, for a filter.
    init(
        set: [AttributeChange], filter: FilterSpec?, generator: RecordGenerator, targets: [TargetValues] = []
    ) {
        let entity = generator.entity
        changes = set.map { change in
            guard let attribute = entity.index(of: change.attribute) else {
                preconditionFailure("a change names \(change.attribute), which is no attribute of \(entity.name)")
            }
            return (attribute, change.operation)
        }
        self.filter = filter.map { RecordFilter($0, entity: entity, targets: targets) }
    }

    func apply(to record: inout [FieldValue], _ ordinal: Int) -> ExpectedEffect {
        if let filter, !filter.matches({ [record] in record[$0] }) { return .none }
        var isChanged = false
        // No change reads what another writes: each names a different attribute.
        for change in changes {
            let value = record[change.attribute].after(change.operation, ordinal: ordinal)
            if !isChanged, value != record[change.attribute] { isChanged = true }
            record[change.attribute] = value
        }
        return .saved(isChanged: isChanged)
    }
}

extension ExpectedStore {
    /// Changes the matching records.
    public mutating func apply(_ update: UpdateWork) {
        append(ExpectedUpdate(set: update.set, filter: update.filter, generator: generator, targets: targets))
    }
}

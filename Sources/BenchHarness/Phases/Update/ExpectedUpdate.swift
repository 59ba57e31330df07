/// An update with its names looked up.
struct ExpectedUpdate: ExpectedStep {
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

    func apply(to record: inout [FieldValue], _ ordinal: Int) -> Bool {
        if let filter, !filter.matches({ [record] in record[$0] }) { return true }
        // No change reads what another writes: each names an attribute of its own.
        for change in changes { record[change.attribute] = record[change.attribute].after(change.operation) }
        return true
    }
}

extension ExpectedStore {
    /// Changes the records that match.
    public mutating func apply(_ update: UpdateWork) {
        append(ExpectedUpdate(set: update.set, filter: update.filter, generator: generator))
    }
}

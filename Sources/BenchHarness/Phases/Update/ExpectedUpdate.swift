/// An update with resolved names.
struct ExpectedUpdate: ExpectedStep {
    private let changes: [(attribute: Int, operation: AttributeChange.Operation)]
    private let filter: RecordFilter?

    /// - Parameter generator: Makes the records; its entity has the names of their attributes.
    init(set: [AttributeChange], filter: RecordFilter?, generator: RecordGenerator) {
        let entity = generator.entity
        changes = set.map { change in
            guard let attribute = entity.index(of: change.attribute) else {
                preconditionFailure("a change names \(change.attribute), which is no attribute of \(entity.name)")
            }
            return (attribute, change.operation)
        }
        self.filter = filter
    }

    func apply(to record: inout [FieldValue], _ ordinal: Int) -> ExpectedEffect {
        if let filter, !filter.matches({ [record] in record[$0] }, ordinal: ordinal) { return .none }
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
        let filter = update.filter.map { RecordFilter($0, in: self) }
        for change in update.links ?? [] { apply(change, to: filter) }
        if update.set.isEmpty { return }
        append(ExpectedUpdate(set: update.set, filter: filter, generator: generator))
    }

    /// Links or unlinks the matching records.
    private mutating func apply(_ change: LinkChange, to filter: RecordFilter?) {
        guard case .pairs(let link, let isForward)? = schema.relationship(change.relationship)?.place else {
            preconditionFailure("\(schema.entity.name) has no many-to-many relationship \(change.relationship)")
        }
        var links = self.links
        forEachRecord(matching: filter) { _, ordinal in
            let number = Int64(ordinal) + 1
            let (source, target) = isForward ? (number, change.number) : (change.number, number)
            links.set(change.links, source, to: target, by: link)
        }
        self.links = links
    }
}

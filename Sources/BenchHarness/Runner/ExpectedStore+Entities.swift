/// What relationships between the entities of a store lead to.
extension ExpectedStore {
    /// The values of the records that the relationships of the entity lead to.
    var targets: [TargetValues] {
        if !hasSeveralEntities { return generator.targetValues }
        return generator.entity.toOnes.compactMap { toOne in
            guard let target = records(of: toOne.entityName) else { return nil }
            return TargetValues(count: target.nextOrdinal) { target.record($1)?[$0] ?? .null }
        }
    }

    /// Returns the attributes of the record with a number that the relationship at a place leads to, without the
    /// numbers of further records.
    func target(_ toOne: Int, _ number: Int) -> [FieldValue] {
        if !hasSeveralEntities { return owner(number).dropLast() }
        let target = records(of: generator.entity.toOnes[toOne].entityName)
        return Array((target?.record(number - 1) ?? []).prefix(target?.entity.attributesOfItsOwn.count ?? 0))
    }

    /// Returns the digest of the records to which each record leads by a relationship to many, by its number.
    func groups(of relationship: String) -> [Int64: RecordDigest] {
        var groups: [Int64: RecordDigester] = [:]
        forEachMember(by: relationship) { number, record in
            groups[number, default: RecordDigester()].addRecord(record)
        }
        return groups.mapValues(\.digest)
    }

    /// Returns the numbers of the records that lead to a record which meets a condition by a relationship to many.
    func numbers(leadingBy relationship: String, to condition: FilterSpec) -> Set<Int64> {
        var numbers: Set<Int64> = []
        forEachMember(by: relationship, matching: condition) { number, _ in numbers.insert(number) }
        return numbers
    }

    /// Calls `body` with each record that a relationship to many leads to, and the number of the one that it leads
    /// from.
    private func forEachMember(
        by name: String, matching condition: FilterSpec? = nil, _ body: (Int64, [FieldValue]) -> Void
    ) {
        guard let relationship = schema.relationship(name) else { return }
        let members = focused(on: schema.entities[relationship.destination].name)
        let filter = condition.map { RecordFilter($0, in: members) }
        switch relationship.place {
        case .number: return
        case .inverse(let toOne):
            let attribute = members.generator.entity.toOneAttributes.lowerBound + toOne
            members.forEachRecord(matching: filter) { record in
                if case .int64(let number) = record[attribute] { body(number, record) }
            }
        case .pairs(let link, let isForward):
            var records: [Int64: [FieldValue]] = [:]
            members.forEachRecord(matching: filter) { record, ordinal in records[Int64(ordinal) + 1] = record }
            forEachPair(of: link) { source, target in
                let (key, member) = isForward ? (source, target) : (target, source)
                if let record = records[member] { body(key, record) }
            }
        }
    }

    /// Calls `body` with the numbers of both records of each pair that a relationship joins; a deleted record is in
    /// none.
    private func forEachPair(of link: Schema.Link, _ body: (Int64, Int64) -> Void) {
        var live: Set<Int64> = []
        entities[link.destination].forEachRecord { _, ordinal in live.insert(Int64(ordinal) + 1) }
        let sources = entities[link.source]
        sources.forEachRecord { _, ordinal in
            for number in sources.generator.links(link.place, ordinal) where live.contains(number) {
                body(Int64(ordinal) + 1, number)
            }
        }
    }

    /// Returns the digest of all pairs of many-to-many relationships, each with the name of the relationship.
    func linksDigest() -> RecordDigest {
        var digester = RecordDigester()
        for link in schema.links {
            forEachPair(of: link) { source, target in
                digester.addRecord([.string(link.spec.relationship), .int64(source), .int64(target)])
            }
        }
        return digester.digest
    }

    /// Whether a relationship to many keeps the order of its records.
    func keepsOrder(_ relationship: String) -> Bool {
        schema.relationship(relationship)?.isOrdered ?? false
    }

    /// Returns the digest of all orders that relationships keep: for each record with some others, the name of the
    /// relationship, its number and theirs. Records come in the order in which they were made.
    func ordersDigest() -> RecordDigest {
        var digester = RecordDigester()
        for records in entities {
            for (attribute, toOne) in zip(records.entity.toOneAttributes, records.entity.toOnes) where toOne.isOrdered {
                var orders: [Int64: [FieldValue]] = [:]
                records.forEachRecord { record, ordinal in
                    guard case .int64(let number) = record[attribute] else { return }
                    orders[number, default: []].append(.int64(Int64(ordinal) + 1))
                }
                for (number, members) in orders {
                    digester.addRecord([.string(toOne.inverse), .int64(number)] + members)
                }
            }
        }
        return digester.digest
    }

    /// Returns the records of the entity with a name; nil if the scenario does not declare it.
    private func records(of entity: String) -> ExpectedRecords? { entities.first { $0.entity.name == entity } }

    /// Deletes the records that a step deletes, and what belongs to them.
    mutating func delete(by deletion: some ExpectedStep) {
        if hasSeveralEntities { cascade(from: schema.focus, entities[schema.focus].numbers(deletedBy: deletion)) }
        append(deletion)
    }

    private mutating func cascade(from owner: Int, _ numbers: Set<Int64>) {
        for relationship in schema.entities[owner].relationships where relationship.cascades {
            guard case .inverse(let toOne) = relationship.place else { continue }
            let place = relationship.destination
            let attribute = entities[place].entity.toOneAttributes.lowerBound + toOne
            let step = ExpectedCascade(attribute: attribute, numbers: numbers)
            let lost = entities[place].numbers(deletedBy: step)
            append(step, to: place)
            cascade(from: place, lost)
        }
    }
}

/// The deletion of the records that belong to deleted ones.
private struct ExpectedCascade: ExpectedStep {
    /// The position of the number of the record that they belong to.
    let attribute: Int
    let numbers: Set<Int64>

    func apply(to record: inout [FieldValue], _ ordinal: Int) -> ExpectedEffect {
        if case .int64(let number) = record[attribute], numbers.contains(number) { return .deleted }
        return .none
    }
}

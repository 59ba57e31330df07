/// The expected content of a store with records of several entities.
///
/// Each entity has a model of its own. That of the entity which a phase is about holds the others.
extension ExpectedStore {
    /// Returns the model as that of another entity of the store.
    func focused(on entity: String) -> ExpectedStore {
        guard let place = others.firstIndex(where: { $0.generator.entity.name == entity }) else { return self }
        var own = self
        var focus = others[place]
        focus.others = others
        own.others = []
        focus.others[place] = own
        return focus
    }

    /// The entities of the store; the focus comes first.
    var schema: Schema { Schema(([self] + others).map(\.generator.entity)) }

    /// The values of the records that the relationships of the entity lead to.
    var targets: [TargetValues] {
        if others.isEmpty { return generator.targetValues }
        return generator.entity.toOnes.compactMap { toOne in
            guard let other = other(toOne.entityName) else { return nil }
            return TargetValues(count: other.nextOrdinal) { other.record($1)?[$0] ?? .null }
        }
    }

    /// Returns the attributes of the record with a number that the relationship at a place leads to, without the
    /// numbers of further records.
    func target(_ toOne: Int, _ number: Int) -> [FieldValue] {
        if others.isEmpty { return owner(number).dropLast() }
        let other = other(generator.entity.toOnes[toOne].entityName)
        return Array((other?.record(number - 1) ?? []).prefix(other?.generator.entity.attributesOfItsOwn.count ?? 0))
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
        by relationship: String, matching condition: FilterSpec? = nil, _ body: (Int64, [FieldValue]) -> Void
    ) {
        for (source, link, place) in links {
            let isForward = source.generator.entity.name == generator.entity.name && link.relationship == relationship
            let isBack = link.entityName == generator.entity.name && link.inverse == relationship
            guard isForward || isBack, let members = isForward ? other(link.entityName) : source else { continue }
            let records = members.records(matching: condition)
            source.forEachLink(place, to: model(link.entityName)) { number, target in
                let (key, member) = isForward ? (number, target) : (target, number)
                if let record = records[member] { body(key, record) }
            }
        }
        for other in others {
            let entity = other.generator.entity
            for (place, toOne) in entity.toOnes.enumerated()
            where toOne.entityName == generator.entity.name && toOne.inverse == relationship {
                let attribute = entity.toOneAttributes.lowerBound + place
                other.forEachRecord(matching: condition.map { RecordFilter($0, in: other) }) { record in
                    if case .int64(let number) = record[attribute] { body(number, record) }
                }
            }
        }
    }

    /// Returns the matching records, by their numbers.
    private func records(matching condition: FilterSpec?) -> [Int64: [FieldValue]] {
        var records: [Int64: [FieldValue]] = [:]
        forEachRecord(matching: condition.map { RecordFilter($0, in: self) }) { record, ordinal in
            records[Int64(ordinal) + 1] = record
        }
        return records
    }

    /// The many-to-many relationships of all entities: the model of the entity that declares one, and its place there.
    private var links: [(source: ExpectedStore, LinkSpec, place: Int)] {
        ([self] + others).flatMap { source in
            (source.generator.entity.links ?? []).enumerated().map { (source, $1, $0) }
        }
    }

    /// Calls `body` with the numbers of both records of each pair that a relationship at a place joins; a deleted
    /// record is in none.
    private func forEachLink(_ place: Int, to target: ExpectedStore?, _ body: (Int64, Int64) -> Void) {
        var live: Set<Int64> = []
        target?.forEachRecord { _, ordinal in live.insert(Int64(ordinal) + 1) }
        forEachRecord { _, ordinal in
            for number in generator.links(place, ordinal) where live.contains(number) {
                body(Int64(ordinal) + 1, number)
            }
        }
    }

    /// Returns the digest of all pairs of many-to-many relationships, each with the name of the relationship.
    func linksDigest() -> RecordDigest {
        var digester = RecordDigester()
        for (source, link, place) in links {
            source.forEachLink(place, to: model(link.entityName)) { number, target in
                digester.addRecord([.string(link.relationship), .int64(number), .int64(target)])
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
        for model in [self] + others {
            let entity = model.generator.entity
            for (attribute, toOne) in zip(entity.toOneAttributes, entity.toOnes) where toOne.isOrdered {
                var orders: [Int64: [FieldValue]] = [:]
                model.forEachRecord { record, ordinal in
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

    private func model(_ entity: String) -> ExpectedStore? {
        generator.entity.name == entity ? self : other(entity)
    }

    private func other(_ entity: String) -> ExpectedStore? { others.first { $0.generator.entity.name == entity } }

    /// Deletes what belongs to the records with `numbers`, which are deleted.
    mutating func cascade(_ numbers: Set<Int64>) { cascade(from: generator.entity.name, numbers) }

    private mutating func cascade(from owner: String, _ numbers: Set<Int64>) {
        for place in others.indices {
            let entity = others[place].generator.entity
            for (toOne, spec) in entity.toOnes.enumerated() where spec.entityName == owner && spec.cascades {
                let step = ExpectedCascade(attribute: entity.toOneAttributes.lowerBound + toOne, numbers: numbers)
                let lost = others[place].numbers(deletedBy: step)
                others[place].append(step)
                cascade(from: entity.name, lost)
            }
        }
    }

    /// Returns the numbers of the records that a step deletes.
    func numbers(deletedBy step: some ExpectedStep) -> Set<Int64> {
        var numbers: Set<Int64> = []
        forEachRecord { record, ordinal in
            var record = record
            if case .deleted = step.apply(to: &record, ordinal) { numbers.insert(Int64(ordinal) + 1) }
        }
        return numbers
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

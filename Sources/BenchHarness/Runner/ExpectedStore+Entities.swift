/// What relationships between the entities of a store lead to.
extension ExpectedStore {
    /// The values of the records that the relationships of the entity lead to.
    var targets: [TargetValues] { targets(of: schema.focus) }

    private func targets(of place: Int) -> [TargetValues] {
        entities[place].entity.toOnes.compactMap { toOne in
            guard let place = self.place(of: toOne) else { return nil }
            let records = entities[place]
            return TargetValues(of: records.entity, count: records.nextOrdinal, targets: { targets(of: place) }) {
                records.record($1)?[$0] ?? .null
            }
        }
    }

    /// Returns the attributes of the record with a number that the relationship at a place leads to, without the
    /// numbers of further records.
    func target(_ toOne: Int, _ number: Int) -> [FieldValue] {
        guard let place = place(of: generator.entity.toOnes[toOne]) else { return [] }
        let record = entities[place].record(number - 1) ?? []
        return Array(record.prefix(entities[place].entity.attributesOfItsOwn.count))
    }

    /// Returns the place of the records that a relationship leads to; nil for those of a file.
    private func place(of toOne: ReferenceSpec) -> Int? {
        schema.place(of: toOne.entityName).flatMap { entities.indices.contains($0) ? $0 : nil }
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

    /// Calls `body` with each record that a relationship leads to, and the number of the one that it leads from.
    private func forEachMember(
        by name: String, matching condition: FilterSpec? = nil, _ body: (Int64, [FieldValue]) -> Void
    ) {
        guard let relationship = schema.relationship(name) else { return }
        let members = focused(on: schema.entities[relationship.destination].name)
        let filter = condition.map { RecordFilter($0, in: members) }
        switch relationship.place {
        case .number(let toOne):
            let records = members.numbered(matching: filter)
            let attribute = generator.entity.toOneAttributes.lowerBound + toOne
            forEachRecord { record, ordinal in
                guard case .int64(let number) = record[attribute], let member = records[number] else { return }
                body(Int64(ordinal) + 1, member)
            }
        case .inverse(let toOne):
            let attribute = members.generator.entity.toOneAttributes.lowerBound + toOne
            members.forEachRecord(matching: filter) { record in
                if case .int64(let number) = record[attribute] { body(number, record) }
            }
        case .pairs(let link, let isForward):
            let records = members.numbered(matching: filter)
            forEachPair(of: link) { source, target in
                let (key, member) = isForward ? (source, target) : (target, source)
                if let record = records[member] { body(key, record) }
            }
        }
    }

    /// Returns the matching records by their numbers.
    private func numbered(matching filter: RecordFilter?) -> [Int64: [FieldValue]] {
        var records: [Int64: [FieldValue]] = [:]
        forEachRecord(matching: filter) { record, ordinal in records[Int64(ordinal) + 1] = record }
        return records
    }

    /// Calls `body` with the numbers of both records of each pair that a relationship joins; a deleted record is in
    /// none.
    private func forEachPair(of link: Schema.Link, _ body: (Int64, Int64) -> Void) {
        var live: Set<Int64> = []
        entities[link.destination].forEachRecord { _, ordinal in live.insert(Int64(ordinal) + 1) }
        let sources = entities[link.source]
        sources.forEachRecord { _, ordinal in
            let source = Int64(ordinal) + 1
            let first = sources.generator.links(link.place, ordinal)
            for target in links.targets(of: source, by: link, from: first) where live.contains(target) {
                body(source, target)
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
    /// relationship, its number and theirs. Records that lead to one come in the order in which they were made.
    func ordersDigest() -> RecordDigest {
        var digester = RecordDigester()
        func add(_ orders: [Int64: [FieldValue]], of relationship: String) {
            for (number, members) in orders { digester.addRecord([.string(relationship), .int64(number)] + members) }
        }
        for records in entities {
            for (attribute, toOne) in zip(records.entity.toOneAttributes, records.entity.toOnes) where toOne.isOrdered {
                var orders: [Int64: [FieldValue]] = [:]
                records.forEachRecord { record, ordinal in
                    guard case .int64(let number) = record[attribute] else { return }
                    orders[number, default: []].append(.int64(Int64(ordinal) + 1))
                }
                add(orders, of: toOne.inverse)
            }
        }
        for link in schema.links where link.spec.isOrdered {
            var orders: [Int64: [FieldValue]] = [:]
            forEachPair(of: link) { source, target in orders[source, default: []].append(.int64(target)) }
            add(orders, of: link.spec.relationship)
        }
        return digester.digest
    }

    /// Deletes the records that a step deletes, and those that rules delete with them; what else led to any of them
    /// leads nowhere. Deletes nothing if a rule denies it.
    ///
    /// - Returns: Whether it deletes them.
    mutating func delete(by deletion: some ExpectedStep) -> Bool {
        if !schema.entity.relationships.contains(where: \.isToMany) {
            append(deletion)
            return true
        }
        let deleted = deleted(with: entities[schema.focus].numbers(deletedBy: deletion))
        if isDenied(deleted) { return false }
        var losses: [Int: ExpectedLosses] = [:]
        for (place, numbers) in deleted.sorted(by: { $0.key < $1.key }) {
            append(ExpectedRemoval(numbers: numbers), to: place)
            for (back, attribute) in schema.inverses(of: place) where back.deleteRule == .nullify {
                losses[back.destination, default: ExpectedLosses()].numbers[attribute] = numbers
            }
        }
        for (place, losses) in losses { append(losses, to: place) }
        return true
    }

    /// Returns the numbers of records of the focus and of those that rules delete with them, by the places of their
    /// entities.
    private func deleted(with numbers: Set<Int64>) -> [Int: Set<Int64>] {
        var deleted = [schema.focus: numbers]
        var (next, leading) = (deleted, [[Int]: [Int64: [Int64]]]())
        while let (place, numbers) = next.popFirst() {
            for (back, attribute) in schema.inverses(of: place) where back.deleteRule == .cascade {
                let records = entities[back.destination]
                let groups = leading[[back.destination, attribute]] ?? records.numbers(by: attribute)
                leading[[back.destination, attribute]] = groups
                let lost = Set(numbers.lazy.flatMap { groups[$0] ?? [] }).subtracting(deleted[back.destination] ?? [])
                if lost.isEmpty { continue }
                deleted[back.destination, default: []].formUnion(lost)
                next[back.destination, default: []].formUnion(lost)
            }
        }
        return deleted
    }

    /// Whether a record that stays leads to a deleted one by a relationship that denies the deletion.
    private func isDenied(_ deleted: [Int: Set<Int64>]) -> Bool {
        deleted.contains { place, numbers in
            schema.inverses(of: place).contains { back, attribute in
                guard back.deleteRule == .deny else { return false }
                let gone = deleted[back.destination] ?? []
                return entities[back.destination].numbers(by: attribute).contains {
                    numbers.contains($0.key) && !$0.value.allSatisfy(gone.contains)
                }
            }
        }
    }
}

/// The deletion of records by their numbers.
private struct ExpectedRemoval: ExpectedStep {
    let numbers: Set<Int64>

    func apply(to record: inout [FieldValue], _ ordinal: Int) -> ExpectedEffect {
        numbers.contains(Int64(ordinal) + 1) ? .deleted : .none
    }
}

/// The loss of what records led to, which was deleted.
private struct ExpectedLosses: ExpectedStep {
    /// The numbers of the deleted records, by the positions of the attributes with such numbers.
    var numbers: [Int: Set<Int64>] = [:]

    func apply(to record: inout [FieldValue], _ ordinal: Int) -> ExpectedEffect {
        var count = 0
        for (attribute, numbers) in numbers {
            guard case .int64(let number) = record[attribute], numbers.contains(number) else { continue }
            record[attribute] = .null
            count += 1
        }
        return count > 0 ? .lost(count) : .none
    }
}

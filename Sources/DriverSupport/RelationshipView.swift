import BenchHarness

/// The records of several entities in a store that finds them by their numbers and has no query language.
public protocol NumberedRecords {
    /// Calls `body` with the number and the values of each record of an entity, in any order.
    func forEachRecord(of entity: EntitySpec, _ body: (Int64, [FieldValue]) throws -> Void) throws
    /// Returns the values of a record; nil if there is none with the number.
    func record(_ number: Int64, of entity: EntitySpec) throws -> [FieldValue]?
    /// Returns the numbers of the records that a relationship leads to from the one with a number, ascending, which is
    /// the order in which they were made.
    func members(of number: Int64, by relationship: ToManyRelationship) throws -> [Int64]
}

/// A record of one of several entities.
public struct NumberedRecord: Sendable {
    /// Its ordinal plus 1.
    public let number: Int64
    /// Its values, in the order of the entity's attributes.
    public let values: [FieldValue]

    /// Creates a record.
    public init(number: Int64, values: [FieldValue]) { (self.number, self.values) = (number, values) }
}

/// Looks through the relationships between the records of several entities, for a store that keeps them but does not
/// query them: prepares filters and orders by the records as they are, follows relationships, and finds what a deletion
/// takes with it.
public struct RelationshipView<Store: NumberedRecords> {
    private let entities: RelatedEntities
    private let store: Store
    private var entity: EntitySpec { entities.entity }

    /// Creates a view of the records in a store, which must not change meanwhile.
    public init(_ entities: RelatedEntities, in store: Store) {
        self.entities = entities
        self.store = store
    }

    /// Prepares a filter for records as they are now; nil for nil.
    public func filter(_ filter: FilterSpec?) throws -> RecordFilter? {
        guard let filter else { return nil }
        let found = try filter.conditionsOnMany.map { relationship, condition in
            (relationship, condition, try numbers(leadingBy: relationship, to: condition))
        }
        return RecordFilter(filter, entity: entity, targets: try targets(of: filter.keys)) { relationship, condition in
            found.first { $0.0 == relationship && $0.1 == condition }?.2 ?? []
        }
    }

    /// Prepares an order for records as they are now.
    public func order(_ sort: [SortSpec]) throws -> RecordOrder {
        try RecordOrder(sort, of: entity, targets: targets(of: sort.map(\.key)))
    }

    /// Reads the values of the related records to which keys lead.
    private func targets(of keys: [String]) throws -> [TargetValues] {
        try entity.toOnes.enumerated().map { place, toOne in
            let attributes = Set(
                keys.compactMap { entity.reached(by: $0) }.filter { $0.toOne == place }.map(\.attribute))
            guard !attributes.isEmpty else { return TargetValues(count: 0) }
            var (count, values) = (0, [Int: [Int: FieldValue]]())
            try store.forEachRecord(of: named(toOne.entityName)) { number, record in
                count = max(count, Int(number))
                for attribute in attributes { values[attribute, default: [:]][Int(number) - 1] = record[attribute] }
            }
            return TargetValues(count: count) { [values] in values[$0]?[$1] ?? .null }
        }
    }

    /// Returns the numbers of the records that lead to one which meets a condition.
    private func numbers(leadingBy relationship: String, to condition: FilterSpec) throws -> Set<Int64> {
        let toMany = try toMany(relationship)
        let filter = try RelationshipView(entities.focused(on: toMany.target), in: store).filter(condition)
        var numbers: Set<Int64> = []
        try store.forEachRecord(of: toMany.target) { number, record in
            guard filter?.matches({ record[$0] }, ordinal: Int(number) - 1) ?? true else { return }
            switch toMany.place {
            case .inverse(let place): if let owner = record.number(toMany.target, place) { numbers.insert(owner) }
            case .pairs(let link, let isForward):
                let back = ToManyRelationship(target: entity, place: .pairs(link, isForward: !isForward))
                numbers.formUnion(try store.members(of: number, by: back))
            }
        }
        return numbers
    }

    private func named(_ name: String) throws(RunError) -> EntitySpec {
        if let entity = entities.named(name) { return entity }
        throw RunError(.phase, "the scenario has no entity \(name)")
    }

    private func toMany(_ relationship: String) throws(RunError) -> ToManyRelationship {
        if let toMany = entities.toMany(relationship, of: entity) { return toMany }
        throw RunError(.phase, "\(entity.name) has no relationship \(relationship)")
    }
}

// MARK: - Following, deleting, verifying

extension RelationshipView {
    /// Reads what a relationship of records leads to.
    public func follow(_ records: [NumberedRecord], _ follow: FollowSpec) throws -> any FetchedRecords {
        if let place = entity.toOnes.firstIndex(where: { $0.relationship == follow.relationship }) {
            let target = try named(entity.toOnes[place].entityName)
            let targets = follow.prefetch ? try all(of: target) : nil
            let found = try records.map { record in
                let number = record.values.number(entity, place) ?? 0
                let values = try targets.map { $0[number] } ?? store.record(number, of: target)
                return (record, values.map { [Array($0.prefix(target.attributesOfItsOwn.count))] } ?? [])
            }
            return followed(found, .one)
        }
        let toMany = try toMany(follow.relationship)
        let members = follow.prefetch ? try all(of: toMany.target) : nil
        let groups = follow.prefetch ? try groups(toMany, members ?? [:]) : nil
        let found = try records.map { record in
            let numbers = try groups.map { $0[record.number] ?? [] } ?? store.members(of: record.number, by: toMany)
            let related = try numbers.compactMap { number in
                try members.map { $0[number] } ?? store.record(number, of: toMany.target)
            }
            return (record, related)
        }
        return followed(found, .many(isOrdered: toMany.isOrdered))
    }

    private func followed(
        _ found: [(NumberedRecord, [[FieldValue]])], _ kind: FollowedRecords<NumberedRecord, [FieldValue]>.Kind
    ) -> any FetchedRecords {
        FollowedRecords(
            found.map { (record: $0, related: $1) }, kind: kind, number: \.number,
            digest: { for value in $0.values { $1.add(value) } }, digestRelated: { for value in $0 { $1.add(value) } })
    }

    private func all(of entity: EntitySpec) throws -> [Int64: [FieldValue]] {
        var records: [Int64: [FieldValue]] = [:]
        try store.forEachRecord(of: entity) { records[$0] = $1 }
        return records
    }

    /// Groups the members of a relationship by the number of the record that it leads from.
    private func groups(_ toMany: ToManyRelationship, _ members: [Int64: [FieldValue]]) throws -> [Int64: [Int64]] {
        var groups: [Int64: [Int64]] = [:]
        switch toMany.place {
        case .inverse(let place):
            for (number, record) in members {
                if let owner = record.number(toMany.target, place) { groups[owner, default: []].append(number) }
            }
        case .pairs(let link, let isForward):
            let back = ToManyRelationship(target: entity, place: .pairs(link, isForward: !isForward))
            for number in members.keys {
                for owner in try store.members(of: number, by: back) { groups[owner, default: []].append(number) }
            }
        }
        return groups.mapValues { $0.sorted() }
    }

    /// Returns the records that a deletion of some deletes, these included, by their entities.
    public func deleted(with numbers: [Int64]) throws -> [String: Set<Int64>] {
        var deleted: [String: Set<Int64>] = [:]
        try addDeleted(with: Set(numbers), of: entity, to: &deleted)
        return deleted
    }

    private func addDeleted(
        with numbers: Set<Int64>, of entity: EntitySpec, to deleted: inout [String: Set<Int64>]
    ) throws {
        deleted[entity.name, default: []].formUnion(numbers)
        for (owned, place) in entities.belonging(to: entity.name) where !numbers.isEmpty {
            let relationship = ToManyRelationship(target: owned, place: .inverse(place))
            let lost = try numbers.flatMap { try store.members(of: $0, by: relationship) }
            try addDeleted(with: Set(lost), of: owned, to: &deleted)
        }
    }

    /// Feeds the records of the other entities, the pairs of many-to-many relationships, and what relationships keep in
    /// order, as an inspector must after the records of its own entity.
    public func scanOthers(into scan: inout StoreScan) throws {
        for other in entities.others {
            try store.forEachRecord(of: other) { number, record in
                for value in record { scan.values.add(value) }
                scan.values.add(number)
                scan.endOwner()
            }
        }
        for link in entities.links {
            let toMany = ToManyRelationship(
                target: try named(link.spec.entityName), place: .pairs(link, isForward: true))
            try store.forEachRecord(of: link.source) { number, _ in
                for member in try store.members(of: number, by: toMany) {
                    scan.values.add(link.spec.relationship)
                    scan.values.add(number)
                    scan.values.add(member)
                    scan.endOwner()
                }
            }
        }
        for entity in entities.all {
            for (place, toOne) in entity.toOnes.enumerated() where toOne.isOrdered {
                let toMany = ToManyRelationship(target: entity, place: .inverse(place), isOrdered: true)
                try store.forEachRecord(of: named(toOne.entityName)) { number, _ in
                    let members = try store.members(of: number, by: toMany)
                    guard !members.isEmpty else { return }
                    scan.values.add(toOne.inverse)
                    scan.values.add(number)
                    for member in members { scan.values.add(member) }
                    scan.endOwner()
                }
            }
        }
    }
}

extension [FieldValue] {
    /// The number of the record that a relationship leads to, given its place in ``EntitySpec/toOnes``; nil for null.
    public func number(_ entity: EntitySpec, _ place: Int) -> Int64? {
        if case .int64(let number) = self[entity.toOneAttributes.lowerBound + place] { number } else { nil }
    }
}

extension FilterSpec {
    /// The keys of the record's own conditions.
    fileprivate var keys: [String] {
        switch self {
        case .compare(let key, _, _), .ignoringCase(let key, _, _), .oneOf(let key, _), .between(let key, _, _): [key]
        case .any: []
        case .and(let parts), .or(let parts): parts.flatMap(\.keys)
        case .not(let part): part.keys
        }
    }

    /// The conditions on records that relationships to many lead to.
    fileprivate var conditionsOnMany: [(relationship: String, condition: FilterSpec)] {
        switch self {
        case .compare, .ignoringCase, .oneOf, .between: []
        case .any(let relationship, let condition): [(relationship, condition)]
        case .and(let parts), .or(let parts): parts.flatMap(\.conditionsOnMany)
        case .not(let part): part.conditionsOnMany
        }
    }
}

import BenchHarness

/// The records of several entities in a store that finds them by their numbers and has no query language.
public protocol NumberedRecords {
    /// Calls `body` with the number and the values of each record of an entity, in any order.
    func forEachRecord(of entity: EntitySpec, _ body: (Int64, [FieldValue]) throws -> Void) throws
    /// Returns the values of a record; nil if there is none with the number.
    func record(_ number: Int64, of entity: EntitySpec) throws -> [FieldValue]?
    /// Returns the numbers of the records of an entity that a relationship to many leads to from the one with a number:
    /// in the order of pairs, or ascending, which is the order in which they were made.
    func members(of number: Int64, by relationship: Schema.Relationship, to entity: EntitySpec) throws -> [Int64]
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
/// query them: prepares filters, orders and groups by the records as they are, follows relationships, and finds what a
/// deletion takes with it.
public struct RelationshipView<Store: NumberedRecords> {
    private let schema: Schema
    private let store: Store
    private var entity: EntitySpec { schema.entity.record }

    /// Creates a view from the records of the focus of a schema in a store, which must not change meanwhile.
    public init(_ schema: Schema, in store: Store) {
        self.schema = schema
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

    /// Returns the function that returns what a key such as `name` or `list.owner.name` leads to from the values of a
    /// record, as the others are now; null where a relationship leads to no record.
    public func reader(of key: String) throws -> (_ record: [FieldValue]) -> FieldValue {
        entity.reader(of: key, through: try targets(of: [key]))
    }

    /// Reads the related records to which keys lead.
    private func targets(of keys: [String]) throws -> [TargetValues] {
        try entity.toOnes.enumerated().map { place, toOne in
            let rests = keys.compactMap { entity.reached(by: $0) }.filter { $0.toOne == place }.map(\.rest)
            let relationship = try self.relationship(toOne.relationship)
            let target = target(of: relationship)
            guard !rests.isEmpty else { return TargetValues(of: target, count: 0) }
            var (count, records) = (0, [Int: [FieldValue]]())
            try store.forEachRecord(of: target) { number, record in
                count = max(count, Int(number))
                records[Int(number) - 1] = record
            }
            let further = try RelationshipView(schema.focused(on: relationship.destination), in: store).targets(
                of: rests)
            return TargetValues(of: target, count: count, targets: { further }) { [records] in
                records[$1]?[$0] ?? .null
            }
        }
    }

    /// Returns the numbers of the records that lead to one which meets a condition.
    private func numbers(leadingBy relationship: String, to condition: FilterSpec) throws -> Set<Int64> {
        let toMany = try self.relationship(relationship)
        let target = target(of: toMany)
        let filter = try RelationshipView(schema.focused(on: toMany.destination), in: store).filter(condition)
        var numbers: Set<Int64> = []
        try store.forEachRecord(of: target) { number, record in
            guard filter?.matches({ record[$0] }, ordinal: Int(number) - 1) ?? true else { return }
            numbers.formUnion(try owners(of: number, record, by: toMany))
        }
        return numbers
    }

    /// Returns the numbers of the records that lead to one by a relationship.
    private func owners(
        of number: Int64, _ record: [FieldValue], by toMany: Schema.Relationship
    ) throws -> [Int64] {
        if case .inverse(let place) = toMany.place {
            return [record.number(target(of: toMany), place)].compactMap(\.self)
        }
        guard let back = schema.relationship(toMany.inverse, of: toMany.destination) else { return [] }
        return try store.members(of: number, by: back, to: entity)
    }

    private func target(of relationship: Schema.Relationship) -> EntitySpec {
        schema.entities[relationship.destination].record
    }

    private func relationship(_ name: String) throws(RunError) -> Schema.Relationship {
        if let relationship = schema.relationship(name) { return relationship }
        throw RunError(.phase, "\(entity.name) has no relationship \(name)")
    }
}

// MARK: - Following, deleting, verifying

extension RelationshipView {
    /// Reads what a relationship of records leads to.
    public func follow(_ records: [NumberedRecord], _ follow: FollowSpec) throws -> any FetchedRecords {
        let relationship = try self.relationship(follow.relationship)
        let target = target(of: relationship)
        let prefetched = try follow.prefetch ? all(of: target) : nil
        let read = { number in try prefetched.map { $0[number] } ?? store.record(number, of: target) }
        if case .number(let place) = relationship.place {
            let found = try records.map { record in
                let values = try read(record.values.number(entity, place) ?? 0)
                return (record, values.map { [Array($0.prefix(target.attributesOfItsOwn.count))] } ?? [])
            }
            return followed(found, .one)
        }
        let hasOrderOfPairs = relationship.isOrdered && relationship.isManyToMany
        let groups = try hasOrderOfPairs ? nil : prefetched.map { try self.groups(of: $0, by: relationship) }
        let found = try records.map { record in
            let numbers =
                try groups.map { $0[record.number] ?? [] }
                ?? store.members(of: record.number, by: relationship, to: target)
            return (record, try numbers.compactMap(read))
        }
        return followed(found, .many(isOrdered: relationship.isOrdered))
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
    private func groups(
        of members: [Int64: [FieldValue]], by toMany: Schema.Relationship
    ) throws -> [Int64: [Int64]] {
        var groups: [Int64: [Int64]] = [:]
        for (number, record) in members {
            for owner in try owners(of: number, record, by: toMany) { groups[owner, default: []].append(number) }
        }
        return groups.mapValues { $0.sorted() }
    }

    /// Returns the records that a deletion of some deletes, these included, by the places of their entities.
    public func deleted(with numbers: [Int64]) throws -> [Int: Set<Int64>] {
        var deleted: [Int: Set<Int64>] = [:]
        try addDeleted(with: Set(numbers), of: schema.focus, to: &deleted)
        return deleted
    }

    private func addDeleted(
        with numbers: Set<Int64>, of place: Int, to deleted: inout [Int: Set<Int64>]
    ) throws {
        let numbers = numbers.subtracting(deleted[place] ?? [])
        deleted[place, default: []].formUnion(numbers)
        for owned in schema.entities[place].relationships where owned.deleteRule == .cascade && !numbers.isEmpty {
            let lost = try numbers.flatMap { try store.members(of: $0, by: owned, to: target(of: owned)) }
            try addDeleted(with: Set(lost), of: owned.destination, to: &deleted)
        }
    }

    /// Returns whether a record that stays denies the deletion of those at the places of their entities.
    public func isDenied(_ deleted: [Int: Set<Int64>]) throws -> Bool {
        try deleted.contains { place, numbers in
            try schema.inverses(of: place).contains { back, _ in
                guard back.deleteRule == .deny else { return false }
                let gone = deleted[back.destination] ?? []
                return try numbers.contains { number in
                    try !store.members(of: number, by: back, to: target(of: back)).allSatisfy(gone.contains)
                }
            }
        }
    }

    /// Returns the records that lead to deleted ones and stay, by the places of their entities, with the positions of
    /// the numbers that they lose.
    public func losers(by deleted: [Int: Set<Int64>]) throws -> [Int: [Int64: Set<Int>]] {
        var losers: [Int: [Int64: Set<Int>]] = [:]
        for (place, numbers) in deleted {
            for (back, position) in schema.inverses(of: place) where back.deleteRule == .nullify {
                for number in try numbers.flatMap({ try store.members(of: $0, by: back, to: target(of: back)) })
                where deleted[back.destination]?.contains(number) != true {
                    losers[back.destination, default: [:]][number, default: []].insert(position)
                }
            }
        }
        return losers
    }

    /// Feeds the records of the other entities, the pairs of many-to-many relationships, and what relationships keep in
    /// order, as an inspector must after the records of its own entity.
    public func scanOthers(into scan: inout StoreScan) throws {
        for place in schema.others {
            try store.forEachRecord(of: schema.entities[place].record) { number, record in
                for value in record { scan.values.add(value) }
                if schema.hasNumbers(place) { scan.values.add(number) }
                scan.endOwner()
            }
        }
        for entity in schema.entities {
            for relationship in entity.relationships {
                let beginsPairs = relationship.isManyToMany && relationship.isDeclared
                guard beginsPairs || relationship.isOrdered else { continue }
                try forEachMember(of: entity, by: relationship) { number, members in
                    if beginsPairs { for member in members { scan.addOwner(relationship.name, [number, member]) } }
                    if relationship.isOrdered, !members.isEmpty { scan.addOwner(relationship.name, [number] + members) }
                }
            }
        }
    }

    private func forEachMember(
        of entity: Schema.Entity, by relationship: Schema.Relationship, _ body: (Int64, [Int64]) -> Void
    ) throws {
        try store.forEachRecord(of: entity.record) { number, _ in
            body(number, try store.members(of: number, by: relationship, to: target(of: relationship)))
        }
    }
}

extension StoreScan {
    fileprivate mutating func addOwner(_ name: String, _ numbers: [Int64]) {
        values.add(name)
        for number in numbers { values.add(number) }
        endOwner()
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

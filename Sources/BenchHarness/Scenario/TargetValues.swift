/// The values of the records that a relationship leads to, by which filters and orders look through it.
public struct TargetValues: Sendable {
    /// The number of records that there are or were.
    let count: Int
    private let entity: EntitySpec
    private let value: @Sendable (_ attribute: Int, _ ordinal: Int) -> FieldValue
    /// What the relationships of these records lead to. Asked for when a key leads there: relationships may lead in a
    /// circle.
    private let targets: @Sendable () -> [TargetValues]

    /// Creates values.
    ///
    /// - Parameters:
    ///   - entity: The entity of the records.
    ///   - count: The number of records that there are or were: no number of one is larger.
    ///   - targets: Returns what the relationships of these records lead to, in the order of ``EntitySpec/toOnes``.
    ///   - value: Returns the value of the attribute at a position in the record with an ordinal; null for a deleted
    ///     one.
    public init(
        of entity: EntitySpec, count: Int, targets: @escaping @Sendable () -> [TargetValues] = { [] },
        value: @escaping @Sendable (_ attribute: Int, _ ordinal: Int) -> FieldValue = { _, _ in .null }
    ) {
        (self.entity, self.count, self.targets, self.value) = (entity, count, targets, value)
    }

    /// Returns the function that returns what a key such as `name` or `owner.name` leads to from the record with an
    /// ordinal; null where a relationship leads to no record.
    /// - Precondition: The key names an attribute, which the scenario reader checks.
    func values(of key: String) -> (_ ordinal: Int) -> FieldValue {
        guard let (toOne, rest) = entity.reached(by: key) else {
            guard let attribute = entity.index(of: key) else {
                preconditionFailure("a key names \(key), which is no attribute of \(entity.name)")
            }
            return { [value] in value(attribute, $0) }
        }
        let number = entity.toOneAttributes.lowerBound + toOne
        let next = targets()[toOne].values(of: rest)
        return { [value] ordinal in
            if case .int64(let number) = value(number, ordinal) { next(Int(number) - 1) } else { .null }
        }
    }
}

extension EntitySpec {
    /// Returns the function that returns what a key such as `name` or `list.owner.name` leads to from the values of a
    /// record; null where a relationship leads to no record.
    ///
    /// - Parameter targets: The records that the entity's relationships to one lead to, in the order of ``toOnes``.
    /// - Precondition: The key names an attribute, which the scenario reader checks.
    package func reader(of key: String, through targets: [TargetValues]) -> (_ record: [FieldValue]) -> FieldValue {
        guard let (toOne, rest) = reached(by: key), toOne < targets.count else {
            guard let attribute = index(of: key) else {
                preconditionFailure("a key names \(key), which is no attribute of \(name)")
            }
            return { $0[attribute] }
        }
        let (number, target) = (toOneAttributes.lowerBound + toOne, targets[toOne])
        // Read once for each related record, since it takes a whole record of a model to tell one value.
        let values: [FieldValue?] = (0..<target.count).map(target.values(of: rest))
        return { record in
            if case .int64(let number) = record[number] { values[Int(number) - 1] ?? .null } else { .null }
        }
    }
}

extension Schema {
    /// Returns the values of the records that the relationships of an entity lead to, the focus by default, as they are
    /// in a store that was seeded with `seed`.
    package func targets(of place: Int? = nil, seed: UInt64) -> [TargetValues] {
        entities[place ?? focus].record.toOnes.compactMap { toOne in
            guard let place = self.place(of: toOne.entityName) else { return nil }
            let entity = entities[place].record
            let records = RecordGenerator(entity: entity, seed: seed)
            return TargetValues(of: entity, count: toOne.records, targets: { targets(of: place, seed: seed) }) {
                records.value($0, $1)
            }
        }
    }
}

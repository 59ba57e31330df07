/// A subentity to whose records alone a relationship leads.
///
/// The numbers of these are among those of all records of their table. So a relationship to them differs from another
/// in the records that it draws, and in nothing else.
public struct TargetKind: Sendable, Equatable, Codable {
    /// The subentity's name, such as `Photo`.
    public var name: String
    /// Its number, which its records have as the value of the attribute.
    var number: Int64
    /// The attribute with the number of the entity that a record of the table is of.
    var attribute: AttributeSpec

    /// Creates the description of a subentity of an entity; nil if the entity has none.
    public init?(_ name: String, of entity: EntitySpec) {
        guard let attribute = entity.kind else { return nil }
        (self.name, self.attribute) = (name, attribute)
        number = entity.number(ofKind: name)
    }
}

/// The seeded records of a table that are of one kind.
struct RecordsOfKind: Sendable {
    /// Draws among all records before it takes the first one: even of a share of 1 in 100, they all fail once in 20,000
    /// times.
    static let draws = 1_000

    /// Makes the number of the entity of each record, and nothing else.
    private let kinds: RecordGenerator
    private let number: Int64
    /// The ordinal of the first one; nil if there is none.
    private let first: Int?

    /// - Parameters:
    ///   - table: The name of the entity from which the subentity inherits.
    ///   - records: The number of all records of the table.
    init(_ kind: TargetKind, in table: String, records: Int, seed: UInt64) {
        let kinds = RecordGenerator(entity: EntitySpec(name: table, attributes: [kind.attribute]), seed: seed)
        (self.kinds, number) = (kinds, kind.number)
        first = (0..<records).first { kinds.int64(0, $0) == kind.number }
    }

    /// Whether the record with `ordinal` is one.
    func contains(_ ordinal: Int) -> Bool { kinds.int64(0, ordinal) == number }

    /// Whether there is one before the record with `ordinal`.
    func isAny(before ordinal: Int) -> Bool { first.map { $0 < ordinal } ?? false }

    /// Returns the first ordinal of one that `draw` returns.
    func draw(_ draw: () -> Int) -> Int {
        for _ in 0..<Self.draws {
            let ordinal = draw()
            if contains(ordinal) { return ordinal }
        }
        return first ?? 0
    }
}

extension Schema {
    /// Returns the ordinals of the seeded records that a relationship may lead to.
    func ordinals(_ relationship: Relationship, seed: UInt64) -> some BidirectionalCollection<Int> {
        let target = entities[relationship.destination]
        let records = target.count ?? 1
        let kind = relationship.target.flatMap { TargetKind($0, of: target.record) }
            .map { RecordsOfKind($0, in: target.name, records: records, seed: seed) }
        return (0..<records).lazy.filter { kind?.contains($0) ?? true }
    }
}

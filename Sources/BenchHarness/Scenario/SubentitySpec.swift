/// A kind of record that has attributes and relationships of its own besides those of the entity that it inherits from.
///
/// Its records are records of that entity, which has the attributes and relationships of all subentities. They are null
/// in records of another kind. One more attribute after these is the number of the entity that a record is of. So the
/// rules for attributes hold for it: it is written, read and verified like them, but never changed. A store keeps it as
/// a column, or as the class of an object.
public struct SubentitySpec: Sendable, Equatable, Codable {
    /// The name, unlike those of the entity and of its other subentities.
    public var name: String
    /// The share of the entity's records that are of this kind, above 0 and at most 1.
    public var share: Double

    /// Creates a description.
    public init(name: String, share: Double) { (self.name, self.share) = (name, share) }

    /// Returns attributes as those that records of this kind alone have.
    func marking(_ attributes: [AttributeSpec]) -> [AttributeSpec] {
        attributes.map { attribute in
            var attribute = attribute
            attribute.subentity = name
            return attribute
        }
    }
}

extension EntitySpec {
    /// The name of the attribute with the number of the entity that a record is of, which no attribute of a scenario
    /// can have. In the layout of Core Data's files, its column is `Z_ENT`.
    public static let kindName = "_ent"

    /// The attribute with the number of the entity that a record is of; nil without subentities.
    var kind: AttributeSpec? {
        guard let subentities else { return nil }
        let kinds =
            [(name: name, share: subentities.restOfShares)] + subentities.map { (name: $0.name, share: $0.share) }
        let records = hasRecordsOfItsOwn ? kinds : Array(kinds.dropFirst())
        let generator = Generator.choice(
            values: records.map { .int64(number(ofKind: $0.name)) }, weights: records.map(\.share))
        return AttributeSpec(name: Self.kindName, type: .int64, generator: generator)
    }

    /// The numbers of the entities that records are of; 0 alone without subentities.
    var kindsOfRecords: [Int64] {
        guard let kind else { return [0] }
        return kind.generator.values.compactMap { if case .int64(let number) = $0 { number } else { nil } }
    }

    /// Whether some records are of the entity itself. If not, it is abstract: each is of a subentity.
    public var hasRecordsOfItsOwn: Bool { (subentities ?? []).restOfShares > 0 }

    /// The position of the attribute with the number of the entity that a record is of; nil without subentities.
    public var kindAttribute: Int? { subentities.map { _ in toOneAttributes.lowerBound - 1 } }

    /// Returns the number of the entity, or of a subentity, which come after it in alphabetical order, as in Core
    /// Data's files.
    public func number(ofKind name: String) -> Int64 {
        let first = Int64(number ?? 1)
        return name == self.name ? first : first + 1 + Int64((subentities ?? []).count { $0.name < name })
    }
}

extension [SubentitySpec] {
    /// The share of the records that are of none of these; below 0 if their shares are more than all records.
    var restOfShares: Double {
        let rest = 1 - reduce(0) { $0 + $1.share }
        // The sum of shares such as 0.7, 0.2 and 0.1 is not exact.
        return abs(rest) <= 1e-9 ? 0 : rest
    }
}

extension FilterSpec {
    /// The condition that a record is of the entity with a number.
    static func isOfKind(_ number: Int64) -> FilterSpec {
        .compare(key: EntitySpec.kindName, .equal, .int64(number))
    }

    /// The number of the subentity whose records a phase is about, and the condition that these meet; nil for both if
    /// the phase has neither.
    public var partedByKind: (number: Int64?, condition: FilterSpec?) {
        switch self {
        case .compare(EntitySpec.kindName, .equal, .int64(let number)): (number, nil)
        case .and(let parts):
            if let first = parts.first?.partedByKind, first.number != nil {
                (first.number, Self.all([first.condition].compactMap(\.self) + parts.dropFirst()))
            } else {
                (nil, self)
            }
        default: (nil, self)
        }
    }

    /// The condition that all of some are met; nil for none.
    private static func all(_ conditions: [FilterSpec]) -> FilterSpec? {
        conditions.count > 1 ? .and(conditions) : conditions.first
    }
}

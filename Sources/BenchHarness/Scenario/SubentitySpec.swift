/// A kind of record that has attributes of its own besides those of the scenario's entity, from which it inherits.
///
/// Its records are records of the entity. The entity has the attributes of all subentities, which are null in records
/// that are of another kind, and one more attribute, the last: the number of the entity that a record is of. So the
/// rules for attributes hold for it: it is written, read and verified like them, but never changed. A store keeps it as
/// a column, or as the class of an object.
public struct SubentitySpec: Sendable, Equatable, Codable {
    /// The name, unlike those of the entity and of its other subentities.
    public var name: String
    /// The share of the entity's records that are of this kind, above 0 and at most 1.
    public var share: Double

    /// Creates a description.
    public init(name: String, share: Double) { (self.name, self.share) = (name, share) }
}

extension EntitySpec {
    /// The name of the attribute with the number of the entity that a record is of, which no attribute of a scenario
    /// can have. In the layout of Core Data's files, its column is `Z_ENT`.
    public static let kindName = "_ent"

    /// Creates an entity from which others inherit: it gets their attributes, and that with the number of the entity.
    public init(
        name: String, attributes: [AttributeSpec], subentities: [(spec: SubentitySpec, attributes: [AttributeSpec])]
    ) {
        let own = subentities.flatMap { subentity in
            subentity.attributes.map { attribute in
                var attribute = attribute
                attribute.subentity = subentity.spec.name
                return attribute
            }
        }
        self.init(name: name, attributes: attributes + own)
        self.subentities = subentities.map(\.spec)
        let kinds =
            [(name: name, share: subentities.map(\.spec).restOfShares)]
            + subentities.map { (name: $0.spec.name, share: $0.spec.share) }
        let records = hasRecordsOfItsOwn ? kinds : Array(kinds.dropFirst())
        let generator = Generator.choice(
            values: records.map { .int64(number(ofKind: $0.name)) }, weights: records.map(\.share))
        self.attributes.append(AttributeSpec(name: Self.kindName, type: .int64, generator: generator))
    }

    /// Whether some records are of the entity itself. If not, it is abstract: each is of a subentity.
    public var hasRecordsOfItsOwn: Bool { (subentities ?? []).restOfShares > 0 }

    /// The position of the attribute with the number of the entity that a record is of; nil without subentities.
    public var kindAttribute: Int? { subentities.map { _ in attributes.count - 1 } }

    /// Returns the number of the entity, 1, or of a subentity, which come after it in alphabetical order, as in Core
    /// Data's files.
    public func number(ofKind name: String) -> Int64 {
        name == self.name ? 1 : Int64((subentities ?? []).count { $0.name < name }) + 2
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

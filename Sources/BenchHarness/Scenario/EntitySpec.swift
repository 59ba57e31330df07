import Foundation

/// The type of an attribute in a scenario.
public enum FieldType: String, Sendable, Codable, CaseIterable {
    /// UTF-8 text.
    case string
    /// True or false.
    case bool
    /// A point in time: seconds since 2001-01-01 UTC, as a Double.
    case date
    /// A 64-bit signed integer.
    case int64
    /// A 64-bit floating-point number, never NaN.
    case double
    /// Bytes.
    case data
}

/// One value of one record.
public enum FieldValue: Sendable, Hashable, Codable {
    /// No value.
    case null
    /// UTF-8 text.
    case string(String)
    /// True or false.
    case bool(Bool)
    /// Seconds since 2001-01-01 UTC.
    case date(Double)
    /// A 64-bit signed integer.
    case int64(Int64)
    /// A 64-bit floating-point number, never NaN.
    case double(Double)
    /// Bytes.
    case data(Data)
}

/// An attribute and the generator of its values.
public struct AttributeSpec: Sendable, Equatable, Codable {
    /// The attribute's name, unique within the entity.
    public var name: String
    /// The attribute's type.
    public var type: FieldType
    /// The generator of the values.
    public var generator: Generator
    /// Whether no two records have the same value, for which the store keeps an index. Optional, since older files lack
    /// it.
    public var unique: Bool?

    /// Whether the store keeps an index of the attribute's values. Optional, since older files lack it.
    public var indexed: Bool?
    /// The share of records, from 0 to 1, without a value; nil if the generator makes every value. Optional, since
    /// older files lack it.
    public var nullShare: Double?
    /// The subentity whose records alone have the attribute; nil if all records have it.
    public var subentity: String?

    /// Whether a relationship may lead nowhere from some records: a phase deletes what it leads to, or no record is of
    /// the kind that it leads to. Optional, since older files lack it.
    var mayLoseValues: Bool?

    /// Creates an attribute.
    public init(
        name: String, type: FieldType, generator: Generator, isUnique: Bool = false, isIndexed: Bool = false,
        nullShare: Double? = nil
    ) {
        self.name = name
        self.type = type
        self.generator = generator
        unique = isUnique ? true : nil
        indexed = isIndexed ? true : nil
        self.nullShare = nullShare
    }

    /// Whether no two records have the same value.
    public var isUnique: Bool { unique == true }

    /// Whether the store keeps an index of the values.
    public var isIndexed: Bool { indexed == true }

    /// Whether any record may be without a value.
    public var hasNulls: Bool { hasNullsOfItsOwn || subentity != nil || mayLoseValues == true }

    /// Whether a record that has the attribute may be without a value.
    public var hasNullsOfItsOwn: Bool {
        nullShare ?? 0 > 0 || generator.values.contains(.null) || generator == .earlier
    }
}

/// A kind of record: a name and attributes, in the order of the scenario file.
public struct EntitySpec: Sendable, Equatable, Codable {
    /// The entity's name, such as `Item`.
    public var name: String
    /// The attributes, at least one. The last ones are the numbers of the records that ``toOnes`` lead to; before them
    /// comes that of the entity that a record is of (``SubentitySpec``).
    public var attributes: [AttributeSpec]
    /// The relationships to one record; nil if there are none. Optional, since older files lack it.
    public var references: [ReferenceSpec]?
    /// The many-to-many relationships that the entity declares; nil if there are none. Optional, since older files lack
    /// it.
    public var links: [LinkSpec]?
    /// The entities that inherit from this one; nil if none do. Optional, since older files lack it.
    public var subentities: [SubentitySpec]?
    /// The number of the entity in a store, as in Core Data's files: in alphabetical order from 1, those that inherit
    /// right after the one that they inherit from. Nil for 1.
    var number: Int?
    /// The number of records in a seeded store; the largest number if the scenario has several. Nil outside of one.
    public var records: Int?

    /// Creates an entity. It gets an attribute more for each relationship to one record; if others inherit from it, it
    /// gets their attributes, and that with the number of the entity that a record is of.
    public init(
        name: String, attributes: [AttributeSpec], references: [ReferenceSpec] = [], links: [LinkSpec] = [],
        subentities: [(spec: SubentitySpec, attributes: [AttributeSpec])] = [], number: Int? = nil,
        records: Int? = nil
    ) {
        self.name = name
        self.number = number
        self.records = records
        self.references = references.isEmpty ? nil : references
        self.links = links.isEmpty ? nil : links
        self.subentities = subentities.isEmpty ? nil : subentities.map(\.spec)
        self.attributes = attributes + subentities.flatMap { $0.spec.marking($0.attributes) }
        self.attributes += [kind].compactMap(\.self) + references.map { $0.attribute(of: name) }
    }

    /// Returns the position of the attribute called `name`, or nil.
    public func index(of name: String) -> Int? {
        attributes.firstIndex { $0.name == name }
    }

    /// The position of the attribute called `name`, which must be there.
    ///
    /// - Throws: `RunError` that says which name is no attribute's, and which are.
    public func position(of name: String) throws(RunError) -> Int {
        if let index = index(of: name) { return index }
        let names = attributes.map(\.name).joined(separator: ", ")
        throw RunError(.phase, "\(self.name) has no attribute \"\(name)\"; it has \(names)")
    }

    /// The entity with no more than the attributes of these names, in its own order; the whole entity for nil.
    public func keeping(_ names: [String]?) -> EntitySpec {
        guard let names else { return self }
        return EntitySpec(name: name, attributes: attributesOfItsOwn.filter { names.contains($0.name) })
    }
}

/// The source of an attribute's values. Every value is a pure function of the scenario's seed, the attribute and the
/// record's ordinal. Thus each driver writes the same records, and the harness can compute the expected content of the
/// store.
public enum Generator: Sendable, Equatable, Codable {
    /// The same value in every record.
    case constant(FieldValue)
    /// `prefix` followed by the ordinal, for strings; `start + step * ordinal` for numbers and dates.
    case sequence(prefix: String, start: Double, step: Double)
    /// Uniformly distributed between `min` and `max`, for numbers and dates; for bool, true with probability `max`.
    case uniform(min: Double, max: Double)
    /// Pseudo-random bytes of `length`, for data; lower-case letters for strings.
    case random(length: Int)
    /// The same, of a length that is uniformly distributed between `min` and `max`.
    case randomLengths(min: Int, max: Int)
    /// The number of the record that a relationship leads to, as its ``ReferenceSpec/distribution`` says. The records
    /// that lead to one are not neighbours in the store, just as people add to their lists in turn.
    case owner
    /// The same for a relationship to the entity itself: the number of an earlier record. The first one leads nowhere.
    case earlier
    /// One of `values`, each with the probability of its weight; without weights, all are equally likely.
    case choice(values: [FieldValue], weights: [Double]?)
    /// From `min` to `max` words with a space between two of them. The words come from a vocabulary that the seed
    /// makes, where the most frequent one is twice as frequent as the second, and three times as frequent as the third.
    case words(min: Int, max: Int, vocabulary: Int)
    /// Dates that ascend with the ordinal, at irregular distances of `step` seconds on average.
    case ascending(start: Double, step: Double)

    /// The values that it is made of, if these are known.
    var values: [FieldValue] {
        switch self {
        case .constant(let value): [value]
        case .choice(let values, _): values
        default: []
        }
    }
}

/// Values that an update draws, one for each record: a pure function of the record's ordinal.
///
/// Drivers draw values while the clock runs, with the same function for each of them, as they do when they seed.
public struct AttributeDraw: Sendable {
    /// The type of the attribute.
    public let type: FieldType
    /// The source of the values.
    public let generator: Generator
    /// Seeds the values: it differs between scenarios' seeds, phases and attributes.
    public let seed: UInt64
    /// Makes the values as those of an entity with one attribute.
    private let records: RecordGenerator

    /// Creates a draw.
    public init(type: FieldType, generator: Generator, seed: UInt64) {
        self.type = type
        self.generator = generator
        self.seed = seed
        let attribute = AttributeSpec(name: "value", type: type, generator: generator)
        records = RecordGenerator(entity: EntitySpec(name: "Draw", attributes: [attribute]), seed: seed)
    }

    /// Returns the value of the record with `ordinal`.
    public func value(_ ordinal: Int) -> FieldValue {
        switch type {
        case .string: .string(string(ordinal))
        case .bool: .bool(records.bool(0, ordinal))
        case .date: .date(double(ordinal))
        case .int64: .int64(records.int64(0, ordinal))
        case .double: .double(double(ordinal))
        case .data: .data(records.data(0, ordinal))
        }
    }

    /// Returns the value of the record with `ordinal`, for an attribute of type string.
    public func string(_ ordinal: Int) -> String { records.string(0, ordinal) }

    /// Returns the value of the record with `ordinal`, for an attribute of type double or date.
    public func double(_ ordinal: Int) -> Double { records.double(0, ordinal) }

    /// Returns the seed of an attribute's values in a phase: the hash of both names, combined with the scenario's seed.
    /// Thus the order of phases does not matter.
    static func seed(_ scenario: UInt64, phase: String, attribute: String) -> UInt64 {
        "\(phase).\(attribute)".stableHash ^ scenario &* 0x9E37_79B9_7F4A_7C15
    }
}

extension AttributeDraw: Equatable {
    /// Whether both draw the same values.
    public static func == (left: AttributeDraw, right: AttributeDraw) -> Bool {
        left.type == right.type && left.generator == right.generator && left.seed == right.seed
    }
}

extension AttributeDraw: Codable {
    private enum CodingKeys: String, CodingKey {
        case type
        case generator
        case seed
    }

    /// Decodes a draw.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            type: try values.decode(FieldType.self, forKey: .type),
            generator: try values.decode(Generator.self, forKey: .generator),
            seed: try values.decode(UInt64.self, forKey: .seed))
    }

    /// Encodes the draw.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(type, forKey: .type)
        try values.encode(generator, forKey: .generator)
        try values.encode(seed, forKey: .seed)
    }
}

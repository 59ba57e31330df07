/// Scenarios and results of format 1 spelled names in camel case, format 2 spells them in snake case. What was recorded
/// by an older version is read as if it had been spelled as it is now.
enum Spelling {
    /// `perObject` as `per_object`; a name without capitals stays as it is.
    static func snakeCase(_ name: String) -> String {
        guard name.contains(where: \.isUppercase) else { return name }
        return name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
    }

    /// The mode of a row as it is spelled now: of all modes, one had capitals.
    static func mode(_ name: String) -> String { name == "perObject" ? UpdateWork.Mode.perObject.rawValue : name }

    /// Decodes an enumeration from either spelling of its raw values.
    static func decode<Choice: RawRepresentable<String>>(_ type: Choice.Type, _ decoder: any Decoder) throws -> Choice {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let choice = Choice(rawValue: snakeCase(name)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no \(type): \(name)")
        }
        return choice
    }
}

extension UpdateWork.Mode {
    /// Decodes the mode, by the name that an older version gave it too.
    public init(from decoder: any Decoder) throws { self = try Spelling.decode(Self.self, decoder) }
}

extension ConflictPolicy {
    /// Decodes the policy, by the name that an older version gave it too.
    public init(from decoder: any Decoder) throws { self = try Spelling.decode(Self.self, decoder) }
}

extension FilterSpec.Comparison {
    /// Decodes the comparison, by the name that an older version gave it too.
    public init(from decoder: any Decoder) throws { self = try Spelling.decode(Self.self, decoder) }
}

extension OperationKind {
    /// Decodes the kind, by the name that an older version gave it too.
    public init(from decoder: any Decoder) throws { self = try Spelling.decode(Self.self, decoder) }

    /// The kind that a key of an object stands for, by the name that an older version gave it too.
    public init?(codingKey: some CodingKey) { self.init(rawValue: Spelling.snakeCase(codingKey.stringValue)) }
}

/// Names in scenarios and results: format 1 has them in camel case, format 2 in snake case. Readers accept both
/// spellings in recorded files.
enum Spelling {
    /// Returns `per_object` for `perObject`; a name without capitals stays as it is.
    static func snakeCase(_ name: String) -> String {
        guard name.contains(where: \.isUppercase) else { return name }
        return name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
    }

    /// Returns the current spelling of a row's mode: only one mode had capitals.
    static func mode(_ name: String) -> String { name == "perObject" ? UpdateWork.Mode.perObject.rawValue : name }

    /// Decodes an enumeration from either spelling of its raw values.
    static func decode<Choice: RawRepresentable<String>>(_ type: Choice.Type, _ decoder: any Decoder) throws -> Choice {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let choice = Choice(rawValue: snakeCase(name)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "unknown \(type) \(name)")
        }
        return choice
    }
}

extension UpdateWork.Mode {
    /// Decodes the mode, in either spelling.
    public init(from decoder: any Decoder) throws { self = try Spelling.decode(Self.self, decoder) }
}

extension ConflictPolicy {
    /// Decodes the policy, in either spelling.
    public init(from decoder: any Decoder) throws { self = try Spelling.decode(Self.self, decoder) }
}

extension FilterSpec.Comparison {
    /// Decodes the comparison, in either spelling.
    public init(from decoder: any Decoder) throws { self = try Spelling.decode(Self.self, decoder) }
}

extension OperationKind {
    /// Decodes the kind, in either spelling.
    public init(from decoder: any Decoder) throws { self = try Spelling.decode(Self.self, decoder) }

    /// Creates the kind for a key of an object, in either spelling.
    public init?(codingKey: some CodingKey) { self.init(rawValue: Spelling.snakeCase(codingKey.stringValue)) }
}

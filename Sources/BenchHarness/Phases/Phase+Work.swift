extension Phase {
    /// The work of a phase, of one of many kinds.
    ///
    /// Everything that the harness knows of a kind of work is part of its type, in its own folder. The search for the
    /// highest rate, torture and shards ask for loads.
    public struct Work: Sendable {
        /// The work as an existential that the harness reads, scales, runs and judges.
        let content: any PhaseWork

        init(_ content: any PhaseWork) { self.content = content }

        /// Returns the work if it is of a kind, such as `FetchWork.self`; nil if it is of another.
        public func `as`<Kind>(_ type: Kind.Type) -> Kind? { content as? Kind }
    }
}

extension Phase.Work: Equatable {
    /// Whether both are the same work.
    public static func == (one: Phase.Work, other: Phase.Work) -> Bool { one.content.isEqual(to: other.content) }
}

extension PhaseWork {
    fileprivate func isEqual(to other: any PhaseWork) -> Bool { other as? Self == self }
}

/// Written like a case with a value, which the work was in older files: `{ "fetch": { "_0": { ... } } }`.
extension Phase.Work: Codable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        static let value = Key(stringValue: "_0")
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Reads work of any kind.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        guard let key = container.allKeys.first,
            let type = PhaseKind.types.first(where: { $0.codingName == key.stringValue })
        else {
            let names = container.allKeys.map(\.stringValue.quoted).joined(separator: ", ")
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "no kind of work is called \(names)"))
        }
        let value = try container.nestedContainer(keyedBy: Key.self, forKey: key)
        content = try value.contains(.value) ? value.decode(type, forKey: .value) : container.decode(type, forKey: key)
    }

    /// Writes the work below the name of its kind.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        var value = container.nestedContainer(
            keyedBy: Key.self, forKey: Key(stringValue: type(of: content).codingName))
        try content.encode(to: &value)
    }
}

extension PhaseWork {
    /// Work without properties has no value.
    fileprivate func encode<Key: CodingKey>(to container: inout KeyedEncodingContainer<Key>) throws {
        guard MemoryLayout<Self>.size > 0, let key = Key(stringValue: "_0") else { return }
        try container.encode(self, forKey: key)
    }
}
